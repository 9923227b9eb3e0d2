/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_RWLOCK_H
#define HOLDFAST_RWLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "holdfast/gate.h"
#include "holdfast/result.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A reader-writer lock: any number of threads hold it shared, or one holds it exclusively. It may be used
 * from C and, through the glue, from JavaScript at the same time, on the page too. It is not recursive, in
 * neither mode.
 *
 *   static hf_rwlock lock; // guards the table
 *
 *   hf_rwlock_lock_shared(&lock);
 *   look(&table);
 *   hf_rwlock_unlock_shared(&lock);
 *
 * Storage: 16 bytes, 8-aligned; all-zero is valid and unlocked, so zeroing is all there is to an init. It
 * need not be destroyed, and may be freed by the thread that unlocked it last.
 *
 * Cost: without contention one atomic read-modify-write to lock and one to unlock, in both modes.
 *
 * Fairness: readers and writers wait in one way (gate.h). Who was overtaken for about HF_PATIENCE_NS, reader
 * or writer, becomes the successor, and nobody of either kind comes before it then. So a stream of readers
 * holds a writer up for that time and the sections that are running, and a stream of writers a reader no
 * longer. When a reader has waited and gets in, all readers that sleep get in with it. */
typedef struct hf_rwlock {
    hf__gate gate; /* in use: readers, or HF__GATE_MOST for a writer; its own word: that writer, 0 for none */
} hf_rwlock;

/* Takes the lock exclusively.
 * Blocks: until nobody holds it, without limit. Requires: a thread that may block (not a browser's page).
 * Returns HF_OK, or HF_DEADLOCK iff the caller holds it exclusively already. One who holds it shared and asks
 * for it exclusively waits for itself, which cannot be known. */
hf_result hf_rwlock_lock(hf_rwlock *rwlock);

/* Takes the lock exclusively if that is possible at once. Never blocks.
 * Returns HF_OK, or HF_BUSY iff it is held (by the caller too) or reserved for another. */
hf_result hf_rwlock_trylock(hf_rwlock *rwlock);

/* Takes the lock exclusively, but gives up at deadline_ns (on hf_now_ns()).
 * Blocks: until then. On timeout: nothing is held. Returns HF_OK, HF_TIMEOUT, or HF_DEADLOCK as above. */
hf_result hf_rwlock_lock_until(hf_rwlock *rwlock, int64_t deadline_ns);

/* Releases the exclusive lock. Never blocks.
 * Returns HF_OK, or HF_NOT_OWNER iff the caller does not hold it exclusively; nothing is changed then. */
hf_result hf_rwlock_unlock(hf_rwlock *rwlock);

/* The same for the shared mode. A thread that holds it shared should not ask again: with a writer in between,
 * it would wait for itself. hf_rwlock_unlock_shared returns HF_NOT_OWNER iff nobody holds it shared. Who
 * holds it shared is not known, so a thread that does not and unlocks takes the place of another from it. */
hf_result hf_rwlock_lock_shared(hf_rwlock *rwlock);
hf_result hf_rwlock_trylock_shared(hf_rwlock *rwlock);
hf_result hf_rwlock_lock_shared_until(hf_rwlock *rwlock, int64_t deadline_ns);
hf_result hf_rwlock_unlock_shared(hf_rwlock *rwlock);

/* Never blocks. Returns whether the caller holds the lock exclusively. The answer is exact for the caller
 * itself. */
bool hf_rwlock_is_mine(const hf_rwlock *rwlock);

#ifdef __cplusplus
}
#endif
#endif
