/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_EVENT_HPP
#define HOLDFAST_EVENT_HPP

#include <chrono>
#include <type_traits>

#include "holdfast/deadline.hpp"
#include "holdfast/event.h"

namespace holdfast
{

enum class event_reset { manual, automatic };

/* hf_event as a class. The effect of a set is as in event.h. Rules of all classes: holdfast.hpp. */
class event
{
  public:
    using native_handle_type = hf_event *;

    /* Constructs a manual event that is not set. */
    constexpr event() noexcept : words_()
    {
    }
    explicit event(event_reset reset) noexcept : words_()
    {
        hf_event_init(&words_, reset == event_reset::automatic);
    }
    event(const event &) = delete;
    event &operator=(const event &) = delete;

    void set() noexcept
    {
        hf_event_set(&words_);
    }

    void reset() noexcept
    {
        hf_event_reset(&words_);
    }

    bool is_set() const noexcept
    {
        return hf_event_is_set(&words_);
    }

    /* Blocks until it is set, without limit. */
    void wait()
    {
        hf_event_wait(&words_);
    }

    /* Block until it is set, or the time is up. Return whether it was set. */
    template <class Rep, class Period> bool wait_for(const std::chrono::duration<Rep, Period> &duration)
    {
        return hf_event_wait_until(&words_, detail::deadline_after(duration)) == HF_OK;
    }

    template <class Clock, class Duration>
    bool wait_until(const std::chrono::time_point<Clock, Duration> &time)
    {
        return detail::wait_until(time, [this](std::int64_t deadline_ns) {
                   return hf_event_wait_until(&words_, deadline_ns);
               }) == HF_OK;
    }

#ifdef __cpp_impl_coroutine /* defined in async.hpp */
    /* co_await gives nothing, or whether it was set. */
    [[nodiscard]] auto wait_async();
    template <class Rep, class Period>
    [[nodiscard]] auto wait_async_for(const std::chrono::duration<Rep, Period> &duration);
#endif

    native_handle_type native_handle() noexcept
    {
        return &words_;
    }

  private:
    hf_event words_;
};

static_assert(sizeof(event) == sizeof(hf_event) && std::is_standard_layout<event>::value, "words only");

} // namespace holdfast

#endif
