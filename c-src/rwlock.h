/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_RWLOCK_PARTS_H
#define HOLDFAST_RWLOCK_PARTS_H

#include <stdbool.h>

#include "agents.h"
#include "holdfast/rwlock.h"
#include "identity.h"
#include "owned.h"

/* To lock, pass the gate with the capacity HF__RWLOCK_CAPACITY. The amount is HF__SHARED, HF__UPGRADABLE, or
 * the writer's: a JavaScript thread's identity, or hf__rwlock_writer of a C thread's. Both are above
 * HF__RWLOCK_MOST, and no two are equal. */
enum { HF__SHARED = 1, HF__UPGRADABLE = 1 << 24 };

/* Room for one upgradable reader and the readers beside it: two upgradable ones do not fit. */
#define HF__RWLOCK_CAPACITY (UINT32_C(2) * HF__UPGRADABLE - 1)

/* The amount of an upgradable reader that waits to be the writer. It leaves no room for any other thread. */
#define HF__UPGRADING (UINT32_C(2) * HF__UPGRADABLE)

/* A larger amount in use is an identity. */
#define HF__RWLOCK_MOST (HF__RWLOCK_WRITER - 1)

/* Never blocks. Returns HF_NOT_OWNER iff nobody holds that amount: HF__SHARED, HF__UPGRADABLE, or a writer's.
 * Requires: no writer with HF_THREAD_MARK. */
hf_result hf__rwlock_release(hf_rwlock *rwlock, uint32_t amount);

/* Takes the upgradable reader's amount from the gate, also while the reader waits for its upgrade, and opens
 * the gate. `kept`: HF__SHARED if it stays as a reader, else 0. Never blocks. Returns false, and changes
 * nothing, iff that thread is not the upgradable reader. */
bool hf__rwlock_leave_upgradable(hf_rwlock *rwlock, uint32_t writer, uint32_t kept);

/* Probes the upgradable reader if it is still `known`, and takes it out of the lock if it is dead: without an
 * error, since it has written nothing. Never blocks. Returns its identity, or 0 iff there is none. May also
 * return 0 if the reader has just passed, or is leaving. */
static inline uint32_t hf__rwlock_probe_reader(hf_rwlock *rwlock, hf__agents *agents, uint32_t known,
                                               uint32_t now_ms)
{
    uint32_t reader = hf__load_rlx(&rwlock->gate.own); /* `known` is from an earlier call */
    if (reader == known && hf__agents_probe(agents, reader, now_ms)) {
        hf__rwlock_leave_upgradable(rwlock, reader, 0);
    }
    return reader;
}

/* Notes the upgradable reader that has just passed, by its amount as a writer. Never blocks. */
void hf__rwlock_note_upgradable(hf_rwlock *rwlock, uint32_t writer);

/* Never blocks. Returns whether the amount in use is that of an upgradable reader and of readers beside it. */
static inline bool hf__is_upgradable(uint32_t used)
{
    return used >= HF__UPGRADABLE && used <= HF__RWLOCK_MOST;
}

/* Never blocks. Returns whether that thread is the upgradable reader. */
bool hf__rwlock_is_upgradable_by(const hf_rwlock *rwlock, uint32_t writer);

/* The parts of an upgrade. Requires: that thread is the upgradable reader. */

/* Never blocks. Returns HF_OK, or HF_BUSY iff there are readers beside it. */
hf_result hf__rwlock_try_upgrade(hf_rwlock *rwlock, uint32_t writer);

/* For an event loop. Never blocks. Returns HF__DONE iff the thread is the writer now. Else HF__WAIT_LINE,
 * which is `own` here; then no other thread passes until the thread becomes the writer or gives up. */
hf__outcome hf__rwlock_upgrade_step(hf_rwlock *rwlock, uint32_t writer);

/* Ends an upgrade that waits; does nothing if none does. Never blocks. */
void hf__rwlock_give_up_upgrade(hf_rwlock *rwlock);

/* Blocks: one step and one wait, as hf__wait_once; a limit of 0 ends the wait. Returns HF_TIMEOUT iff the wait
 * has ended and the thread still is the upgradable reader. */
uint32_t hf__rwlock_upgrade_wait(hf_rwlock *rwlock, uint32_t writer, uint32_t before, int64_t limit_ns);

/* Makes the writer or the upgradable reader a reader. Never blocks. Returns HF_NOT_OWNER iff that thread holds it
 * in neither mode, or has HF_THREAD_MARK. */
hf_result hf__rwlock_downgrade(hf_rwlock *rwlock, uint32_t writer);

#endif
