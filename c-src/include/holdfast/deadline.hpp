/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_DEADLINE_HPP
#define HOLDFAST_DEADLINE_HPP

#include <chrono>
#include <cstdint>
#include <ratio>
#include <type_traits>

#include "holdfast/clock.h"
#include "holdfast/result.h"

/* Not for users: the time limits of std::chrono as deadlines on hf_now_ns(). They are rounded up, so no wait
 * ends early. A time too far away counts as for ever, so nothing overflows. */
namespace holdfast
{
namespace detail
{

using approximate_ns = std::chrono::duration<double, std::nano>;

/* More nanoseconds than this (146 years) are for ever. A double has this value exactly. */
constexpr std::int64_t longest_ns = INT64_C(1) << 62;

template <class Rep, class Period> double approximately(const std::chrono::duration<Rep, Period> &duration)
{
    return static_cast<double>(std::chrono::duration_cast<approximate_ns>(duration).count());
}

/* Converts a floating-point duration, to the precision of a double. Requires: it is positive and not too
 * long. */
template <class Rep, class Period>
std::int64_t rounded_up(const std::chrono::duration<Rep, Period> &duration, std::true_type)
{
    const double ns = approximately(duration);
    const auto whole = static_cast<std::int64_t>(ns);
    return whole + (static_cast<double>(whole) < ns ? 1 : 0);
}

/* Converts any other duration exactly. Converts whole units and the rest apart, so that no product
 * overflows. */
template <class Rep, class Period>
std::int64_t rounded_up(const std::chrono::duration<Rep, Period> &duration, std::false_type)
{
    using count = typename std::common_type<Rep, std::intmax_t>::type;
    using factor = std::ratio_divide<Period, std::nano>;
    const count units = duration.count();
    const count num = factor::num;
    const count den = factor::den;
    return static_cast<std::int64_t>(units / den * num + (units % den * num + den - 1) / den);
}

/* Returns nanoseconds: 0 iff the duration is not positive, or not a number; HF_FOREVER if it is too long. */
template <class Rep, class Period> std::int64_t ns_in(const std::chrono::duration<Rep, Period> &duration)
{
    const double ns = approximately(duration);
    if (!(ns > 0)) {
        return 0;
    }
    return ns < static_cast<double>(longest_ns)
               ? rounded_up(duration, std::chrono::treat_as_floating_point<Rep>())
               : HF_FOREVER;
}

/* Returns nanoseconds until a time. It compares doubles first: the exact difference may overflow. */
template <class Clock, class Duration>
std::int64_t ns_until(const std::chrono::time_point<Clock, Duration> &time)
{
    const auto now = Clock::now();
    const double ns = approximately(time.time_since_epoch()) - approximately(now.time_since_epoch());
    if (ns >= static_cast<double>(longest_ns)) {
        return HF_FOREVER;
    }
    return ns > -static_cast<double>(longest_ns) ? ns_in(time - now) : 0;
}

inline std::int64_t deadline_in(std::int64_t ns)
{
    return ns == HF_FOREVER ? HF_FOREVER : hf_now_ns() + ns;
}

template <class Rep, class Period>
std::int64_t deadline_after(const std::chrono::duration<Rep, Period> &duration)
{
    return deadline_in(ns_in(duration));
}

/* Calls `wait(deadline_ns)` until it does not end by HF_TIMEOUT, or the time has come on its own clock, which
 * may have been set back meanwhile. */
template <class Clock, class Duration, class Wait>
hf_result wait_until(const std::chrono::time_point<Clock, Duration> &time, Wait wait)
{
    std::int64_t left_ns = ns_until(time);
    hf_result result;
    do {
        result = wait(deadline_in(left_ns));
    } while (result == HF_TIMEOUT && (left_ns = ns_until(time)) > 0);
    return result;
}

} // namespace detail
} // namespace holdfast

#endif
