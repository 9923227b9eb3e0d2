/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_MUTEX_H
#define HOLDFAST_MUTEX_H

#include <stdbool.h>
#include <stdint.h>

#include "holdfast/gate.h"
#include "holdfast/result.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A mutex: at most one thread is between lock and unlock. It has an owner, is not recursive, and may be
 * used from C and, through the glue, from JavaScript at the same time, on the page too.
 *
 *   static hf_mutex mutex; // protects invariant: a + b == 0
 *
 *   hf_mutex_lock(&mutex);
 *   a += 1, b -= 1;
 *   hf_mutex_unlock(&mutex);
 *
 * Two languages in one thread: C and JavaScript are two owners, even in the same thread. Unlock on the side
 * that locked. While one side holds the mutex, the other side of that thread must not wait for it: a blocking
 * lock there never returns, since the thread that would unlock is the one that waits, and no HF_DEADLOCK
 * tells. hf_mutex_trylock says HF_BUSY, and the glue's tryLock() false.
 *
 * Storage: 16 bytes, 8-aligned; all-zero is valid and unlocked, so zeroing is all there is to an init: memory
 * that was something else before (malloc) needs it. It need not be destroyed, and may be freed by the thread
 * that unlocked it last: unlock reads and writes nothing of it after the release.
 *
 * Cost: without contention one atomic read-modify-write to lock and one to unlock; no system call, no wake.
 *
 * Fairness: a thread that is running may take a free lock ahead of those that wait, which is what makes a
 * contended lock fast; but none of those is overtaken for much longer than HF_PATIENCE_NS (gate.h). */
typedef struct hf_mutex {
    hf__gate gate; /* its own word: 0, kept for a generation */
} hf_mutex;

/* Takes the lock.
 * Blocks: until it is free, without limit. Requires: a thread that may block (not a browser's page).
 * Returns HF_OK, or HF_DEADLOCK iff the caller holds it already. */
static inline hf_result hf_mutex_lock(hf_mutex *mutex);

/* Takes the lock if that is possible at once. Never blocks; safe in an audio callback.
 * Returns HF_OK, or HF_BUSY iff it is held (by the caller too) or reserved for another. It cannot tell how
 * long a reservation lasts, so a program whose threads do nothing but trylock would see one of a dead thread
 * for ever; a thread in hf_mutex_lock ends it. (The glue's tryLock has a clock, and ends it itself.) */
static inline hf_result hf_mutex_trylock(hf_mutex *mutex);

/* Takes the lock, but gives up at deadline_ns (on hf_now_ns()).
 * Blocks: until then. Requires: a thread that may block.
 * On timeout: nothing is held. A free lock is taken even after the deadline.
 * Returns HF_OK, HF_TIMEOUT, or HF_DEADLOCK iff the caller holds it already. */
hf_result hf_mutex_lock_until(hf_mutex *mutex, int64_t deadline_ns);

/* Releases the lock. Never blocks.
 * Returns HF_OK, or HF_NOT_OWNER iff the caller does not hold it; nothing is changed then. */
static inline hf_result hf_mutex_unlock(hf_mutex *mutex);

/* Never blocks. Returns whether the caller holds the lock. The answer is exact for the caller itself. */
static inline bool hf_mutex_is_mine(const hf_mutex *mutex);

/* ---- What follows is not for users: the fast paths, inlined, with the caller's identity as `self`. ---- */

#define HF__MUTEX_FREE UINT64_C(0)

hf_result hf__mutex_lock_slow(hf_mutex *mutex, uint32_t self);
hf_result hf__mutex_trylock_slow(hf_mutex *mutex, uint32_t self);
hf_result hf__mutex_unlock_slow(hf_mutex *mutex, uint32_t self);

static inline hf_result hf__mutex_lock(hf_mutex *mutex, uint32_t self)
{
    if (hf__cas64_acq(&mutex->gate.word, HF__MUTEX_FREE, self)) { /* [A1] */
        return HF_OK;
    }
    return hf__mutex_lock_slow(mutex, self);
}

static inline hf_result hf__mutex_trylock(hf_mutex *mutex, uint32_t self)
{
    if (hf__cas64_acq(&mutex->gate.word, HF__MUTEX_FREE, self)) { /* [A1] */
        return HF_OK;
    }
    return hf__mutex_trylock_slow(mutex, self);
}

static inline hf_result hf__mutex_unlock(hf_mutex *mutex, uint32_t self)
{
    if (hf__cas64_rel(&mutex->gate.word, self, HF__MUTEX_FREE)) { /* [R1] */
        return HF_OK;
    }
    return hf__mutex_unlock_slow(mutex, self);
}

static inline bool hf__mutex_is_held_by(const hf_mutex *mutex, uint32_t self)
{
    return (hf__load64_rlx(&mutex->gate.word) & HF_THREAD_MASK) == self;
}

static inline hf_result hf_mutex_lock(hf_mutex *mutex)
{
    return hf__mutex_lock(mutex, hf_thread_id());
}

static inline hf_result hf_mutex_trylock(hf_mutex *mutex)
{
    return hf__mutex_trylock(mutex, hf_thread_id());
}

static inline hf_result hf_mutex_unlock(hf_mutex *mutex)
{
    return hf__mutex_unlock(mutex, hf_thread_id());
}

static inline bool hf_mutex_is_mine(const hf_mutex *mutex)
{
    return hf__mutex_is_held_by(mutex, hf_thread_id());
}

#ifdef __cplusplus
}
#endif
#endif
