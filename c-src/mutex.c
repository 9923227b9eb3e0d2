/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include "mutex.h"

#include <stdbool.h>

#include "owned.h"

/* STATES      free --pass the gate [A1]--> held by t --leave it [R1]--> free
 *             held by t --t is found dead [R1]--> abandoned by t --recover [A1]--> held by another
 *             C: abandoned --lock [A1]--> held by t, not recovered --recover--> held by t
 *                                             --unlock [R1]--> abandoned by nobody
 * INVARIANTS  I1  The amount in use of the gate is the identity of the owner; 0: the mutex is free. owned.h
 *                 says what it is after a death.
 *             I2  A free mutex that nobody waits for is all zero.
 *             I3  The compare-exchange of a fast path fails for each value with the mark.
 * ORDERS      A1  cas in lock    acq  R1  the section cannot float above it; in holdfast/mutex.h and gate.c
 *             R1  cas in unlock  rel  A1  the section cannot sink below it; the same
 *             Relaxed loads tell whether the caller holds it: only the caller changes that.
 * CHECKED     as gate.c, which has the algorithm; tests/native/mutex_test.c */

uint32_t hf__mutex_lock_for_a_time(hf_mutex *mutex, uint32_t self)
{
    if (hf__cas64_acq(&mutex->gate.word, HF__MUTEX_FREE, self)) { /* [A1] */
        return HF_OK;
    }
    if (hf__mutex_is_held_by(mutex, self)) {
        return HF_DEADLOCK;
    }
    return hf__gate_enter(&mutex->gate, self, self, HF__GATE_FOR_ONE);
}

hf_result hf__mutex_try(hf_mutex *mutex, uint32_t self)
{
    if (hf__cas64_acq(&mutex->gate.word, HF__MUTEX_FREE, self)) { /* [A1] */
        return HF_OK;
    }
    return hf__gate_try_after(&mutex->gate, self, 0, self, HF__GATE_FOR_ONE) == HF_OK ? HF_OK : HF_BUSY;
}

hf_result hf__mutex_release(hf_mutex *mutex, uint32_t self)
{
    if (hf__cas64_rel(&mutex->gate.word, self, HF__MUTEX_FREE)) { /* [R1] */
        return HF_OK;
    }
    return hf__gate_leave(&mutex->gate, self, self, HF__OPENS_TO_ONE) ? HF_OK : HF_NOT_OWNER;
}

static hf_result lock_until(hf_mutex *mutex, uint32_t self, int64_t deadline_ns)
{
    return hf__owned_enter_until(&mutex->gate, self, self, HF__GATE_FOR_ONE, deadline_ns,
                                 HF__CALL("hf_mutex_lock_async"));
}

hf_result hf__mutex_lock_slow(hf_mutex *mutex, uint32_t self)
{
    return lock_until(mutex, self ? self : hf_thread_id(), HF_FOREVER);
}

hf_result hf_mutex_lock_until(hf_mutex *mutex, int64_t deadline_ns)
{
    return lock_until(mutex, hf_thread_id(), deadline_ns);
}

hf_result hf__mutex_trylock_slow(hf_mutex *mutex, uint32_t self)
{
    return hf__owned_try(&mutex->gate, self, self, HF__GATE_FOR_ONE);
}

hf_result hf__mutex_unlock_slow(hf_mutex *mutex, uint32_t self)
{
    return hf__owned_leave(&mutex->gate, self, HF__OPENS_TO_ONE);
}

bool hf_mutex_is_mine(const hf_mutex *mutex)
{
    return hf__owned_is_mine(&mutex->gate, hf_thread_id());
}

hf_result hf_mutex_recover(hf_mutex *mutex)
{
    return hf__owned_recover(&mutex->gate, hf_thread_id());
}
