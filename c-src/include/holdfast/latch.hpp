/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_LATCH_HPP
#define HOLDFAST_LATCH_HPP

#include <chrono>
#include <cstddef>
#include <type_traits>

#include "holdfast/deadline.hpp"
#include "holdfast/error.hpp"
#include "holdfast/latch.h"

namespace holdfast
{

/* hf_latch as a class, with the contract of C++20's std::latch and, in addition, waits with a time limit.
 * Rules of all classes: holdfast.hpp. */
class latch
{
  public:
    using native_handle_type = hf_latch *;

    static constexpr std::ptrdiff_t max() noexcept
    {
        return static_cast<std::ptrdiff_t>(HF_LATCH_MOST);
    }

    /* Throws value_too_large iff `expected` is not within 0 and max(). */
    constexpr explicit latch(std::ptrdiff_t expected) : words_{checked(expected), 0}
    {
    }
    latch(const latch &) = delete;
    latch &operator=(const latch &) = delete;

    /* Never blocks. Throws value_too_large, and changes nothing, iff `update` is negative or more than the
     * count; the standard leaves that undefined. */
    void count_down(std::ptrdiff_t update = 1)
    {
        if (checked(update) > 0) {
            detail::check(hf_latch_count_down(&words_, static_cast<std::uint32_t>(update)));
        }
    }

    /* Never blocks. Returns whether the count is 0. (std::latch's may return false even if it is.) */
    bool try_wait() const noexcept
    {
        return hf_latch_count(&words_) == 0;
    }

    /* Blocks until the count is 0, without limit. */
    void wait() const
    {
        hf_latch_wait(&words_);
    }

    /* Block until the count is 0, or the time is up. Return whether it is 0. */
    template <class Rep, class Period> bool wait_for(const std::chrono::duration<Rep, Period> &duration) const
    {
        return hf_latch_wait_until(&words_, detail::deadline_after(duration)) == HF_OK;
    }

    template <class Clock, class Duration>
    bool wait_until(const std::chrono::time_point<Clock, Duration> &time) const
    {
        return detail::wait_until(time, [this](std::int64_t deadline_ns) {
                   return hf_latch_wait_until(&words_, deadline_ns);
               }) == HF_OK;
    }

    void arrive_and_wait(std::ptrdiff_t update = 1)
    {
        count_down(update);
        wait();
    }

#ifdef __cpp_impl_coroutine /* defined in async.hpp */
    /* co_await gives nothing, or whether the count is 0. */
    [[nodiscard]] auto wait_async() const;
    template <class Rep, class Period>
    [[nodiscard]] auto wait_async_for(const std::chrono::duration<Rep, Period> &duration) const;
#endif

    native_handle_type native_handle() noexcept
    {
        return &words_;
    }

  private:
    static constexpr std::uint32_t checked(std::ptrdiff_t count)
    {
        return count >= 0 && count <= max() ? static_cast<std::uint32_t>(count)
                                            : (detail::fail(HF_OVERFLOW), UINT32_C(0));
    }

    mutable hf_latch words_; /* mutable: waits change it */
};

static_assert(sizeof(latch) == sizeof(hf_latch) && std::is_standard_layout<latch>::value, "words only");

} // namespace holdfast

#endif
