/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include "rwlock.h"

/* STATES      free --lock shared [A1]--> 1 reader --lock shared [A1]--> 2 ... --unlock shared [R1]--> free
 *             free --lock [A1]--> a writer --unlock [R1]--> free
 * INVARIANTS  I1  The amount in use of the gate is the number of readers, or HF__GATE_MOST for a writer.
 *             I2  `own` of the gate is the writer's identity, from just after it passes until just before it
 *                 leaves. Only the writer writes it, so each thread knows whether it is the writer.
 *             I3  Readers wait for a writer to leave, writers for anybody: the gate opens only at 0.
 * ORDERS      A1  cas in lock    acq  R1  the section cannot float above it; gate.c
 *             R1  cas in unlock  rel  A1  the section cannot sink below it; gate.c
 *             `own` is relaxed: a thread reads its own writes.
 * CHECKED     as gate.c, which has the algorithm; models/programs/rwlock.scenarios.js,
 * tests/native/rwlock_*.c */

enum { NO_WRITER = 0 };

void hf__rwlock_note(hf_rwlock *rwlock, uint32_t self, hf__rwlock_mode mode)
{
    if (mode == HF__EXCLUSIVE) {
        hf__store_rlx(&rwlock->gate.own, self);
    }
}

hf_result hf__rwlock_unlock(hf_rwlock *rwlock, uint32_t self, hf__rwlock_mode mode)
{
    uint32_t most = HF__GATE_MOST - 1; /* a reader's unlock cannot end a writer's hold */
    if (mode == HF__EXCLUSIVE) {
        if (!hf__rwlock_is_held_by(rwlock, self)) {
            return HF_NOT_OWNER;
        }
        hf__store_rlx(&rwlock->gate.own, NO_WRITER);
        most = HF__GATE_MOST;
    }
    return hf__gate_leave(&rwlock->gate, mode, most, 0) ? HF_OK : HF_NOT_OWNER;
}

static hf_result lock_mode_until(hf_rwlock *rwlock, hf__rwlock_mode mode, int64_t deadline_ns)
{
    uint32_t self = hf_thread_id();
    if (hf__rwlock_is_held_by(rwlock, self)) {
        return HF_DEADLOCK;
    }
    hf_result result = hf__gate_enter_until(&rwlock->gate, self, mode, HF__GATE_MOST, deadline_ns);
    if (result == HF_OK) {
        hf__rwlock_note(rwlock, self, mode);
    }
    return result;
}

static hf_result trylock_mode(hf_rwlock *rwlock, hf__rwlock_mode mode)
{
    uint32_t self = hf_thread_id();
    if (hf__gate_try_after(&rwlock->gate, self, 0, mode, HF__GATE_MOST) != HF_OK) {
        return HF_BUSY;
    }
    hf__rwlock_note(rwlock, self, mode);
    return HF_OK;
}

hf_result hf_rwlock_lock(hf_rwlock *rwlock)
{
    return lock_mode_until(rwlock, HF__EXCLUSIVE, HF_FOREVER);
}

hf_result hf_rwlock_trylock(hf_rwlock *rwlock)
{
    return trylock_mode(rwlock, HF__EXCLUSIVE);
}

hf_result hf_rwlock_lock_until(hf_rwlock *rwlock, int64_t deadline_ns)
{
    return lock_mode_until(rwlock, HF__EXCLUSIVE, deadline_ns);
}

hf_result hf_rwlock_unlock(hf_rwlock *rwlock)
{
    return hf__rwlock_unlock(rwlock, hf_thread_id(), HF__EXCLUSIVE);
}

hf_result hf_rwlock_lock_shared(hf_rwlock *rwlock)
{
    return lock_mode_until(rwlock, HF__SHARED, HF_FOREVER);
}

hf_result hf_rwlock_trylock_shared(hf_rwlock *rwlock)
{
    return trylock_mode(rwlock, HF__SHARED);
}

hf_result hf_rwlock_lock_shared_until(hf_rwlock *rwlock, int64_t deadline_ns)
{
    return lock_mode_until(rwlock, HF__SHARED, deadline_ns);
}

hf_result hf_rwlock_unlock_shared(hf_rwlock *rwlock)
{
    return hf__rwlock_unlock(rwlock, hf_thread_id(), HF__SHARED);
}

bool hf_rwlock_is_mine(const hf_rwlock *rwlock)
{
    return hf__rwlock_is_held_by(rwlock, hf_thread_id());
}
