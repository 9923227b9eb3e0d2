/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include "recursive_mutex.h"

#include <stdbool.h>

#include "owned.h"

/* STATES      free --lock [A1]--> depth 1 --lock--> depth 2 --lock--> ...
 *             depth 2 --unlock--> depth 1 --unlock [R1]--> free
 *             Abandoned and recovered as the mutex inside (mutex.c), at any depth; depth 1 after a death.
 * INVARIANTS  I1  `depth` is the owner's depth less 1. Only the owner reads or writes it, so it is plain.
 *             I2  The first lock sets `depth` to 0, since a dead owner may have left any number. Without such
 *                 a death it is 0 already, so a thread that acquires the inner mutex by other means has
 *                 depth 1 too.
 * ORDERS      A1 and R1 of mutex.c, which order the accesses to `depth` too.
 * CHECKED     tests/native/recursive_mutex_*.c; tests/glue/recursive-mutex.test.js */

/* Completes a lock of the inner mutex: sets depth 1 if the lock was granted. */
static hf_result begun(hf_recursive_mutex *mutex, hf_result result)
{
    if (result == HF_OK || result == HF_ABANDONED) {
        hf__recursive_mutex_begin(mutex);
    }
    return result;
}

static hf_result lock_recursively(hf_recursive_mutex *mutex, uint32_t self, int64_t deadline_ns)
{
    if (hf__owned_is_mine(&mutex->mutex.gate, self)) { /* not yet recovered: the fast path has failed */
        return hf__recursive_mutex_deepen(mutex);
    }
    return begun(mutex, hf__owned_enter_until(&mutex->mutex.gate, self, self, HF__GATE_FOR_ONE, deadline_ns,
                                              HF__CALL("hf_recursive_mutex_lock_async")));
}

hf_result hf__recursive_mutex_lock_slow(hf_recursive_mutex *mutex, uint32_t self)
{
    return lock_recursively(mutex, self ? self : hf_thread_id(), HF_FOREVER);
}

hf_result hf__recursive_mutex_trylock_slow(hf_recursive_mutex *mutex, uint32_t self)
{
    if (hf__owned_is_mine(&mutex->mutex.gate, self)) {
        return hf__recursive_mutex_deepen(mutex);
    }
    return begun(mutex, hf__mutex_trylock_slow(&mutex->mutex, self));
}

hf_result hf_recursive_mutex_lock_until(hf_recursive_mutex *mutex, int64_t deadline_ns)
{
    return lock_recursively(mutex, hf_thread_id(), deadline_ns);
}

hf_result hf__recursive_mutex_unlock_slow(hf_recursive_mutex *mutex, uint32_t self)
{
    if (hf__owned_is_mine(&mutex->mutex.gate, self) && mutex->depth != 0) {
        mutex->depth -= 1;
        return HF_OK;
    }
    return hf__mutex_unlock_slow(&mutex->mutex, self);
}

hf_result hf_recursive_mutex_recover(hf_recursive_mutex *mutex)
{
    return hf_mutex_recover(&mutex->mutex);
}

bool hf_recursive_mutex_is_mine(const hf_recursive_mutex *mutex)
{
    return hf_mutex_is_mine(&mutex->mutex);
}

uint32_t hf_recursive_mutex_depth(const hf_recursive_mutex *mutex)
{
    return hf_recursive_mutex_is_mine(mutex) ? mutex->depth + 1 : 0;
}

hf_result hf_recursive_mutex_wait_until(hf_recursive_mutex *mutex, hf_condition *condition,
                                        int64_t deadline_ns)
{
    if (hf_recursive_mutex_depth(mutex) > 1) {
        return HF_DEADLOCK;
    }
    hf_result result = hf_condition_wait_until(condition, &mutex->mutex, deadline_ns);
    if (result != HF_NOT_OWNER) {
        hf__recursive_mutex_begin(mutex); /* a thread that died meanwhile may have left any depth */
    }
    return result;
}

hf_result hf_recursive_mutex_wait(hf_recursive_mutex *mutex, hf_condition *condition)
{
    return hf_recursive_mutex_wait_until(mutex, condition, HF_FOREVER);
}
