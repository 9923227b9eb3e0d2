/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_RECURSIVE_MUTEX_H
#define HOLDFAST_RECURSIVE_MUTEX_H

#include <stdint.h>

#include "holdfast/bool.h"
#include "holdfast/condition.h"
#include "holdfast/mutex.h"
#include "holdfast/result.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A recursive mutex: a mutex whose owner may lock it again, as PTHREAD_MUTEX_RECURSIVE. It becomes free when
 * it was unlocked as often as it was locked. In JavaScript it is a RecursiveMutex. Rules of all headers:
 * holdfast.h.
 *
 *   static hf_recursive_mutex mutex;
 *
 *   void push(int value)
 *   {
 *       hf_recursive_mutex_lock(&mutex);
 *       stack[size++] = value;
 *       hf_recursive_mutex_unlock(&mutex);
 *   }
 *   void push_two(void)
 *   {
 *       hf_recursive_mutex_lock(&mutex);
 *       push(1); // which locks it again
 *       push(2);
 *       hf_recursive_mutex_unlock(&mutex);
 *   }
 *
 * Depth: how often its owner has locked it and not yet unlocked it, at most HF_RECURSIVE_MUTEX_MOST.
 *
 * Storage: 24 bytes, 8-aligned; all-zero is valid and unlocked. When it may be freed, fairness, death and
 * two languages in one thread are as with hf_mutex (mutex.h).
 *
 * Cost: the first lock and the last unlock are those of hf_mutex and a store. The others are a load and a
 * store, without an atomic read-modify-write.
 *
 * Abandoned: as with hf_mutex. The new owner has depth 1, whatever the dead one had. It may lock the mutex
 * again before it recovers it, and gets HF_OK then. hf_recursive_mutex_recover is one call at any depth,
 * and leaves the depth as it is. If the last unlock comes without a recovery, the next caller gets
 * HF_ABANDONED again.
 *
 * A thread may lock the mutex inside as an hf_mutex, for example the page by the glue's Mutex. It then has
 * depth 1. It may lock the recursive mutex again, and unlock it as often, before it unlocks the mutex
 * inside. */
typedef struct hf_recursive_mutex {
    hf_mutex mutex;
    uint32_t depth; /* the depth less 1; only the owner reads and writes it */
    uint32_t reserved;
} hf_recursive_mutex;

/* The greatest depth. */
#define HF_RECURSIVE_MUTEX_MOST INT32_MAX

/* Locks it, or adds 1 to the depth if the caller holds it.
 * Blocks: until the caller holds it; never if it holds it already.
 * Returns HF_OK; HF_ABANDONED (above); or HF_OVERFLOW iff the caller's depth is the greatest. */
static inline hf_result hf_recursive_mutex_lock(hf_recursive_mutex *mutex);

/* Locks it if that is possible at once. Never blocks.
 * Returns HF_OK, HF_ABANDONED or HF_OVERFLOW as above; or HF_BUSY iff another thread holds it, or it is
 * reserved for a waiter (hf_mutex_trylock says for how long). */
static inline hf_result hf_recursive_mutex_trylock(hf_recursive_mutex *mutex);

/* As hf_recursive_mutex_lock, but gives up at deadline_ns: HF_TIMEOUT. */
hf_result hf_recursive_mutex_lock_until(hf_recursive_mutex *mutex, int64_t deadline_ns);

/* Undoes one lock; the last one releases the mutex. Never blocks.
 * Returns HF_OK, or HF_NOT_OWNER iff the caller does not hold it. */
static inline hf_result hf_recursive_mutex_unlock(hf_recursive_mutex *mutex);

/* Marks an abandoned mutex as recovered: its data is valid again. Requires: the first call that locked it
 * returned HF_ABANDONED. Never blocks.
 * Returns HF_OK, or HF_NOT_OWNER iff the caller does not hold an abandoned mutex. */
hf_result hf_recursive_mutex_recover(hf_recursive_mutex *mutex);

/* Never blocks. Returns whether the caller holds it. */
hf_bool hf_recursive_mutex_is_mine(const hf_recursive_mutex *mutex);

/* Never blocks. Returns the caller's depth: 0 iff it does not hold it. */
uint32_t hf_recursive_mutex_depth(const hf_recursive_mutex *mutex);

/* Releases the mutex, waits for a notify of the condition, and locks the mutex again, as hf_condition_wait
 * (condition.h).
 * Blocks: until it is notified and holds the mutex. Requires: depth 1.
 * Returns what hf_condition_wait returns; unless that is HF_NOT_OWNER, the caller then holds the mutex with
 * depth 1. Returns HF_DEADLOCK iff the caller's depth is above 1: after one release no other thread could
 * lock the mutex, so nobody could notify. */
hf_result hf_recursive_mutex_wait(hf_recursive_mutex *mutex, hf_condition *condition);

/* As hf_recursive_mutex_wait, but gives up the wait for a notify at deadline_ns: HF_TIMEOUT, with the
 * mutex, for which it waits without limit. */
hf_result hf_recursive_mutex_wait_until(hf_recursive_mutex *mutex, hf_condition *condition,
                                        int64_t deadline_ns);

/* ---- Not for users: the inlined fast paths. `self` is the caller's identity. ---- */

hf_result hf__recursive_mutex_lock_slow(hf_recursive_mutex *mutex, uint32_t self);
hf_result hf__recursive_mutex_trylock_slow(hf_recursive_mutex *mutex, uint32_t self);
hf_result hf__recursive_mutex_unlock_slow(hf_recursive_mutex *mutex, uint32_t self);

/* Requires: the caller holds it. */
static inline hf_result hf__recursive_mutex_deepen(hf_recursive_mutex *mutex)
{
    if (mutex->depth >= HF_RECURSIVE_MUTEX_MOST - 1) {
        return HF_OVERFLOW;
    }
    mutex->depth += 1;
    return HF_OK;
}

/* Tries to lock without a call of the gate. Returns true if *result is final: HF_OK, or HF_OVERFLOW if the
 * caller's depth is already the greatest. */
static inline hf_bool hf__recursive_mutex_is_quick(hf_recursive_mutex *mutex, uint32_t self,
                                                   hf_result *result)
{
    if (hf__mutex_is_held_by(&mutex->mutex, self)) {
        *result = hf__recursive_mutex_deepen(mutex);
        return 1;
    }
    if (hf__cas64_acq(&mutex->mutex.gate.word, HF__MUTEX_FREE, self)) { /* [A1] */
        mutex->depth = 0;
        *result = HF_OK;
        return 1;
    }
    return 0;
}

static inline hf_result hf_recursive_mutex_lock(hf_recursive_mutex *mutex)
{
    uint32_t self = hf__thread_id_to_block;
    hf_result result;
    hf_bool is_quick = self && hf__recursive_mutex_is_quick(mutex, self, &result);
    return is_quick ? result : hf__recursive_mutex_lock_slow(mutex, self);
}

static inline hf_result hf_recursive_mutex_trylock(hf_recursive_mutex *mutex)
{
    uint32_t self = hf_thread_id();
    hf_result result;
    return hf__recursive_mutex_is_quick(mutex, self, &result) ? result
                                                              : hf__recursive_mutex_trylock_slow(mutex, self);
}

static inline hf_result hf_recursive_mutex_unlock(hf_recursive_mutex *mutex)
{
    uint32_t self = hf_thread_id();
    if (!hf__mutex_is_held_by(&mutex->mutex, self)) {
        return hf__recursive_mutex_unlock_slow(mutex, self);
    }
    if (mutex->depth != 0) {
        mutex->depth -= 1;
        return HF_OK;
    }
    return hf__mutex_unlock(&mutex->mutex, self); /* [R1] */
}

#ifdef __cplusplus
}
#endif
#endif
