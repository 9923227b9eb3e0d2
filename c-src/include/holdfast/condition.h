/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_CONDITION_H
#define HOLDFAST_CONDITION_H

#include <stdint.h>

#include "holdfast/mutex.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A condition: threads that hold a mutex wait until another thread has changed what it guards. Rules of all
 * headers: holdfast.h.
 *
 *   hf_mutex_lock(&mutex);
 *   while (queue_is_empty(&queue)) {
 *       hf_condition_wait(&not_empty, &mutex);
 *   }
 *   take_from(&queue);
 *   hf_mutex_unlock(&mutex);
 *
 * Storage: 16 bytes, 8-aligned; all-zero is valid. It may be freed after hf_condition_destroy, or when all
 * waits have returned. A notify that has released one of these waits may still be running then: it does not
 * touch the condition any more.
 *
 * Promise: a notify releases `count` threads, if so many wait, and only threads that began to wait before it.
 * Released blocking threads wake one after the other, each when the one before has the mutex, or finds that
 * another thread has it.
 *
 * Spurious: a wait returns HF_OK without a notify in two cases only: a thread has died while it waited
 * (next paragraph); or a coroutine was destroyed after its wait had ended, while it waited for the mutex
 * (async.hpp).
 *
 * Death: a thread that dies while it waits stays counted as a waiter, since it looks like one that is late.
 * It takes no notify from a living one. But a notify that may release more threads than live counts the dead
 * as released. For each dead thread counted in this way, a later notify may release one thread more than its
 * `count`. So wait in a loop. Before a program ends a waiting worker, it should end the wait: set a flag that
 * the loop reads, and notify all. When no thread waits any more, zeroing resets the condition.
 *
 * Source: glibc since 2.25 has groups of waiters that cannot steal from each other (T. Riegel; bug 25847). */
typedef struct hf_condition {
    uint64_t word __attribute__((aligned(8))); /* the waiters, and how many are released; see condition.c */
    uint32_t line;                             /* only waited on; always 0 */
    uint32_t inside;                           /* how many C threads will still touch it */
} hf_condition;

/* The most waiters at a time. */
enum { HF_CONDITION_MOST_WAITERS = (1 << 18) - 1 };

/* Releases the mutex, waits for a notify, and locks the mutex again. No notify after the release of the
 * mutex is lost.
 * Blocks: until it is notified and holds the mutex.
 * Returns HF_OK, with the mutex.
 * Without a wait, with the mutex as it was: HF_NOT_OWNER iff the caller does not hold the mutex;
 * HF_OVERFLOW iff HF_CONDITION_MOST_WAITERS wait already.
 * HF_ABANDONED, with the mutex, iff the mutex is abandoned: a thread that held it meanwhile has died, or the
 * caller had not recovered it (mutex.h). The caller is not told whether it was notified. */
hf_result hf_condition_wait(hf_condition *condition, hf_mutex *mutex);

/* As hf_condition_wait, but gives up the wait for a notify at deadline_ns: HF_TIMEOUT, with the mutex, for
 * which it waits without limit. HF_TIMEOUT uses up no notify. */
hf_result hf_condition_wait_until(hf_condition *condition, hf_mutex *mutex, int64_t deadline_ns);

/* Releases up to `count` of the present waiters; HF_CONDITION_ALL: all. Never blocks. Requires: the caller
 * changed what the waiters wait for with the mutex held. A caller that has unlocked the mutex saves the woken
 * thread a second sleep, for the mutex. All that the caller did before is visible to the waiters that it
 * releases.
 * Returns how many waiters it released: each is one wait that does not time out, unless its thread has died
 * (above), or its coroutine is destroyed before it goes on. In the latter case another waiter is released,
 * which is not counted again. */
uint32_t hf_condition_notify(hf_condition *condition, uint32_t count);
#define HF_CONDITION_ALL UINT32_MAX

/* Waits until all notified C threads are out of it. After that it may be freed or used again. As in POSIX and
 * C++, this may be called right after a notify of all, when nobody begins to wait any more. Notified threads
 * may still wait for the mutex, which the caller may hold.
 * Blocks: until each of these threads has run once more, one after the other; for ever if one died in its
 * wait, because its worker was terminated. A page may call it (holdfast.h).
 * Requires: all waiters were notified; one thread at a time destroys it; the waits of JavaScript threads,
 * which it does not wait for, have ended. */
void hf_condition_destroy(hf_condition *condition);

/* As hf_condition_destroy, but gives up at deadline_ns: for programs that terminate workers. Returns HF_OK,
 * or HF_TIMEOUT: a thread is still inside, perhaps a dead one. */
hf_result hf_condition_destroy_until(hf_condition *condition, int64_t deadline_ns);

#ifdef __cplusplus
}
#endif
#endif
