/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_CONDITION_HPP
#define HOLDFAST_CONDITION_HPP

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <type_traits>

#include "holdfast/condition.h"
#include "holdfast/mutex.hpp"
#include "holdfast/recursive_mutex.hpp"

namespace holdfast
{
namespace detail
{

inline hf_result wait_on(hf_condition *condition, hf_mutex *mutex, std::int64_t deadline_ns)
{
    return hf_condition_wait_until(condition, mutex, deadline_ns);
}

inline hf_result wait_on(hf_condition *condition, hf_recursive_mutex *mutex, std::int64_t deadline_ns)
{
    return hf_recursive_mutex_wait_until(mutex, condition, deadline_ns);
}

} // namespace detail

/* hf_condition as a class, with the operations of std::condition_variable, for a std::unique_lock of mutex
 * or of recursive_mutex. The promises of a notify are as in condition.h. Rules of all classes:
 * holdfast.hpp.
 *
 * All waits throw, with the lock as it was: operation_not_permitted iff the caller does not hold it;
 * resource_deadlock_would_occur iff it holds a recursive mutex with a depth above 1; value_too_large iff
 * HF_CONDITION_MOST_WAITERS wait already.
 * They throw owner_dead iff the mutex was abandoned meanwhile. The caller holds it then, as after each wait.
 * After the unlock, the mutex stays abandoned until its recover(). */
class condition
{
  public:
    using native_handle_type = hf_condition *;

    constexpr condition() noexcept : words_()
    {
    }
    condition(const condition &) = delete;
    condition &operator=(const condition &) = delete;

    /* As a std::condition_variable, it may be destroyed when all waiters were notified and nobody begins to
     * wait any more: right after notify_all(). Blocks until the notified threads are out of it, but not for
     * the mutex, which the caller may hold (hf_condition_destroy). Blocks for ever if a waiter was not
     * notified, or was terminated in its wait. */
    ~condition()
    {
        hf_condition_destroy(&words_);
    }

    void notify_one() noexcept
    {
        hf_condition_notify(&words_, 1);
    }

    void notify_all() noexcept
    {
        hf_condition_notify(&words_, HF_CONDITION_ALL);
    }

    template <class Mutex> void wait(std::unique_lock<Mutex> &lock)
    {
        wait_to(lock, HF_FOREVER);
    }

    template <class Mutex, class Predicate> void wait(std::unique_lock<Mutex> &lock, Predicate predicate)
    {
        while (!predicate()) {
            wait(lock);
        }
    }

    /* Without a predicate, wait_for() and wait_until() return std::cv_status::timeout iff the time is up;
     * with a predicate, they return its last result. */
    template <class Mutex, class Rep, class Period>
    std::cv_status wait_for(std::unique_lock<Mutex> &lock, const std::chrono::duration<Rep, Period> &duration)
    {
        return status_of(wait_to(lock, detail::deadline_after(duration)));
    }

    template <class Mutex, class Rep, class Period, class Predicate>
    bool wait_for(std::unique_lock<Mutex> &lock, const std::chrono::duration<Rep, Period> &duration,
                  Predicate predicate)
    {
        const std::int64_t deadline_ns = detail::deadline_after(duration);
        while (!predicate()) {
            if (wait_to(lock, deadline_ns) == HF_TIMEOUT) {
                return predicate();
            }
        }
        return true;
    }

    template <class Mutex, class Clock, class Duration>
    std::cv_status wait_until(std::unique_lock<Mutex> &lock,
                              const std::chrono::time_point<Clock, Duration> &time)
    {
        return status_of(
            detail::wait_until(time, [&](std::int64_t deadline_ns) { return wait_to(lock, deadline_ns); }));
    }

    template <class Mutex, class Clock, class Duration, class Predicate>
    bool wait_until(std::unique_lock<Mutex> &lock, const std::chrono::time_point<Clock, Duration> &time,
                    Predicate predicate)
    {
        while (!predicate()) {
            if (wait_until(lock, time) == std::cv_status::timeout) {
                return predicate();
            }
        }
        return true;
    }

#ifdef __cpp_impl_coroutine /* defined in async.hpp */
    /* co_await gives nothing, or std::cv_status. It throws what wait() throws. While the coroutine waits, the
     * lock holds nothing; afterwards it holds the mutex again. `while (!predicate()) { co_await
     * c.wait_async(lock); }` waits for a predicate. */
    [[nodiscard]] auto wait_async(std::unique_lock<mutex> &lock);
    template <class Rep, class Period>
    [[nodiscard]] auto wait_async_for(std::unique_lock<mutex> &lock,
                                      const std::chrono::duration<Rep, Period> &duration);
#endif

    native_handle_type native_handle() noexcept
    {
        return &words_;
    }

  private:
    /* Returns HF_OK or HF_TIMEOUT. */
    template <class Mutex> hf_result wait_to(std::unique_lock<Mutex> &lock, std::int64_t deadline_ns)
    {
        if (!lock.owns_lock()) {
            detail::fail(HF_NOT_OWNER);
        }
        const hf_result result = detail::wait_on(&words_, lock.mutex()->native_handle(), deadline_ns);
        if (result != HF_TIMEOUT) {
            detail::check(result);
        }
        return result;
    }

    static std::cv_status status_of(hf_result result) noexcept
    {
        return result == HF_TIMEOUT ? std::cv_status::timeout : std::cv_status::no_timeout;
    }

    hf_condition words_;
};

static_assert(sizeof(condition) == sizeof(hf_condition) && std::is_standard_layout<condition>::value,
              "words only");

} // namespace holdfast

#endif
