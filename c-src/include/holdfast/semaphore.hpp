/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_SEMAPHORE_HPP
#define HOLDFAST_SEMAPHORE_HPP

#include <chrono>
#include <cstddef>
#include <type_traits>

#include "holdfast/deadline.hpp"
#include "holdfast/error.hpp"
#include "holdfast/semaphore.h"

namespace holdfast
{

/* hf_semaphore as a class, with the contract of C++20's std::counting_semaphore. The most permits, max(), are
 * LeastMax (0 or more), but at least 1 and at most HF_SEMAPHORE_MOST. Rules of all classes: holdfast.hpp. */
template <std::ptrdiff_t LeastMax = static_cast<std::ptrdiff_t>(HF_SEMAPHORE_MOST)> class counting_semaphore
{
    static_assert(LeastMax >= 0, "LeastMax must be 0 or more");

  public:
    using native_handle_type = hf_semaphore *;

    static constexpr std::ptrdiff_t max() noexcept
    {
        return LeastMax < 1 ? 1
               : LeastMax > static_cast<std::ptrdiff_t>(HF_SEMAPHORE_MOST)
                   ? static_cast<std::ptrdiff_t>(HF_SEMAPHORE_MOST)
                   : LeastMax;
    }

    /* Constructs a semaphore with `desired` free permits. Throws value_too_large iff `desired` is not within
     * 0 and max(). */
    constexpr explicit counting_semaphore(std::ptrdiff_t desired)
        : words_{{static_cast<std::uint64_t>(max() - checked(desired)), 0,
                  static_cast<std::uint32_t>(max() - 1)}}
    {
    }
    counting_semaphore(const counting_semaphore &) = delete;
    counting_semaphore &operator=(const counting_semaphore &) = delete;

    /* Gets a permit. Blocks, without limit. */
    void acquire()
    {
        detail::check(hf_semaphore_enter(&words_, 1));
    }

    /* Never blocks. Returns whether the caller has acquired a permit. */
    bool try_acquire() noexcept
    {
        return hf_semaphore_tryenter(&words_, 1) == HF_OK;
    }

    /* Block until the caller has acquired a permit, or the time is up. Return whether it has. */
    template <class Rep, class Period>
    bool try_acquire_for(const std::chrono::duration<Rep, Period> &duration)
    {
        return hf_semaphore_enter_until(&words_, 1, detail::deadline_after(duration)) == HF_OK;
    }

    template <class Clock, class Duration>
    bool try_acquire_until(const std::chrono::time_point<Clock, Duration> &time)
    {
        return detail::wait_until(time, [this](std::int64_t deadline_ns) {
                   return hf_semaphore_enter_until(&words_, 1, deadline_ns);
               }) == HF_OK;
    }

    /* Gives permits back, or adds some. Never blocks. Throws value_too_large, and changes nothing, iff
     * `update` is negative or more than max() would be free; the standard leaves that undefined. */
    void release(std::ptrdiff_t update = 1)
    {
        if (checked(update) > 0) {
            detail::check(hf_semaphore_leave(&words_, static_cast<std::uint32_t>(update)));
        }
    }

#ifdef __cpp_impl_coroutine /* defined in async.hpp */
    /* co_await gives nothing, or whether the caller has acquired a permit. */
    [[nodiscard]] auto acquire_async();
    template <class Rep, class Period>
    [[nodiscard]] auto try_acquire_async_for(const std::chrono::duration<Rep, Period> &duration);
#endif

    native_handle_type native_handle() noexcept
    {
        return &words_;
    }

  private:
    static constexpr std::ptrdiff_t checked(std::ptrdiff_t permits)
    {
        return permits >= 0 && permits <= max() ? permits : (detail::fail(HF_OVERFLOW), 0);
    }

    hf_semaphore words_;
};

using binary_semaphore = counting_semaphore<1>;

static_assert(sizeof(binary_semaphore) == sizeof(hf_semaphore) &&
                  std::is_standard_layout<binary_semaphore>::value,
              "words only");

} // namespace holdfast

#endif
