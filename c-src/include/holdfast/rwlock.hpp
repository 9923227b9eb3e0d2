/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_RWLOCK_HPP
#define HOLDFAST_RWLOCK_HPP

#include <chrono>
#include <cstdint>
#include <mutex>
#include <type_traits>
#include <utility>

#include "holdfast/deadline.hpp"
#include "holdfast/error.hpp"
#include "holdfast/rwlock.h"

namespace holdfast
{

/* hf_rwlock as a class with the standard's name: Lockable and TimedLockable, SharedLockable and
 * SharedTimedLockable, for std::shared_lock too. The upgradable mode has the names of Boost's UpgradeLockable.
 * Unlike with std::shared_mutex neither readers nor writers starve. Rules of all classes: holdfast.hpp. */
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

    /* Makes the caller, which holds it exclusively or upgradable, a reader: no writer gets in between. Ends the
     * program if the caller holds it in neither mode, or has not recovered it. With the standard's guards:
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

    /* Functions of the shared mode. A caller that holds it shared already may wait for itself.
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

    /* Functions of the upgradable mode: the caller reads beside others, and no other thread is the upgradable
     * reader or the writer. A caller that holds it shared must not lock it so: its upgrade would wait for itself.
     * unlock_upgrade() ends the program iff the caller does not hold it upgradable. */
    void lock_upgrade()
    {
        is_got_shared(hf_rwlock_lock_upgradable(&words_));
    }

    bool try_lock_upgrade()
    {
        return is_got_shared(hf_rwlock_trylock_upgradable(&words_));
    }

    template <class Rep, class Period>
    bool try_lock_upgrade_for(const std::chrono::duration<Rep, Period> &duration)
    {
        return is_got_shared(hf_rwlock_lock_upgradable_until(&words_, detail::deadline_after(duration)));
    }

    template <class Clock, class Duration>
    bool try_lock_upgrade_until(const std::chrono::time_point<Clock, Duration> &time)
    {
        return is_got_shared(detail::wait_until(time, [this](std::int64_t deadline_ns) {
            return hf_rwlock_lock_upgradable_until(&words_, deadline_ns);
        }));
    }

    void unlock_upgrade() noexcept // NOLINT(bugprone-exception-escape): as above
    {
        detail::check(hf_rwlock_unlock_upgradable(&words_));
    }

    /* Makes the upgradable reader the writer. Nobody has written since it locked; from this call on no other thread
     * locks in any mode. Blocks until the readers beside it have unlocked. Throws operation_not_permitted iff the
     * caller does not hold it upgradable. If one of the try_ functions returns false, the caller still does. */
    void unlock_upgrade_and_lock()
    {
        is_got_shared(hf_rwlock_upgrade(&words_));
    }

    bool try_unlock_upgrade_and_lock()
    {
        return is_got_shared(hf_rwlock_try_upgrade(&words_));
    }

    template <class Rep, class Period>
    bool try_unlock_upgrade_and_lock_for(const std::chrono::duration<Rep, Period> &duration)
    {
        return is_got_shared(hf_rwlock_upgrade_until(&words_, detail::deadline_after(duration)));
    }

    template <class Clock, class Duration>
    bool try_unlock_upgrade_and_lock_until(const std::chrono::time_point<Clock, Duration> &time)
    {
        return is_got_shared(detail::wait_until(time, [this](std::int64_t deadline_ns) {
            return hf_rwlock_upgrade_until(&words_, deadline_ns);
        }));
    }

    /* downgrade() by Boost's names. */
    void unlock_upgrade_and_lock_shared() noexcept
    {
        downgrade();
    }

    void unlock_and_lock_shared() noexcept
    {
        downgrade();
    }

#ifdef __cpp_impl_coroutine /* defined in async.hpp */
    /* co_await gives a std::unique_lock; from try_lock_async_for(), one that holds nothing iff the time was
     * up first. */
    [[nodiscard]] auto lock_async();
    template <class Rep, class Period>
    [[nodiscard]] auto try_lock_async_for(const std::chrono::duration<Rep, Period> &duration);
    /* In the shared mode co_await gives a std::shared_lock. */
    [[nodiscard]] auto lock_shared_async();
    template <class Rep, class Period>
    [[nodiscard]] auto try_lock_shared_async_for(const std::chrono::duration<Rep, Period> &duration);
    /* In the upgradable mode co_await gives an upgrade_lock. */
    [[nodiscard]] auto lock_upgrade_async();
    template <class Rep, class Period>
    [[nodiscard]] auto try_lock_upgrade_async_for(const std::chrono::duration<Rep, Period> &duration);
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

/* As std::unique_lock, but for the upgradable mode of `Mutex`: it owns the mutex, or does not, and unlocks it at its
 * end. Its upgrade gives a std::unique_lock.
 *
 *   holdfast::upgrade_lock<holdfast::shared_mutex> reader(table_mutex);
 *   if (lacks(table, key)) {
 *       const auto writer = reader.upgrade();
 *       add(table, key);
 *   }
 */
template <class Mutex> class upgrade_lock
{
  public:
    using mutex_type = Mutex;
    using writer_lock = std::unique_lock<Mutex>;

    upgrade_lock() noexcept = default;
    explicit upgrade_lock(Mutex &mutex) : mutex_(&mutex)
    {
        lock();
    }
    upgrade_lock(Mutex &mutex, std::defer_lock_t) noexcept : mutex_(&mutex)
    {
    }
    upgrade_lock(Mutex &mutex, std::try_to_lock_t) : mutex_(&mutex), owns_(mutex.try_lock_upgrade())
    {
    }
    upgrade_lock(Mutex &mutex, std::adopt_lock_t) noexcept : mutex_(&mutex), owns_(true)
    {
    }
    upgrade_lock(const upgrade_lock &) = delete;
    upgrade_lock &operator=(const upgrade_lock &) = delete;
    upgrade_lock(upgrade_lock &&other) noexcept : mutex_(other.mutex_), owns_(other.owns_)
    {
        other.release();
    }
    upgrade_lock &operator=(upgrade_lock &&other) noexcept
    {
        upgrade_lock(std::move(other)).swap(*this);
        return *this;
    }
    ~upgrade_lock()
    {
        if (owns_) {
            mutex_->unlock_upgrade();
        }
    }

    /* As those of std::unique_lock: operation_not_permitted without a mutex, resource_deadlock_would_occur if it owns
     * it already; unlock() throws operation_not_permitted if it does not own it. */
    void lock()
    {
        check_may_lock();
        mutex_->lock_upgrade();
        owns_ = true;
    }

    bool try_lock()
    {
        check_may_lock();
        return owns_ = mutex_->try_lock_upgrade();
    }

    template <class Rep, class Period> bool try_lock_for(const std::chrono::duration<Rep, Period> &duration)
    {
        check_may_lock();
        return owns_ = mutex_->try_lock_upgrade_for(duration);
    }

    template <class Clock, class Duration>
    bool try_lock_until(const std::chrono::time_point<Clock, Duration> &time)
    {
        check_may_lock();
        return owns_ = mutex_->try_lock_upgrade_until(time);
    }

    void unlock()
    {
        check_owns();
        mutex_->unlock_upgrade();
        owns_ = false;
    }

    /* As shared_mutex::unlock_upgrade_and_lock(). Afterwards the result owns the mutex, and this does not.
     * If the result of a try_ function owns nothing, this still does. */
    writer_lock upgrade()
    {
        check_owns();
        mutex_->unlock_upgrade_and_lock();
        return adopted(true);
    }

    writer_lock try_upgrade()
    {
        check_owns();
        return adopted(mutex_->try_unlock_upgrade_and_lock());
    }

    template <class Rep, class Period>
    writer_lock try_upgrade_for(const std::chrono::duration<Rep, Period> &duration)
    {
        check_owns();
        return adopted(mutex_->try_unlock_upgrade_and_lock_for(duration));
    }

    template <class Clock, class Duration>
    writer_lock try_upgrade_until(const std::chrono::time_point<Clock, Duration> &time)
    {
        check_owns();
        return adopted(mutex_->try_unlock_upgrade_and_lock_until(time));
    }

#ifdef __cpp_impl_coroutine /* defined in async.hpp */
    /* Upgrades by co_await. This lock must live, and own the mutex, until then. */
    [[nodiscard]] auto upgrade_async();
    template <class Rep, class Period>
    [[nodiscard]] auto try_upgrade_async_for(const std::chrono::duration<Rep, Period> &duration);
#endif

    void swap(upgrade_lock &other) noexcept
    {
        std::swap(mutex_, other.mutex_);
        std::swap(owns_, other.owns_);
    }

    Mutex *release() noexcept
    {
        Mutex *const mutex = mutex_;
        mutex_ = nullptr;
        owns_ = false;
        return mutex;
    }

    bool owns_lock() const noexcept
    {
        return owns_;
    }

    explicit operator bool() const noexcept
    {
        return owns_;
    }

    Mutex *mutex() const noexcept
    {
        return mutex_;
    }

  private:
    void check_may_lock() const
    {
        if (mutex_ == nullptr) {
            detail::fail(HF_NOT_OWNER);
        }
        if (owns_) {
            detail::fail(HF_DEADLOCK);
        }
    }

    void check_owns() const
    {
        if (!owns_) {
            detail::fail(HF_NOT_OWNER);
        }
    }

    writer_lock adopted(bool is_writer)
    {
        if (!is_writer) {
            return writer_lock(*mutex_, std::defer_lock);
        }
        owns_ = false;
        return writer_lock(*mutex_, std::adopt_lock);
    }

    Mutex *mutex_ = nullptr;
    bool owns_ = false;
};

} // namespace holdfast

#endif
