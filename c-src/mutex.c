/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include "mutex.h"

#include "gate.h"

/* STATES      free --pass the gate [A1]--> held by t --leave it [R1]--> free
 *             held by t --t is found dead [R1]--> abandoned by t --recover [A1]--> held by another
 *             C: abandoned --lock [A1]--> held by t, with the mark --recover--> held by t
 *                                             --unlock [R1]--> abandoned by nobody
 * INVARIANTS  I1  The amount in use of the gate is the identity of the owner; 0: the mutex is free. With
 *                 HF_THREAD_MARK: the identity of a JavaScript thread that is dead; or, of a C thread, that
 *                 of an owner that has not recovered it.
 *             I2  A free mutex that nobody waits for is all zero.
 *             I3  The compare-exchange of a fast path fails for each value with the mark.
 * ORDERS      A1  cas in lock    acq  R1  the section cannot float above it; in holdfast/mutex.h and gate.c
 *             R1  cas in unlock  rel  A1  the section cannot sink below it; the same
 * CHECKED     as gate.c, which has the algorithm; tests/native/mutex_test.c */

/* An abandoned mutex is held by nobody. */
#define BY_NOBODY (HF_THREAD_JS | HF_THREAD_MARK)

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
    return hf__gate_leave(&mutex->gate, self, self, 0) ? HF_OK : HF_NOT_OWNER;
}

uint32_t hf__mutex_take_over(hf_mutex *mutex, uint32_t self)
{
    uint32_t left = hf__gate_used(&mutex->gate);
    return hf__is_abandoned(left) && hf__gate_take_over(&mutex->gate, left, self) ? left : 0;
}

/* Returns HF_ABANDONED, or HF_BUSY if another thread was faster. */
static hf_result take_abandoned(hf_mutex *mutex, uint32_t self)
{
    return hf__mutex_take_over(mutex, self | HF_THREAD_MARK) ? HF_ABANDONED : HF_BUSY;
}

/* Whether a C thread holds it that has not recovered it. */
static bool is_marked_by(const hf_mutex *mutex, uint32_t self)
{
    return self < HF_THREAD_MARK && hf__mutex_is_held_by(mutex, self | HF_THREAD_MARK);
}

static hf_result lock_until(hf_mutex *mutex, uint32_t self, int64_t deadline_ns)
{
    if (hf__mutex_is_held_by(mutex, self) || is_marked_by(mutex, self)) {
        return HF_DEADLOCK;
    }
    hf_result result;
    do {
        result = hf__gate_enter_until(&mutex->gate, self, self, HF__GATE_FOR_ONE, deadline_ns);
        result = result == HF_ABANDONED ? take_abandoned(mutex, self) : result;
    } while (result == HF_BUSY);
    return result;
}

hf_result hf__mutex_lock_slow(hf_mutex *mutex, uint32_t self)
{
    return lock_until(mutex, self, HF_FOREVER);
}

hf_result hf_mutex_lock_until(hf_mutex *mutex, int64_t deadline_ns)
{
    return lock_until(mutex, hf_thread_id(), deadline_ns);
}

hf_result hf__mutex_trylock_slow(hf_mutex *mutex, uint32_t self)
{
    uint32_t result = hf__gate_try_after(&mutex->gate, self, 0, self, HF__GATE_FOR_ONE);
    if (result == HF_ABANDONED) {
        return take_abandoned(mutex, self);
    }
    return result == HF_OK ? HF_OK : HF_BUSY;
}

hf_result hf__mutex_unlock_slow(hf_mutex *mutex, uint32_t self)
{
    if (is_marked_by(mutex, self)) {
        hf__gate_abandon(&mutex->gate, self | HF_THREAD_MARK, BY_NOBODY);
        return HF_OK;
    }
    return hf__mutex_release(mutex, self);
}

hf_result hf_mutex_recover(hf_mutex *mutex)
{
    uint32_t self = hf_thread_id();
    if (hf__gate_take_over(&mutex->gate, self | HF_THREAD_MARK, self)) {
        return HF_OK;
    }
    return HF_NOT_OWNER;
}
