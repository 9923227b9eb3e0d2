/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_RWLOCK_H
#define HOLDFAST_RWLOCK_H

#include <stdint.h>

#include "holdfast/bool.h"
#include "holdfast/gate.h"
#include "holdfast/result.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A reader-writer lock: any number of threads hold it shared, or one holds it exclusively. Beside threads that
 * hold it shared, one may hold it upgradable: a reader that can become the writer. It is not recursive in any
 * mode. Rules of all headers: holdfast.h.
 *
 *   static hf_rwlock lock; // guards the table
 *
 *   hf_rwlock_lock_shared(&lock);
 *   look(&table);
 *   hf_rwlock_unlock_shared(&lock);
 *
 * Storage: 16 bytes, 8-aligned; all-zero is valid and unlocked. It need not be destroyed. It may be freed
 * as a mutex: once it is unlocked in all modes and no call for it runs but unlocks. It may be held shared fewer
 * than 2^24 times at once.
 *
 * Cost: without contention one atomic read-modify-write to lock and one to unlock, in all modes.
 *
 * Abandoned: when the thread that held it exclusively was found dead, the next caller gets HF_ABANDONED
 * (mutex.h says how soon).
 * A thread that locks exclusively then holds the lock, repairs what the lock guards, and calls
 * hf_rwlock_recover. If it unlocks without a recovery, the next caller gets HF_ABANDONED again.
 * A thread that locks shared holds nothing then: it locks exclusively, and recovers.
 * The death of a reader is never found. The upgradable reader's death is found as a writer's is, also while
 * it waits for its upgrade; the next caller then gets HF_OK, since the dead reader has written nothing.
 *
 * Fairness: as of a mutex for which few wait, for readers and writers alike (gate.h). A reader or writer that
 * was overtaken for about HF_PATIENCE_NS becomes the heir, and no thread of either kind locks before it then.
 * So a stream of readers delays a writer by that time and by the sections that are running, and a stream of
 * writers delays a reader no longer. When a reader that has waited gets the lock, all sleeping readers get it
 * too. */
typedef struct hf_rwlock {
    hf__gate gate; /* in use: the readers, or the writer; `own`: the upgradable reader, else 0 */
} hf_rwlock;

/* Locks it exclusively.
 * Blocks: until the caller holds it. A caller that holds it shared waits for itself for ever: that cannot
 * be detected.
 * Returns HF_OK; HF_ABANDONED (above), with the lock held; or HF_DEADLOCK iff the caller holds it
 * exclusively or upgradable already. */
hf_result hf_rwlock_lock(hf_rwlock *rwlock);

/* Locks it exclusively if that is possible at once. Never blocks.
 * Returns HF_OK; HF_ABANDONED, with the lock held; or HF_BUSY iff it is held (by the caller too) or
 * reserved for a waiter (hf_mutex_trylock says for how long). */
hf_result hf_rwlock_trylock(hf_rwlock *rwlock);

/* As hf_rwlock_lock, but gives up at deadline_ns: HF_TIMEOUT. */
hf_result hf_rwlock_lock_until(hf_rwlock *rwlock, int64_t deadline_ns);

/* Unlocks it from the exclusive mode. Never blocks.
 * Returns HF_OK, or HF_NOT_OWNER iff the caller does not hold it exclusively. */
hf_result hf_rwlock_unlock(hf_rwlock *rwlock);

/* Makes the caller, which holds it exclusively or upgradable, a reader, who ends by hf_rwlock_unlock_shared. No
 * writer gets in between. Waiting readers are let in, unless the heir is a writer: it gets the lock first. Never
 * blocks.
 * Returns HF_OK; HF_ABANDONED iff the caller has to recover the lock first; or HF_NOT_OWNER iff it holds the lock in
 * neither mode. If it is not HF_OK, nothing is changed.
 * There is no way back from the shared mode: two readers that upgrade would wait for each other. A reader that
 * may have to write locks upgradable. */
hf_result hf_rwlock_downgrade(hf_rwlock *rwlock);

/* Marks an abandoned lock as recovered: its data is valid again. Requires: the call that locked it
 * exclusively returned HF_ABANDONED. Never blocks.
 * Returns HF_OK, or HF_NOT_OWNER iff the caller does not hold an abandoned lock exclusively. */
hf_result hf_rwlock_recover(hf_rwlock *rwlock);

/* Lock and unlock in the shared mode. With HF_ABANDONED the caller holds nothing. A lock returns HF_DEADLOCK
 * where it would wait for its caller, which holds it exclusively or upgradable; hf_rwlock_trylock_shared
 * returns HF_BUSY where a lock would wait. A thread that holds the lock shared must not lock it again: with a
 * writer waiting in between, it would wait for itself. The lock does not know which threads hold it shared. So
 * hf_rwlock_unlock_shared returns HF_NOT_OWNER only if no thread holds it shared; in a thread that does not,
 * the call ends another thread's hold. */
hf_result hf_rwlock_lock_shared(hf_rwlock *rwlock);
hf_result hf_rwlock_trylock_shared(hf_rwlock *rwlock);
hf_result hf_rwlock_lock_shared_until(hf_rwlock *rwlock, int64_t deadline_ns);
hf_result hf_rwlock_unlock_shared(hf_rwlock *rwlock);

/* Locks it upgradable: shared, and no other thread is the upgradable reader or the writer until the caller
 * unlocks it. So nobody writes between the caller's reading and its upgrade, and no two upgrades wait for each
 * other. A thread that holds it shared must not lock it upgradable: its upgrade would wait for itself.
 * Blocks: until no thread holds it exclusively or upgradable.
 * Returns HF_OK; HF_ABANDONED, with nothing held (above); or HF_DEADLOCK iff the caller holds it exclusively or
 * upgradable already. */
hf_result hf_rwlock_lock_upgradable(hf_rwlock *rwlock);

/* As hf_rwlock_lock_upgradable, but returns HF_BUSY where that would block. Never blocks. */
hf_result hf_rwlock_trylock_upgradable(hf_rwlock *rwlock);

/* As hf_rwlock_lock_upgradable, but gives up at deadline_ns: HF_TIMEOUT. */
hf_result hf_rwlock_lock_upgradable_until(hf_rwlock *rwlock, int64_t deadline_ns);

/* Unlocks it from the upgradable mode. Never blocks.
 * Returns HF_OK, or HF_NOT_OWNER iff the caller does not hold it upgradable. */
hf_result hf_rwlock_unlock_upgradable(hf_rwlock *rwlock);

/* Makes the upgradable reader the writer, who ends by hf_rwlock_unlock or hf_rwlock_downgrade. Nobody has written
 * since it locked. No other thread locks in any mode from this call on; waiting writers come later.
 * Blocks: until the readers beside it have unlocked.
 * Returns HF_OK, or HF_NOT_OWNER iff the caller does not hold it upgradable. */
hf_result hf_rwlock_upgrade(hf_rwlock *rwlock);

/* As hf_rwlock_upgrade, but while other threads hold it shared it returns HF_BUSY, and the caller still holds it
 * upgradable. Never blocks. */
hf_result hf_rwlock_try_upgrade(hf_rwlock *rwlock);

/* As hf_rwlock_upgrade, but gives up at deadline_ns: HF_TIMEOUT, and the caller still holds it upgradable. */
hf_result hf_rwlock_upgrade_until(hf_rwlock *rwlock, int64_t deadline_ns);

/* Never blocks. Returns whether the caller holds it upgradable. */
hf_bool hf_rwlock_is_upgradable_mine(const hf_rwlock *rwlock);

/* Never blocks. Returns whether the caller holds it exclusively. */
hf_bool hf_rwlock_is_mine(const hf_rwlock *rwlock);

#ifdef __cplusplus
}
#endif
#endif
