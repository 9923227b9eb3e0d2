/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_RECURSIVE_MUTEX_HPP
#define HOLDFAST_RECURSIVE_MUTEX_HPP

#include <chrono>
#include <cstdint>
#include <mutex>
#include <type_traits>
#include <utility>

#include "holdfast/deadline.hpp"
#include "holdfast/error.hpp"
#include "holdfast/recursive_mutex.h"

namespace holdfast
{

/* hf_recursive_mutex as a class, with the contract of std::recursive_timed_mutex: Lockable and
 * TimedLockable. Rules of all classes: holdfast.hpp. */
class recursive_mutex
{
  public:
    using native_handle_type = hf_recursive_mutex *;

    /* The greatest depth. */
    static constexpr std::uint32_t max_depth() noexcept
    {
        return HF_RECURSIVE_MUTEX_MOST;
    }

    constexpr recursive_mutex() noexcept : words_()
    {
    }
    recursive_mutex(const recursive_mutex &) = delete;
    recursive_mutex &operator=(const recursive_mutex &) = delete;

    /* Locks it, or adds 1 to the depth if the caller holds it. Blocks, without limit; never if the caller
     * holds it already.
     * Throws, with the depth as it was: value_too_large iff the depth is the greatest; owner_dead iff the
     * mutex is abandoned. It stays abandoned until recover(). */
    void lock()
    {
        is_got(hf_recursive_mutex_lock(&words_));
    }

    /* Never blocks. Returns whether the caller has acquired it, or acquired it once more; false, as the
     * standard has it, if the depth is the greatest. Throws owner_dead, as above. */
    bool try_lock()
    {
        return is_tried(hf_recursive_mutex_trylock(&words_));
    }

    /* Block until the caller has acquired it, or the time is up. Return and throw as try_lock() does. */
    template <class Rep, class Period> bool try_lock_for(const std::chrono::duration<Rep, Period> &duration)
    {
        return is_tried(hf_recursive_mutex_lock_until(&words_, detail::deadline_after(duration)));
    }

    template <class Clock, class Duration>
    bool try_lock_until(const std::chrono::time_point<Clock, Duration> &time)
    {
        return is_tried(detail::wait_until(time, [this](std::int64_t deadline_ns) {
            return hf_recursive_mutex_lock_until(&words_, deadline_ns);
        }));
    }

    /* Undoes one lock; the last one releases the mutex. Never blocks. Ends the program iff the caller does
     * not hold it. */
    void unlock() noexcept // NOLINT(bugprone-exception-escape): so that std::terminate() says which error
    {
        detail::check(hf_recursive_mutex_unlock(&words_));
    }

    /* Never blocks. Returns the caller's depth: 0 iff it does not hold it. */
    std::uint32_t depth() const noexcept
    {
        return hf_recursive_mutex_depth(&words_);
    }

    /* As mutex::recover() (mutex.hpp). repair() may lock it again. Returns false to a caller that holds it
     * already: the mutex is not abandoned, or the caller is repairing it. */
    template <class Repair> bool recover(Repair &&repair)
    {
        return detail::recover_locked(
            *this, hf_recursive_mutex_lock(&words_), [this] { return hf_recursive_mutex_recover(&words_); },
            std::forward<Repair>(repair));
    }

#ifdef __cpp_impl_coroutine /* defined in async.hpp */
    /* co_await gives a std::unique_lock of depth 1. That of try_lock_async_for() is empty iff the time ran out
     * first. Both functions wait even if the caller holds the mutex: they add no level. */
    [[nodiscard]] auto lock_async();
    template <class Rep, class Period>
    [[nodiscard]] auto try_lock_async_for(const std::chrono::duration<Rep, Period> &duration);
#endif

    /* The mutex in C, for the functions of recursive_mutex.h and for JavaScript. */
    native_handle_type native_handle() noexcept
    {
        return &words_;
    }

  private:
    bool is_got(hf_result result)
    {
        return detail::is_got(result, [this] { hf_recursive_mutex_unlock(&words_); });
    }

    bool is_tried(hf_result result)
    {
        return result != HF_OVERFLOW && is_got(result);
    }

    hf_recursive_mutex words_;
};

static_assert(sizeof(recursive_mutex) == sizeof(hf_recursive_mutex) &&
                  std::is_standard_layout<recursive_mutex>::value,
              "words only");

} // namespace holdfast

#endif
