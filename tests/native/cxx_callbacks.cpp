/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include "cxx_callbacks.hpp"

#include <algorithm>
#include <memory>

callbacks_here callbacks;

/* A deadline in the past: one attempt. */
enum { AT_ONCE = 0 };

static hf_result or_busy(hf_result result)
{
    return result == HF_TIMEOUT || result == HF_DEADLOCK ? HF_BUSY : result;
}

/* A wait that acquires by `take`; `give` releases it again. */
template <class Take, class Give> class wait_to_take : public callbacks_here::wait
{
  public:
    wait_to_take(const void *object, Take take, Give give, bool is_held_abandoned)
        : object_(object), take_(take), give_(give), is_held_abandoned_(is_held_abandoned)
    {
    }
    hf_result step() override
    {
        return or_busy(take_());
    }
    bool end(hf_result result) override
    {
        if (result == HF_OK || (result == HF_ABANDONED && is_held_abandoned_)) {
            give_();
        }
        return true;
    }
    const void *about() const override
    {
        return object_;
    }

  private:
    const void *object_;
    Take take_;
    Give give_;
    bool is_held_abandoned_;
};

template <class Take, class Give>
static hf_request ask_for(const void *object, Take take, Give give, bool is_held_abandoned,
                          hf_async_callback callback, void *user_data, std::int64_t deadline_ns)
{
    return callbacks.ask(callback, user_data, deadline_ns,
                         std::make_unique<wait_to_take<Take, Give>>(object, take, give, is_held_abandoned));
}

/* The library's function that takes an arrival back, unless its round is over (c-src/barrier.h). */
extern "C" hf_result hf__barrier_give_up(hf_barrier *barrier, uint32_t round);

class wait_at_barrier : public callbacks_here::wait
{
  public:
    explicit wait_at_barrier(hf_barrier *barrier)
        : barrier_(barrier), round_(hf_barrier_arrive(barrier, nullptr)), is_last_(is_over())
    {
    }
    hf_result step() override
    {
        return is_last_ ? HF_DONE : is_over() ? HF_OK : HF_BUSY;
    }
    bool end(hf_result) override
    {
        return hf__barrier_give_up(barrier_, round_) == HF_TIMEOUT;
    }
    const void *about() const override
    {
        return barrier_;
    }

  private:
    bool is_over() const
    {
        return hf_barrier_wait_until(barrier_, round_, AT_ONCE) == HF_OK;
    }

    hf_barrier *barrier_;
    hf_barrier_token round_;
    bool is_last_;
};

/* The number of waiters of the one condition, on which no blocking thread waits. */
static uint32_t waiters;
static uint32_t grants;

class wait_for_notify : public callbacks_here::wait
{
  public:
    wait_for_notify(hf_condition *condition, hf_mutex *mutex) : condition_(condition), mutex_(mutex)
    {
        waiters += 1;
        hf_mutex_unlock(mutex);
    }
    hf_result step() override
    {
        return is_notified() ? retake() : HF_BUSY;
    }
    /* A notified wait cannot be ended: it takes the mutex back in any case. */
    bool end(hf_result) override
    {
        const bool ends = !is_notified();
        waiters -= ends;
        return ends;
    }
    /* The wait for the mutex has no limit. It is given up only if the engine cannot wait. */
    hf_result give_up() override
    {
        const bool was_over = is_notified();
        if (!was_over) {
            leave(HF_TIMEOUT);
        }
        const hf_result got = retake();
        return was_over && got == HF_BUSY ? HF_NOT_OWNER : got;
    }
    const void *about() const override
    {
        return is_over_ ? static_cast<const void *>(mutex_) : condition_;
    }

  private:
    void leave(hf_result result)
    {
        waiters -= 1;
        is_over_ = true;
        result_ = result;
    }
    bool is_notified()
    {
        if (!is_over_ && grants != 0) {
            grants -= 1;
            leave(HF_OK);
        }
        return is_over_;
    }
    hf_result retake()
    {
        const hf_result locked = hf_mutex_trylock(mutex_);
        return locked == HF_OK ? result_ : locked;
    }

    hf_condition *condition_;
    hf_mutex *mutex_;
    bool is_over_ = false;
    hf_result result_ = HF_BUSY;
};

class no_wait : public callbacks_here::wait
{
  public:
    no_wait(hf_condition *condition, hf_result result) : condition_(condition), result_(result)
    {
    }
    hf_result step() override
    {
        return result_;
    }
    bool end(hf_result) override
    {
        return true;
    }
    const void *about() const override
    {
        return condition_;
    }

  private:
    hf_condition *condition_;
    hf_result result_;
};

extern "C" {

bool hf_async_cancel(hf_request request)
{
    return callbacks.cancel(request);
}

bool hf_async_redirect(hf_request request, hf_async_callback callback, void *user_data)
{
    return callbacks.redirect(request, callback, user_data);
}

hf_request hf_mutex_lock_async(hf_mutex *mutex, hf_async_callback callback, void *user_data,
                               std::int64_t deadline_ns)
{
    return ask_for(
        mutex, [=] { return hf_mutex_trylock(mutex); }, [=] { hf_mutex_unlock(mutex); }, true, callback,
        user_data, deadline_ns);
}

hf_request hf_recursive_mutex_lock_async(hf_recursive_mutex *mutex, hf_async_callback callback,
                                         void *user_data, std::int64_t deadline_ns)
{
    const auto take = [=] {
        return hf_recursive_mutex_is_mine(mutex) ? HF_BUSY : hf_recursive_mutex_trylock(mutex);
    };
    return ask_for(
        mutex, take, [=] { hf_recursive_mutex_unlock(mutex); }, true, callback, user_data, deadline_ns);
}

hf_request hf_rwlock_lock_async(hf_rwlock *rwlock, hf_async_callback callback, void *user_data,
                                std::int64_t deadline_ns)
{
    return ask_for(
        rwlock, [=] { return hf_rwlock_trylock(rwlock); }, [=] { hf_rwlock_unlock(rwlock); }, true, callback,
        user_data, deadline_ns);
}

hf_request hf_rwlock_lock_shared_async(hf_rwlock *rwlock, hf_async_callback callback, void *user_data,
                                       std::int64_t deadline_ns)
{
    return ask_for(
        rwlock, [=] { return hf_rwlock_trylock_shared(rwlock); }, [=] { hf_rwlock_unlock_shared(rwlock); },
        false, callback, user_data, deadline_ns);
}

hf_request hf_rwlock_lock_upgradable_async(hf_rwlock *rwlock, hf_async_callback callback, void *user_data,
                                           std::int64_t deadline_ns)
{
    return ask_for(
        rwlock, [=] { return hf_rwlock_trylock_upgradable(rwlock); },
        [=] { hf_rwlock_unlock_upgradable(rwlock); }, false, callback, user_data, deadline_ns);
}

/* The library calls back in the same step in which it upgrades, so an upgrade need not be undone. */
hf_request hf_rwlock_upgrade_async(hf_rwlock *rwlock, hf_async_callback callback, void *user_data,
                                   std::int64_t deadline_ns)
{
    return ask_for(
        rwlock, [=] { return hf_rwlock_try_upgrade(rwlock); }, [] {}, false, callback, user_data,
        deadline_ns);
}

hf_request hf_semaphore_enter_async(hf_semaphore *semaphore, uint32_t permits, hf_async_callback callback,
                                    void *user_data, std::int64_t deadline_ns)
{
    return ask_for(
        semaphore, [=] { return hf_semaphore_tryenter(semaphore, permits); },
        [=] { hf_semaphore_leave(semaphore, permits); }, false, callback, user_data, deadline_ns);
}

hf_request hf_event_wait_async(hf_event *event, hf_async_callback callback, void *user_data,
                               std::int64_t deadline_ns)
{
    return ask_for(
        event, [=] { return hf_event_wait_until(event, AT_ONCE); }, [=] { hf_event_set(event); }, false,
        callback, user_data, deadline_ns);
}

hf_request hf_latch_wait_async(hf_latch *latch, hf_async_callback callback, void *user_data,
                               std::int64_t deadline_ns)
{
    return ask_for(
        latch, [=] { return hf_latch_wait_until(latch, AT_ONCE); }, [] {}, false, callback, user_data,
        deadline_ns);
}

hf_request hf_channel_send_async(hf_channel *channel, const void *message, uint32_t size,
                                 hf_async_callback callback, void *user_data, std::int64_t deadline_ns)
{
    return ask_for(
        channel, [=] { return hf_channel_trysend(channel, message, size); }, [] {}, false, callback,
        user_data, deadline_ns);
}

hf_request hf_channel_receive_async(hf_channel *channel, void *buffer, uint32_t capacity, uint32_t *size,
                                    hf_async_callback callback, void *user_data, std::int64_t deadline_ns)
{
    return ask_for(
        channel, [=] { return hf_channel_tryreceive(channel, buffer, capacity, size); }, [] {}, false,
        callback, user_data, deadline_ns);
}

hf_request hf_once_begin_async(hf_once *once, hf_async_callback callback, void *user_data,
                               std::int64_t deadline_ns)
{
    return ask_for(
        once, [=] { return hf_once_begin_until(once, AT_ONCE); }, [=] { hf_once_end(once, false); }, false,
        callback, user_data, deadline_ns);
}

hf_request hf_barrier_arrive_and_wait_async(hf_barrier *barrier, hf_async_callback callback, void *user_data,
                                            std::int64_t deadline_ns)
{
    if (!callbacks.has_timers) {
        return 0;
    }
    return callbacks.ask(callback, user_data, deadline_ns, std::make_unique<wait_at_barrier>(barrier));
}

uint32_t __real_hf_condition_notify(hf_condition *condition, uint32_t count);
uint32_t __wrap_hf_condition_notify(hf_condition *condition, uint32_t count)
{
    callbacks.notifies += 1;
    grants += std::min(count, waiters - grants);
    return __real_hf_condition_notify(condition, count);
}

hf_request hf_condition_wait_async(hf_condition *condition, hf_mutex *mutex, hf_async_callback callback,
                                   void *user_data, std::int64_t deadline_ns)
{
    if (!callbacks.has_timers) {
        return 0;
    }
    if (callbacks.is_full || !hf_mutex_is_mine(mutex)) {
        const hf_result result = callbacks.is_full ? HF_OVERFLOW : HF_NOT_OWNER;
        return callbacks.ask(callback, user_data, deadline_ns, std::make_unique<no_wait>(condition, result));
    }
    return callbacks.ask(callback, user_data, deadline_ns,
                         std::make_unique<wait_for_notify>(condition, mutex));
}
}
