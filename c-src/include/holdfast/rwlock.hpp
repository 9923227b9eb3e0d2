/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_RWLOCK_HPP
#define HOLDFAST_RWLOCK_HPP

#include <chrono>
#include <mutex>
#include <type_traits>
#include <utility>

#include "holdfast/deadline.hpp"
#include "holdfast/error.hpp"
#include "holdfast/rwlock.h"

namespace holdfast
{

/* hf_rwlock as a class with the standard's name: Lockable and TimedLockable, SharedLockable and
 * SharedTimedLockable, for std::shared_lock too. Unlike with std::shared_mutex neither readers nor writers
 * starve. Rules of all classes: holdfast.hpp. */
class shared_mutex
{
  public:
    using native_handle_type = hf_rwlock *;

    constexpr shared_mutex() noexcept : words_()
    {
    }
    shared_mutex(const shared_mutex &) = delete;
    shared_mutex &operator=(const shared_mutex &) = delete;

    /* The functions of mutex (mutex.hpp), in the exclusive mode. A caller that holds it shared waits for
     * itself. */
    void lock()
    {
        is_got(hf_rwlock_lock(&words_));
    }

    bool try_lock()
    {
        return is_got(hf_rwlock_trylock(&words_));
    }

    template <class Rep, class Period> bool try_lock_for(const std::chrono::duration<Rep, Period> &duration)
    {
        return is_got(hf_rwlock_lock_until(&words_, detail::deadline_after(duration)));
    }

    template <class Clock, class Duration>
    bool try_lock_until(const std::chrono::time_point<Clock, Duration> &time)
    {
        return is_got(detail::wait_until(
            time, [this](std::int64_t deadline_ns) { return hf_rwlock_lock_until(&words_, deadline_ns); }));
    }

    void unlock() noexcept // NOLINT(bugprone-exception-escape): so that std::terminate() says which error
    {
        detail::check(hf_rwlock_unlock(&words_));
    }

    /* Makes the caller, which holds it exclusively, a reader: no writer gets in between. Ends the program if the
     * caller does not hold it so, or has not recovered it. With the standard's guards:
     *   writer.mutex()->downgrade();
     *   std::shared_lock<holdfast::shared_mutex> reader(*writer.release(), std::adopt_lock); */
    void downgrade() noexcept // NOLINT(bugprone-exception-escape): as above
    {
        detail::check(hf_rwlock_downgrade(&words_));
    }

    template <class Repair> bool recover(Repair &&repair)
    {
        return detail::recover_locked(
            *this, hf_rwlock_lock(&words_), [this] { return hf_rwlock_recover(&words_); },
            std::forward<Repair>(repair));
    }

    /* The same functions in the shared mode. A caller that holds it shared already may wait for itself.
     * unlock_shared() ends the program iff no thread holds it shared. */
    void lock_shared()
    {
        is_got_shared(hf_rwlock_lock_shared(&words_));
    }

    bool try_lock_shared()
    {
        return is_got_shared(hf_rwlock_trylock_shared(&words_));
    }

    template <class Rep, class Period>
    bool try_lock_shared_for(const std::chrono::duration<Rep, Period> &duration)
    {
        return is_got_shared(hf_rwlock_lock_shared_until(&words_, detail::deadline_after(duration)));
    }

    template <class Clock, class Duration>
    bool try_lock_shared_until(const std::chrono::time_point<Clock, Duration> &time)
    {
        return is_got_shared(detail::wait_until(time, [this](std::int64_t deadline_ns) {
            return hf_rwlock_lock_shared_until(&words_, deadline_ns);
        }));
    }

    void unlock_shared() noexcept // NOLINT(bugprone-exception-escape): as above
    {
        detail::check(hf_rwlock_unlock_shared(&words_));
    }

#ifdef __cpp_impl_coroutine /* defined in async.hpp */
    /* co_await gives a std::unique_lock; from try_lock_async_for(), one that holds nothing iff the time was
     * up first. */
    [[nodiscard]] auto lock_async();
    template <class Rep, class Period>
    [[nodiscard]] auto try_lock_async_for(const std::chrono::duration<Rep, Period> &duration);
    /* The same in the shared mode, with a std::shared_lock. */
    [[nodiscard]] auto lock_shared_async();
    template <class Rep, class Period>
    [[nodiscard]] auto try_lock_shared_async_for(const std::chrono::duration<Rep, Period> &duration);
#endif

    native_handle_type native_handle() noexcept
    {
        return &words_;
    }

  private:
    bool is_got(hf_result result)
    {
        return detail::is_got(result, [this] { hf_rwlock_unlock(&words_); });
    }

    static bool is_got_shared(hf_result result)
    {
        return detail::is_got(result, [] {}); /* an abandoned one is not held */
    }

    hf_rwlock words_;
};

static_assert(sizeof(shared_mutex) == sizeof(hf_rwlock) && std::is_standard_layout<shared_mutex>::value,
              "words only");

} // namespace holdfast

#endif
