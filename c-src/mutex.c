/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include "holdfast/mutex.h"
#include "gate.h"

/* STATES      free --pass the gate [A1]--> held by t --leave it [R1]--> free
 * INVARIANTS  I1  The amount in use of the gate is the identity of the owner; 0: the mutex is free.
 *             I2  A free mutex that nobody waits for is all zero.
 * ORDERS      A1  cas in lock    acq  R1  the section cannot float above it; in holdfast/mutex.h and gate.c
 *             R1  cas in unlock  rel  A1  the section cannot sink below it; the same
 * CHECKED     as gate.c, which has the algorithm */

hf_result hf__mutex_lock_slow(hf_mutex *mutex, uint32_t self)
{
    if (hf__mutex_is_held_by(mutex, self)) {
        return HF_DEADLOCK;
    }
    hf__gate_enter(&mutex->gate, self, self, HF__GATE_FOR_ONE);
    return HF_OK;
}

hf_result hf__mutex_trylock_slow(hf_mutex *mutex, uint32_t self)
{
    return hf__gate_try_after(&mutex->gate, self, 0, self, HF__GATE_FOR_ONE) == HF_OK ? HF_OK : HF_BUSY;
}

hf_result hf__mutex_unlock_slow(hf_mutex *mutex, uint32_t self)
{
    return hf__gate_leave(&mutex->gate, self, self, 0) ? HF_OK : HF_NOT_OWNER;
}

hf_result hf_mutex_lock_until(hf_mutex *mutex, int64_t deadline_ns)
{
    uint32_t self = hf_thread_id();
    if (hf__mutex_is_held_by(mutex, self)) {
        return HF_DEADLOCK;
    }
    return hf__gate_enter_until(&mutex->gate, self, self, HF__GATE_FOR_ONE, deadline_ns);
}
