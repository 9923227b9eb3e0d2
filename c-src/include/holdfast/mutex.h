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

/* A mutex: one thread at a time is between lock and unlock. It has an owner and is not recursive. C and,
 * through the glue, JavaScript may use it at the same time, on the page too.
 *
 *   static hf_mutex mutex; // protects invariant: a + b == 0
 *
 *   hf_mutex_lock(&mutex);
 *   a += 1, b -= 1;
 *   hf_mutex_unlock(&mutex);
 *
 * Two languages in one thread: C and JavaScript are two owners, even in one thread. Unlock on the side that
 * locked. While one side holds the mutex, a blocking lock on the other side of that thread never returns, and
 * no HF_DEADLOCK tells. hf_mutex_trylock returns HF_BUSY there, and the glue's tryLock() false.
 *
 * Storage: 16 bytes, 8-aligned; all-zero is valid and unlocked. So zeroing is all there is to an init, and
 * memory from malloc needs it. It need not be destroyed. It may be freed once it is unlocked and no call for
 * it runs but unlocks: who locked and unlocked it last may do so at once, while the unlocks of others are
 * about to return. Unlock does not touch it after the release. Locks of different threads in one cache line
 * slow each other down, so align hot ones to 64 bytes (npm run bench -- lines).
 *
 * Cost: without contention one atomic read-modify-write to lock and one to unlock; no system call, no wake.
 *
 * Abandoned: when the thread that held it was found dead, the next caller gets HF_ABANDONED, and holds the
 * mutex, as with pthread's EOWNERDEAD. It repairs what the mutex protects and calls hf_mutex_recover.
 * If it unlocks without a recovery, the next caller gets HF_ABANDONED again. So too if it ends, unless it
 * found no slot in the table of threads: then the mutex stays held.
 * That table is hf_threads() in thread.h. Without one no thread is found dead.
 * A caller that comes after the death of a C thread learns of it at once, and a waiter at its next probe
 * (gate.h).
 * Waiters find out about a second after the death of a JavaScript thread.
 *
 * Fairness: a running thread may lock a free mutex ahead of the waiters. That makes a contended lock fast.
 * But no waiter is overtaken for much longer than gate.h says: HF_PATIENCE_NS, and more where many wait. */
typedef struct hf_mutex {
    hf__gate gate; /* `own`: how many threads in C wait patiently */
} hf_mutex;

/* Locks it.
 * Blocks: until the caller holds it, without limit. Requires: a thread that may block (not a browser's page).
 * Returns HF_OK; HF_ABANDONED, see above; or HF_DEADLOCK iff the caller holds it already. */
static inline hf_result hf_mutex_lock(hf_mutex *mutex);

/* Locks it if that is possible at once. Never blocks; any thread may call it, an audio callback too.
 * Returns HF_OK; HF_ABANDONED, see above; or HF_BUSY iff it is held (by the caller too) or reserved for a
 * waiter. This call has no clock, so it cannot end the reservation of a dead thread. A thread in
 * hf_mutex_lock does, and so does the glue's tryLock; a program that only ever calls trylock would get
 * HF_BUSY for ever. */
static inline hf_result hf_mutex_trylock(hf_mutex *mutex);

/* Locks it, but gives up at deadline_ns (on hf_now_ns()).
 * Blocks: until then. Requires: a thread that may block.
 * On timeout: the caller does not hold it. A free mutex is locked even after the deadline.
 * Returns HF_OK, HF_TIMEOUT, HF_ABANDONED (see above), or HF_DEADLOCK iff the caller holds it already. */
hf_result hf_mutex_lock_until(hf_mutex *mutex, int64_t deadline_ns);

/* Unlocks it. Never blocks.
 * Returns HF_OK, or HF_NOT_OWNER iff the caller does not hold it; nothing is changed then. */
static inline hf_result hf_mutex_unlock(hf_mutex *mutex);

/* Says that what the mutex protects is good again. Requires: HF_ABANDONED from the call that locked it. Never
 * blocks. Returns HF_OK, or HF_NOT_OWNER iff the caller does not hold it so; nothing is changed then. */
hf_result hf_mutex_recover(hf_mutex *mutex);

/* Never blocks. Returns whether the caller holds it. */
hf_bool hf_mutex_is_mine(const hf_mutex *mutex);

/* ---- Not for users: the inlined fast paths. `self` is the caller's identity; 0 to lock slowly. ---- */

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

static inline hf_result hf_mutex_unlock(hf_mutex *mutex)
{
    return hf__mutex_unlock(mutex, hf_thread_id());
}

#ifdef __cplusplus
}
#endif
#endif
