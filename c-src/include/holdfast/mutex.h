/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_MUTEX_H
#define HOLDFAST_MUTEX_H

#include <stdint.h>

#include "holdfast/bool.h"
#include "holdfast/gate.h"
#include "holdfast/result.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A mutex: one thread at a time is between lock and unlock. It has an owner and is not recursive. Rules of
 * all headers: holdfast.h.
 *
 *   static hf_mutex mutex; // protects invariant: a + b == 0
 *
 *   hf_mutex_lock(&mutex);
 *   a += 1, b -= 1;
 *   hf_mutex_unlock(&mutex);
 *
 * Two languages in one thread: C and JavaScript are two owners, even in one thread. Unlock on the side that
 * locked. While one side holds the mutex, a blocking lock on the other side of that thread never returns,
 * not even with HF_DEADLOCK. hf_mutex_trylock returns HF_BUSY there, and the glue's tryLock() false.
 *
 * Storage: 16 bytes, 8-aligned; all-zero is valid and unlocked. The mutex need not be destroyed. It may be
 * freed once it is unlocked and no call for it runs but unlocks. So the thread that locked and unlocked it
 * last may free it at once, while unlocks of other threads are about to return. Unlock does not touch it
 * after the release.
 *
 * Cost: without contention one atomic read-modify-write to lock and one to unlock; no system call, no wake.
 *
 * Abandoned: when the thread that held it was found dead, the next caller gets HF_ABANDONED, and holds the
 * mutex, as with pthread's EOWNERDEAD. The caller repairs what the mutex protects and calls
 * hf_mutex_recover. If it unlocks without a recovery, or ends, the next caller gets HF_ABANDONED again.
 * Exception: if it ends and had found no slot in the table of threads, the mutex stays held. The table is
 * hf_threads() in thread.h. Without a table no thread is found dead.
 * How soon: a caller that comes after the death of a C thread learns of it at once, a waiter when it checks
 * the gate next (gate.h). After the death of a JavaScript thread, waiters find out within about a second.
 *
 * Fairness: a running thread may lock a free mutex ahead of the waiters. That makes a contended lock fast.
 * But after HF_PATIENCE_NS the mutex goes to one of the waiters; gate.h has the time with many of them. */
typedef struct hf_mutex {
    hf__gate gate;
} hf_mutex;

/* Locks it.
 * Blocks: until the caller holds it.
 * Returns HF_OK; HF_ABANDONED (above); or HF_DEADLOCK iff the caller holds it already. */
static inline hf_result hf_mutex_lock(hf_mutex *mutex);

/* Locks it if that is possible at once. Never blocks; may be called in an audio callback too.
 * Returns HF_OK; HF_ABANDONED (above); or HF_BUSY iff it is held (by the caller too) or reserved for a
 * waiter.
 * This call reads no clock, so it cannot end the reservation of a dead thread. A thread in hf_mutex_lock
 * can, and so can the glue's tryLock. A program that calls nothing but trylock would get HF_BUSY for ever. */
static inline hf_result hf_mutex_trylock(hf_mutex *mutex);

/* hf_mutex_trylock by the name that C++ has. */
static inline hf_result hf_mutex_try_lock(hf_mutex *mutex);

/* As hf_mutex_lock, but gives up at deadline_ns: HF_TIMEOUT. */
hf_result hf_mutex_lock_until(hf_mutex *mutex, int64_t deadline_ns);

/* Unlocks it. Never blocks.
 * Returns HF_OK, or HF_NOT_OWNER iff the caller does not hold it. */
static inline hf_result hf_mutex_unlock(hf_mutex *mutex);

/* Marks an abandoned mutex as recovered: its data is valid again. Requires: the call that locked it returned
 * HF_ABANDONED. Never blocks.
 * Returns HF_OK, or HF_NOT_OWNER iff the caller does not hold an abandoned mutex. */
hf_result hf_mutex_recover(hf_mutex *mutex);

/* Never blocks. Returns whether the caller holds it. */
hf_bool hf_mutex_is_mine(const hf_mutex *mutex);

/* ---- Not for users: the inlined fast paths. `self` is the caller's identity; with 0 a lock takes the slow
 * path. ---- */

#define HF__MUTEX_FREE UINT64_C(0)

hf_result hf__mutex_lock_slow(hf_mutex *mutex, uint32_t self);
hf_result hf__mutex_trylock_slow(hf_mutex *mutex, uint32_t self);
hf_result hf__mutex_unlock_slow(hf_mutex *mutex, uint32_t self);

static inline hf_result hf__mutex_lock(hf_mutex *mutex, uint32_t self)
{
    if (self && hf__cas64_acq(&mutex->gate.word, HF__MUTEX_FREE, self)) { /* [A1] */
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

static inline hf_bool hf__mutex_is_held_by(const hf_mutex *mutex, uint32_t self)
{
    return (hf__load64_rlx(&mutex->gate.word) & HF_THREAD_MASK) == self;
}

static inline hf_result hf_mutex_lock(hf_mutex *mutex)
{
    return hf__mutex_lock(mutex, hf__thread_id_to_block);
}

static inline hf_result hf_mutex_trylock(hf_mutex *mutex)
{
    return hf__mutex_trylock(mutex, hf_thread_id());
}

static inline hf_result hf_mutex_try_lock(hf_mutex *mutex)
{
    return hf_mutex_trylock(mutex);
}

static inline hf_result hf_mutex_unlock(hf_mutex *mutex)
{
    return hf__mutex_unlock(mutex, hf_thread_id());
}

#ifdef __cplusplus
}
#endif
#endif
