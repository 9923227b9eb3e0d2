/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_ASYNC_HPP
#define HOLDFAST_ASYNC_HPP

#include "holdfast/async.h"
#include "holdfast/holdfast.hpp"

/* Waits of coroutines (C++20), by the callbacks of async.h: for threads that must not block, above all the
 * page. If the compiler or its library has no coroutines, as in Emscripten 3.1.6, this header only includes
 * async.h and holdfast.hpp.
 *
 *   static holdfast::mutex mutex;
 *
 *   task draw()
 *   {
 *       const std::unique_lock<holdfast::mutex> guard = co_await mutex.lock_async();
 *       draw_scene();
 *   }
 *
 * The classes declare the functions; `co_await` makes the request. Each gives:
 *   mutex, recursive_mutex, shared_mutex   a guard of the standard's, which holds the lock
 *   shared_mutex, upgradable               an upgrade_lock, the same
 *   upgrade_lock                           a std::unique_lock
 *   counting_semaphore, event, latch       nothing
 *   barrier without a completion           whether the caller was the last
 *   condition                              nothing, with the lock of the caller
 *   channel                                whether the message was sent, or received
 *   once                                   nothing, by call_once_async(), below
 * Functions whose names end in _for take a time limit, of any duration (holdfast.hpp), and say whether the
 * wait was granted: by a guard that holds nothing, false, or std::cv_status::timeout. 0 and less: one
 * attempt.
 *
 * Callable from: where async.h says, in a coroutine of any type. No call blocks. co_await always suspends,
 * even for a free lock. So requests are served in the order asked, and a loop of sections leaves room for the
 * page's other work. The coroutine goes on in the thread that asked, from its event loop; an exception that
 * it lets out is thrown from there.
 *
 * Errors: co_await throws std::system_error, as the blocking functions do: owner_dead, with nothing held,
 * but for the mutex of a condition; operation_not_supported iff the thread has no timers (async.h);
 * timed_out, also without a limit, iff the engine could not wait; then the lock of a condition may hold
 * nothing.
 *
 * Guards: a thread is the owner, not a coroutine. If another coroutine of the thread locks by a function
 * without _async, it waits for itself or gets an error. The thread that got a guard must destroy it; in
 * another thread that ends the program.
 *
 * Destroyed coroutines: a coroutine that is destroyed while it waits ends its request, as by hf_async_cancel,
 * and never goes on. A grant that comes all the same is given back: of a condition, another waiter is
 * released and the mutex is unlocked; of a barrier whose round is over, nothing is left to give. Requires:
 * the thread that asked destroys it.
 *
 * Memory: as in async.h. A coroutine that waits for what was forgotten (hf_async_forget) never goes on:
 * destroy it, before that or after. One that waits for a condition is destroyed before the condition is
 * forgotten, or its mutex is forgotten with it: a coroutine that the condition has released waits for the
 * mutex. */
#if defined(__cpp_impl_coroutine) && __has_include(<coroutine>)

#include <chrono>
#include <condition_variable>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <mutex>
#include <shared_mutex>
#include <system_error>
#include <type_traits>
#include <utility>

namespace holdfast
{
namespace detail
{

constexpr std::chrono::duration<double> without_limit(std::numeric_limits<double>::infinity());

inline void nothing_to_do(hf_result, void *)
{
}

/* A coroutine and its one request. The callback's data is in the coroutine's own frame: nothing is
 * allocated. */
class waiting
{
  public:
    waiting(const waiting &) = delete;
    waiting &operator=(const waiting &) = delete;

    bool await_ready() const noexcept
    {
        return false;
    }

  protected:
    waiting() = default;
    ~waiting()
    {
        if (is_suspended()) {
            leave(nothing_to_do, nullptr);
        }
    }

    /* `ask(callback, user_data)` makes the request, and returns its number. */
    template <class Ask> void suspend(std::coroutine_handle<> coroutine, Ask ask)
    {
        coroutine_ = coroutine; /* no callback comes within the call that asks */
        request_ = ask(go_on, this);
        if (request_ == 0) {
            coroutine_ = nullptr;
            fail(std::errc::operation_not_supported);
        }
    }

    bool is_suspended() const noexcept
    {
        return static_cast<bool>(coroutine_);
    }

    /* Ends the request. If it is too late to end, makes it call `callback` in place of the coroutine, and
     * returns true. */
    bool leave(hf_async_callback callback, void *user_data) noexcept
    {
        coroutine_ = nullptr;
        return hf_async_redirect(request_, callback, user_data) && !hf_async_cancel(request_);
    }

    hf_result result() const noexcept
    {
        return result_;
    }

  private:
    static void go_on(hf_result result, void *user_data)
    {
        waiting *self = static_cast<waiting *>(user_data);
        self->result_ = result;
        std::exchange(self->coroutine_, nullptr).resume();
    }

    std::coroutine_handle<> coroutine_;
    hf_request request_ = 0;
    hf_result result_ = HF_OK;
};

/* `take(result)` makes the result of co_await. */
template <class Words, class Take> class awaiter : public waiting
{
  public:
    using asks = hf_request(Words *, hf_async_callback, void *, std::int64_t);

    awaiter(Words *words, asks *ask, std::int64_t limit_ns, Take take)
        : words_(words), ask_(ask), limit_ns_(limit_ns), take_(std::move(take))
    {
    }

    void await_suspend(std::coroutine_handle<> coroutine)
    {
        suspend(coroutine, [this](hf_async_callback callback, void *user_data) {
            return ask_(words_, callback, user_data, deadline_in(limit_ns_));
        });
    }

    auto await_resume()
    {
        if (result() == HF_TIMEOUT && limit_ns_ == HF_FOREVER) {
            fail(HF_TIMEOUT);
        }
        return take_(result());
    }

  private:
    Words *words_;
    asks *ask_;
    std::int64_t limit_ns_;
    Take take_;
};

/* A send, or a receive. C writes the size of a received message into the coroutine's frame. `ask` makes the
 * request, `take(result, size)` the result of co_await. */
template <class Ask, class Take> class transfer_awaiter : public waiting
{
  public:
    transfer_awaiter(Ask ask, std::int64_t limit_ns, Take take) : ask_(ask), limit_ns_(limit_ns), take_(take)
    {
    }

    void await_suspend(std::coroutine_handle<> coroutine)
    {
        suspend(coroutine, [this](hf_async_callback callback, void *user_data) {
            return ask_(&size_, callback, user_data, deadline_in(limit_ns_));
        });
    }

    bool await_resume()
    {
        if (result() == HF_TIMEOUT && limit_ns_ == HF_FOREVER) {
            fail(HF_TIMEOUT);
        }
        return take_(result(), size_);
    }

  private:
    Ask ask_;
    std::int64_t limit_ns_;
    Take take_;
    std::uint32_t size_ = 0;
};

/* A wait of a condition. The caller's lock holds nothing meanwhile, so it unlocks nothing if the coroutine is
 * destroyed. `Take` as above. */
template <class Take> class condition_awaiter : public waiting
{
  public:
    condition_awaiter(hf_condition *condition, std::unique_lock<mutex> *lock, std::int64_t limit_ns,
                      Take take)
        : condition_(condition), lock_(lock), limit_ns_(limit_ns), take_(take)
    {
    }

    ~condition_awaiter()
    {
        if (is_suspended() && leave(unlock, mutex_)) {
            hf_condition_notify(condition_, 1); /* passes on the notify that it has consumed */
        }
    }

    void await_suspend(std::coroutine_handle<> coroutine)
    {
        mutex *held = lock_->mutex();
        if (!lock_->owns_lock() || !hf_mutex_is_mine(held->native_handle())) {
            fail(HF_NOT_OWNER);
        }
        mutex_ = held->native_handle();
        suspend(coroutine, [this](hf_async_callback callback, void *user_data) {
            return hf_condition_wait_async(condition_, mutex_, callback, user_data, deadline_in(limit_ns_));
        });
        if (hf_mutex_is_mine(mutex_)) { /* the condition is full: do not wait for the callback that says so */
            leave(nothing_to_do, nullptr);
            fail(HF_OVERFLOW);
        }
        lock_->release();
        *lock_ = std::unique_lock<mutex>(*held, std::defer_lock);
    }

    auto await_resume()
    {
        if (result() == HF_NOT_OWNER) {
            fail(HF_TIMEOUT);
        }
        *lock_ = std::unique_lock<mutex>(*lock_->mutex(), std::adopt_lock);
        if (result() != HF_TIMEOUT || limit_ns_ == HF_FOREVER) {
            check(result());
        }
        return take_(result());
    }

  private:
    /* Unlocks a mutex that was locked for a coroutine destroyed meanwhile. */
    static void unlock(hf_result result, void *words)
    {
        if (result != HF_NOT_OWNER) {
            hf_mutex_unlock(static_cast<hf_mutex *>(words));
        }
    }

    hf_condition *condition_;
    hf_mutex *mutex_ = nullptr;
    std::unique_lock<mutex> *lock_;
    std::int64_t limit_ns_;
    Take take_;
};

/* Returns the awaiter of a guard. If the result is HF_ABANDONED, `give_up` releases the lock. */
template <class Guard, class Words, class GiveUp>
auto guard_async(typename Guard::mutex_type &mutex,
                 hf_request (*ask)(Words *, hf_async_callback, void *, std::int64_t), GiveUp give_up,
                 std::int64_t limit_ns)
{
    Words *words = mutex.native_handle();
    return awaiter(words, ask, limit_ns, [&mutex, words, give_up](hf_result result) {
        return is_got(result, [=] { give_up(words); }) ? Guard(mutex, std::adopt_lock)
                                                       : Guard(mutex, std::defer_lock);
    });
}

inline void nothing_to_give_up(hf_rwlock *)
{
}

inline hf_request enter_async(hf_semaphore *semaphore, hf_async_callback callback, void *user_data,
                              std::int64_t deadline_ns)
{
    return hf_semaphore_enter_async(semaphore, 1, callback, user_data, deadline_ns);
}

/* Returns false iff the wait timed out, its only possible error. */
inline bool is_met(hf_result result)
{
    return is_got(result, [] {});
}

inline bool was_last(hf_result result)
{
    if (result == HF_DONE) {
        return true;
    }
    check(result);
    return false;
}

} // namespace detail

template <class Rep, class Period>
auto mutex::try_lock_async_for(const std::chrono::duration<Rep, Period> &duration)
{
    return detail::guard_async<std::unique_lock<mutex>>(*this, hf_mutex_lock_async, hf_mutex_unlock,
                                                        detail::ns_in(duration));
}

inline auto mutex::lock_async()
{
    return try_lock_async_for(detail::without_limit);
}

template <class Rep, class Period>
auto recursive_mutex::try_lock_async_for(const std::chrono::duration<Rep, Period> &duration)
{
    return detail::guard_async<std::unique_lock<recursive_mutex>>(
        *this, hf_recursive_mutex_lock_async, hf_recursive_mutex_unlock, detail::ns_in(duration));
}

inline auto recursive_mutex::lock_async()
{
    return try_lock_async_for(detail::without_limit);
}

template <class Rep, class Period>
auto shared_mutex::try_lock_async_for(const std::chrono::duration<Rep, Period> &duration)
{
    return detail::guard_async<std::unique_lock<shared_mutex>>(*this, hf_rwlock_lock_async, hf_rwlock_unlock,
                                                               detail::ns_in(duration));
}

inline auto shared_mutex::lock_async()
{
    return try_lock_async_for(detail::without_limit);
}

template <class Rep, class Period>
auto shared_mutex::try_lock_shared_async_for(const std::chrono::duration<Rep, Period> &duration)
{
    return detail::guard_async<std::shared_lock<shared_mutex>>(
        *this, hf_rwlock_lock_shared_async, detail::nothing_to_give_up, detail::ns_in(duration));
}

inline auto shared_mutex::lock_shared_async()
{
    return try_lock_shared_async_for(detail::without_limit);
}

template <class Rep, class Period>
auto shared_mutex::try_lock_upgrade_async_for(const std::chrono::duration<Rep, Period> &duration)
{
    return detail::guard_async<upgrade_lock<shared_mutex>>(
        *this, hf_rwlock_lock_upgradable_async, detail::nothing_to_give_up, detail::ns_in(duration));
}

inline auto shared_mutex::lock_upgrade_async()
{
    return try_lock_upgrade_async_for(detail::without_limit);
}

template <class Mutex>
template <class Rep, class Period>
auto upgrade_lock<Mutex>::try_upgrade_async_for(const std::chrono::duration<Rep, Period> &duration)
{
    check_owns();
    return detail::awaiter(mutex_->native_handle(), hf_rwlock_upgrade_async, detail::ns_in(duration),
                           [this](hf_result result) { return adopted(detail::is_got(result, [] {})); });
}

template <class Mutex> auto upgrade_lock<Mutex>::upgrade_async()
{
    return try_upgrade_async_for(detail::without_limit);
}

template <std::ptrdiff_t LeastMax> auto counting_semaphore<LeastMax>::acquire_async()
{
    return detail::awaiter(&words_, detail::enter_async, HF_FOREVER, detail::check);
}

template <std::ptrdiff_t LeastMax>
template <class Rep, class Period>
auto counting_semaphore<LeastMax>::try_acquire_async_for(const std::chrono::duration<Rep, Period> &duration)
{
    return detail::awaiter(&words_, detail::enter_async, detail::ns_in(duration), detail::is_met);
}

inline auto event::wait_async()
{
    return detail::awaiter(&words_, hf_event_wait_async, HF_FOREVER, detail::check);
}

template <class Rep, class Period>
auto event::wait_async_for(const std::chrono::duration<Rep, Period> &duration)
{
    return detail::awaiter(&words_, hf_event_wait_async, detail::ns_in(duration), detail::is_met);
}

inline auto latch::wait_async() const
{
    return detail::awaiter(&words_, hf_latch_wait_async, HF_FOREVER, detail::check);
}

template <class Rep, class Period>
auto latch::wait_async_for(const std::chrono::duration<Rep, Period> &duration) const
{
    return detail::awaiter(&words_, hf_latch_wait_async, detail::ns_in(duration), detail::is_met);
}

template <class Completion> auto barrier<Completion>::arrive_and_wait_async()
{
    static_assert(std::is_same_v<Completion, detail::no_completion>, "the barrier has a completion");
    return detail::awaiter(&words_, hf_barrier_arrive_and_wait_async, HF_FOREVER, detail::was_last);
}

template <std::uint32_t RingBytes>
template <class Rep, class Period>
auto channel<RingBytes>::send_async_for(const void *message, std::size_t size,
                                        const std::chrono::duration<Rep, Period> &duration)
{
    return detail::transfer_awaiter(
        [this, message, size](std::uint32_t *, hf_async_callback callback, void *user_data,
                              std::int64_t deadline_ns) {
            return hf_channel_send_async(&words_, message, clamped(size), callback, user_data, deadline_ns);
        },
        detail::ns_in(duration), [](hf_result result, std::uint32_t) { return is_done(result); });
}

template <std::uint32_t RingBytes> auto channel<RingBytes>::send_async(const void *message, std::size_t size)
{
    return send_async_for(message, size, detail::without_limit);
}

template <std::uint32_t RingBytes>
template <class Rep, class Period>
auto channel<RingBytes>::receive_async_for(void *buffer, std::size_t capacity, std::size_t &size,
                                           const std::chrono::duration<Rep, Period> &duration)
{
    return detail::transfer_awaiter(
        [this, buffer, capacity](std::uint32_t *bytes, hf_async_callback callback, void *user_data,
                                 std::int64_t deadline_ns) {
            return hf_channel_receive_async(&words_, buffer, clamped(capacity), bytes, callback, user_data,
                                            deadline_ns);
        },
        detail::ns_in(duration),
        [&size](hf_result result, std::uint32_t bytes) { return is_done(told(size, bytes, result)); });
}

template <std::uint32_t RingBytes>
auto channel<RingBytes>::receive_async(void *buffer, std::size_t capacity, std::size_t &size)
{
    return receive_async_for(buffer, capacity, size, detail::without_limit);
}

inline auto condition::wait_async(std::unique_lock<mutex> &lock)
{
    return detail::condition_awaiter(&words_, &lock, HF_FOREVER, [](hf_result) {});
}

template <class Rep, class Period>
auto condition::wait_async_for(std::unique_lock<mutex> &lock,
                               const std::chrono::duration<Rep, Period> &duration)
{
    return detail::condition_awaiter(&words_, &lock, detail::ns_in(duration), status_of);
}

/* As call_once() (once.hpp), but waits by the event loop while another thread does the work. `function` must
 * not be a coroutine. */
template <class Function> [[nodiscard]] auto call_once_async(once &flag, Function &&function)
{
    hf_once *words = flag.native_handle();
    return detail::awaiter(words, hf_once_begin_async, HF_FOREVER,
                           [words, call = std::forward<Function>(function)](hf_result begun) mutable {
                               if (begun == HF_DONE) {
                                   return;
                               }
                               detail::check(begun);
                               detail::once_turn turn(words);
                               std::move(call)();
                               turn.is_done = true;
                           });
}

} // namespace holdfast

#endif
#endif
