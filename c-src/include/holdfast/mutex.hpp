/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_MUTEX_HPP
#define HOLDFAST_MUTEX_HPP

#include <chrono>
#include <mutex>
#include <type_traits>
#include <utility>

#include "holdfast/deadline.hpp"
#include "holdfast/error.hpp"
#include "holdfast/mutex.h"

namespace holdfast
{

/* hf_mutex as a class: BasicLockable, Lockable and TimedLockable, for std::lock_guard, unique_lock,
 * scoped_lock, std::lock and std::condition_variable_any. Rules of all classes: holdfast.hpp. */
class mutex
{
  public:
    using native_handle_type = hf_mutex *;

    constexpr mutex() noexcept : words_()
    {
    }
    mutex(const mutex &) = delete;
    mutex &operator=(const mutex &) = delete;

    /* Locks it. Blocks, without limit.
     * Throws, with nothing acquired: resource_deadlock_would_occur iff the caller holds it already;
     * owner_dead iff it is abandoned. It stays abandoned until recover(). */
    void lock()
    {
        is_got(hf_mutex_lock(&words_));
    }

    /* Never blocks. Returns whether the caller has acquired it; false if it holds it already. Throws
     * owner_dead, as above. */
    bool try_lock()
    {
        return is_got(hf_mutex_trylock(&words_));
    }

    /* Block until the caller has acquired it, or the time is up. Return whether it has. Throw as lock()
     * does. */
    template <class Rep, class Period> bool try_lock_for(const std::chrono::duration<Rep, Period> &duration)
    {
        return is_got(hf_mutex_lock_until(&words_, detail::deadline_after(duration)));
    }

    template <class Clock, class Duration>
    bool try_lock_until(const std::chrono::time_point<Clock, Duration> &time)
    {
        return is_got(detail::wait_until(
            time, [this](std::int64_t deadline_ns) { return hf_mutex_lock_until(&words_, deadline_ns); }));
    }

    /* Unlocks it. Never blocks. Ends the program iff the caller does not hold it: the standard's unlock()
     * throws nothing. */
    void unlock() noexcept // NOLINT(bugprone-exception-escape): so that std::terminate() says which error
    {
        detail::check(hf_mutex_unlock(&words_));
    }

    /* Repairs an abandoned mutex: locks it, runs repair(), which restores the data, marks the mutex as
     * recovered and unlocks it. If it is not abandoned, only locks and unlocks it. If repair() throws, the
     * mutex stays abandoned, and the exception goes to the caller.
     * Blocks as lock() does, and throws resource_deadlock_would_occur. Returns whether it was abandoned. A
     * page, which must not block, repairs by hf_mutex_trylock and hf_mutex_recover of native_handle(). */
    template <class Repair> bool recover(Repair &&repair)
    {
        return detail::recover_locked(
            *this, hf_mutex_lock(&words_), [this] { return hf_mutex_recover(&words_); },
            std::forward<Repair>(repair));
    }

#ifdef __cpp_impl_coroutine /* defined in async.hpp */
    /* co_await gives a std::unique_lock; from try_lock_async_for(), one that holds nothing iff the time was
     * up first. */
    [[nodiscard]] auto lock_async();
    template <class Rep, class Period>
    [[nodiscard]] auto try_lock_async_for(const std::chrono::duration<Rep, Period> &duration);
#endif

    /* The mutex in C, for the functions of mutex.h and for JavaScript. */
    native_handle_type native_handle() noexcept
    {
        return &words_;
    }

  private:
    bool is_got(hf_result result)
    {
        return detail::is_got(result, [this] { hf_mutex_unlock(&words_); });
    }

    hf_mutex words_;
};

static_assert(sizeof(mutex) == sizeof(hf_mutex) && std::is_standard_layout<mutex>::value, "words only");

} // namespace holdfast

#endif
