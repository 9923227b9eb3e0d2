/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_ASYNC_H
#define HOLDFAST_ASYNC_H

#include <stddef.h>
#include <stdint.h>

#include "holdfast/barrier.h"
#include "holdfast/bool.h"
#include "holdfast/channel.h"
#include "holdfast/clock.h"
#include "holdfast/condition.h"
#include "holdfast/event.h"
#include "holdfast/latch.h"
#include "holdfast/mutex.h"
#include "holdfast/once.h"
#include "holdfast/recursive_mutex.h"
#include "holdfast/result.h"
#include "holdfast/rwlock.h"
#include "holdfast/semaphore.h"

#ifndef __EMSCRIPTEN__
#error "holdfast: async.h is for Emscripten programs, whose threads have an event loop"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Waits that end by a callback: for threads that must not block, above all the page. Link with --js-library
 * holdfast-library.js.
 *
 *   static void draw(hf_result result, void *scene)
 *   {
 *       if (result == HF_OK) {
 *           draw_scene(scene);
 *           hf_mutex_unlock(&scene_mutex);
 *       }
 *   }
 *
 *   hf_mutex_lock_async(&scene_mutex, draw, &scene, HF_FOREVER);
 *
 * Callable from: any thread that returns to its event loop: the page, Node's main thread, a pthread whose
 * start function has returned or that is the main thread under PROXY_TO_PTHREAD, a Wasm Worker. A pthread
 * does not end while a request of its is pending. No call here blocks.
 *
 * The callback is called once, by the thread that asked, from its event loop: never within the call that
 * asked. Its result is one that the function below names. With HF_TIMEOUT nothing is held, unless the
 * function says otherwise. A request without a limit gets HF_TIMEOUT iff the engine has no memory for a wait.
 * With HF_OK the thread holds the lock, during the callback and until C code of the thread unlocks it, in
 * this callback or later. All C code of a thread is one owner: hf_mutex_trylock returns HF_BUSY meanwhile,
 * and further requests wait for the unlock. A C++ exception that leaves a callback is thrown from the event
 * loop, and ends no other request.
 *
 * Order: the requests of one thread for one object are granted in the order asked; one that finds the lock
 * free gets it at once. The package's JavaScript may also wait in that thread, in the program's memory
 * (Mutex.at(wasmMemory, address)). Its requests have an order of their own; nothing is promised about the
 * order between the two. Among threads the event loop that has waited longest comes first (gate.h).
 *
 * deadline_ns: a time on hf_now_ns() (clock.h); HF_FOREVER for none. If it has passed: one attempt. The time
 * is never up early. The thread notices it between two tasks.
 *
 * Ends of threads: the requests of a pthread end with it, without callbacks. Other threads get what it waited
 * for.
 *
 * Memory: nobody may free an object while a request is pending for it. After the last one, the engine still
 * watches the object for about 100 ms, and takes the wakes of whatever is there then. So call
 * hf_async_forget before the memory is used for something else. */

/* The number of a request, unique in the program (until 2^32 were made). 0: no request was made, since the
 * thread has no timers (an audio worklet), or no memory was left; there will be no callback. */
typedef uint32_t hf_request;

typedef void (*hf_async_callback)(hf_result result, void *user_data);

/* Ends the request: there will be no callback, and nothing is held. Requires: the caller is the thread that
 * asked.
 * Returns false, and changes nothing, iff no such request of this thread is pending (it was called back, or
 * was ended), or it cannot be ended any more: an arrival at a barrier whose round is over, or a notified wait
 * for a condition, which only takes the mutex back. Then the callback comes, if it has not come yet. */
hf_bool hf_async_cancel(hf_request request);

/* Lets the request call another function, for a caller whose user_data ends before the callback comes. Call
 * this first, then hf_async_cancel: a request that cannot be cancelled would call the old function.
 * Requires: the caller is the thread that asked.
 * Returns false, and changes nothing, iff no such request of this thread is pending. */
hf_bool hf_async_redirect(hf_request request, hf_async_callback callback, void *user_data);

/* Ends this thread's requests for the objects that begin in these bytes, without callbacks. The engine then
 * no longer watches the objects. Every thread that has made a request for one of them must call this before
 * the memory is used for something else. A notified wait for a condition waits for the mutex: forgetting the
 * mutex ends it. */
void hf_async_forget(const void *begin, size_t bytes);

/* The comments below name the results that come to the callback.
 * HF_OK; HF_ABANDONED, with the lock held too (mutex.h); HF_TIMEOUT. */
hf_request hf_mutex_lock_async(hf_mutex *mutex, hf_async_callback callback, void *user_data,
                               int64_t deadline_ns);

/* HF_OK, with depth 1; HF_ABANDONED, with the lock held too; HF_TIMEOUT. The request waits even if its own
 * thread holds the mutex: only calls can be nested. */
hf_request hf_recursive_mutex_lock_async(hf_recursive_mutex *mutex, hf_async_callback callback,
                                         void *user_data, int64_t deadline_ns);

/* HF_OK; HF_ABANDONED, with the lock held too (rwlock.h); HF_TIMEOUT. */
hf_request hf_rwlock_lock_async(hf_rwlock *rwlock, hf_async_callback callback, void *user_data,
                                int64_t deadline_ns);

/* HF_OK; HF_ABANDONED, with nothing held; HF_TIMEOUT. */
hf_request hf_rwlock_lock_shared_async(hf_rwlock *rwlock, hf_async_callback callback, void *user_data,
                                       int64_t deadline_ns);

/* HF_OK; HF_ABANDONED, with nothing held; HF_TIMEOUT. */
hf_request hf_rwlock_lock_upgradable_async(hf_rwlock *rwlock, hf_async_callback callback, void *user_data,
                                           int64_t deadline_ns);

/* Begins with the thread's next turn: from then on no other thread locks in any mode. HF_OK: the caller is the
 * writer; HF_TIMEOUT, as after hf_async_cancel: it still holds the lock upgradable; HF_NOT_OWNER iff it does not
 * hold the lock upgradable, or has unlocked it meanwhile. */
hf_request hf_rwlock_upgrade_async(hf_rwlock *rwlock, hf_async_callback callback, void *user_data,
                                   int64_t deadline_ns);

/* HF_OK, with the permits; HF_OVERFLOW iff permits is 0 or more than max; HF_TIMEOUT. */
hf_request hf_semaphore_enter_async(hf_semaphore *semaphore, uint32_t permits, hf_async_callback callback,
                                    void *user_data, int64_t deadline_ns);

/* Releases the mutex within the call. deadline_ns limits the wait for the notify; the wait for the mutex has
 * no limit.
 * HF_OK or HF_TIMEOUT, both with the mutex held again; HF_ABANDONED, with the mutex held (condition.h).
 * Without a wait: HF_NOT_OWNER iff the caller does not hold the mutex; HF_OVERFLOW, with the mutex held as
 * before. After a notify: HF_NOT_OWNER iff the engine could not wait for the mutex. */
hf_request hf_condition_wait_async(hf_condition *condition, hf_mutex *mutex, hf_async_callback callback,
                                   void *user_data, int64_t deadline_ns);

/* HF_OK: it was set; HF_TIMEOUT. */
hf_request hf_event_wait_async(hf_event *event, hf_async_callback callback, void *user_data,
                               int64_t deadline_ns);

/* HF_OK: the count is 0; HF_TIMEOUT. */
hf_request hf_latch_wait_async(hf_latch *latch, hf_async_callback callback, void *user_data,
                               int64_t deadline_ns);

/* Arrives within the call. Requires: a barrier without a completion. HF_OK: all have arrived; HF_DONE: all
 * have, and the caller was the last; HF_TIMEOUT: the arrival is taken back, as by hf_async_cancel. */
hf_request hf_barrier_arrive_and_wait_async(hf_barrier *barrier, hf_async_callback callback, void *user_data,
                                            int64_t deadline_ns);

/* Sends a copy of the message, whose bytes must stay as they are until the callback comes or the request has
 * been ended. With anything but HF_OK nothing was sent.
 * HF_OK; HF_CLOSED, HF_OVERFLOW or HF_CORRUPT, as of hf_channel_send; HF_TIMEOUT. */
hf_request hf_channel_send_async(hf_channel *channel, const void *message, uint32_t size,
                                 hf_async_callback callback, void *user_data, int64_t deadline_ns);

/* Receives a message into `buffer`, and its size into *size: both must exist until the callback comes or the
 * request has been ended. To receive what else is there, the callback may call hf_channel_tryreceive until that
 * returns HF_BUSY. With anything but HF_OK nothing was received.
 * HF_OK; HF_CLOSED, HF_OVERFLOW or HF_CORRUPT, as of hf_channel_receive; HF_TIMEOUT. */
hf_request hf_channel_receive_async(hf_channel *channel, void *buffer, uint32_t capacity, uint32_t *size,
                                    hf_async_callback callback, void *user_data, int64_t deadline_ns);

/* HF_OK: the caller is to do the work, and then calls hf_once_end; HF_DONE: the work is done; HF_TIMEOUT. */
hf_request hf_once_begin_async(hf_once *once, hf_async_callback callback, void *user_data,
                               int64_t deadline_ns);

#ifdef __cplusplus
}
#endif
#endif
