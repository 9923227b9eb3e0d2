/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include "rwlock.h"

#include <stdbool.h>

#include "holdfast/atomic.h"

/* STATES      free --lock shared [A1]--> 1 reader --lock shared [A1]--> 2 ... --unlock shared [R1]--> free
 *             free --lock [A1]--> a writer --unlock [R1]--> free
 *                                 a writer --downgrade [R1]--> 1 reader
 *             a writer --it is found dead [R1]--> abandoned --recover [A1]--> another writer; as mutex.c
 * INVARIANTS  I1  The amount in use of the gate is the number of readers, or the writer's identity. An
 *                 identity is above the capacity, so it fits into an empty gate only, and nobody fits beside
 *                 it. The writer's identity is in the word from the instruction that passes to the one that
 *                 leaves. So a thread that finds the writer dead knows that it held the lock.
 *             I2  Readers wait for a writer to leave, writers for anybody: the gate opens only at 0, and when a
 *                 writer stays as a reader. An heir that is a writer declines then (gate.c).
 * ORDERS      A1  cas in lock    acq  R1  the section cannot float above it; here and in gate.c
 *             R1  cas in unlock  rel  A1  the section cannot sink below it; the same, and in a downgrade
 * CHECKED     as gate.c, which has the algorithm; models/programs/rwlock.scenarios.js,
 *             tests/native/rwlock_*.c */

/* No thread is inside, is the heir, or sleeps. */
#define RWLOCK_FREE UINT64_C(0)

hf_result hf__rwlock_release(hf_rwlock *rwlock, uint32_t amount)
{
    /* A reader's release cannot end a writer's hold. */
    uint32_t most = amount == HF__SHARED ? HF__RWLOCK_READERS : amount;
    return hf__gate_leave(&rwlock->gate, amount, most, 0) ? HF_OK : HF_NOT_OWNER;
}

hf_result hf__rwlock_downgrade(hf_rwlock *rwlock, uint32_t writer)
{
    /* `writer - HF__SHARED` may be the identity of another writer, whom hf__gate_leave would downgrade. */
    bool is_done = hf__owned_is_by(&rwlock->gate, writer) &&
                   hf__gate_leave(&rwlock->gate, writer - HF__SHARED, writer, HF__SHARED);
    return is_done ? HF_OK : HF_NOT_OWNER;
}

/* Locks a free lock without calling the gate, in 0.7 to 0.9 of the time (npm run bench -- rwlock). A reader
 * does so even if other readers hold the lock. */
hf_result hf_rwlock_lock(hf_rwlock *rwlock)
{
    uint32_t self = hf__thread_id_to_block;
    if (self && hf__cas64_acq(&rwlock->gate.word, RWLOCK_FREE, hf__rwlock_writer(self))) { /* [A1] */
        return HF_OK;
    }
    return hf_rwlock_lock_until(rwlock, HF_FOREVER);
}

hf_result hf_rwlock_trylock(hf_rwlock *rwlock)
{
    uint32_t self = hf_thread_id();
    return hf__owned_try(&rwlock->gate, self, hf__rwlock_writer(self), HF__RWLOCK_READERS);
}

hf_result hf_rwlock_lock_until(hf_rwlock *rwlock, int64_t deadline_ns)
{
    uint32_t self = hf_thread_id();
    uint32_t writer = hf__rwlock_writer(self);
    return hf__owned_enter_until(&rwlock->gate, self, writer, HF__RWLOCK_READERS, deadline_ns,
                                 HF__CALL("hf_rwlock_lock_async"));
}

hf_result hf_rwlock_unlock(hf_rwlock *rwlock)
{
    uint32_t writer = hf__rwlock_writer(hf_thread_id());
    if (hf__cas64_rel(&rwlock->gate.word, writer, RWLOCK_FREE)) { /* [R1] */
        return HF_OK;
    }
    return hf__owned_leave(&rwlock->gate, writer);
}

hf_result hf_rwlock_downgrade(hf_rwlock *rwlock)
{
    hf_result result = hf__rwlock_downgrade(rwlock, hf__rwlock_writer(hf_thread_id()));
    return result == HF_NOT_OWNER && hf_rwlock_is_mine(rwlock) ? HF_ABANDONED : result;
}

hf_result hf_rwlock_recover(hf_rwlock *rwlock)
{
    return hf__owned_recover(&rwlock->gate, hf__rwlock_writer(hf_thread_id()));
}

hf_result hf_rwlock_lock_shared(hf_rwlock *rwlock)
{
    bool is_known = hf__thread_id_to_block; /* if not, the thread takes its slot first */
    uint64_t word = hf__load64_rlx(&rwlock->gate.word);
    bool is_open = word < HF__RWLOCK_READERS && is_known;
    if (is_open && hf__cas64_acq(&rwlock->gate.word, word, word + HF__SHARED)) { /* [A1] */
        return HF_OK;
    }
    return hf_rwlock_lock_shared_until(rwlock, HF_FOREVER);
}

hf_result hf_rwlock_trylock_shared(hf_rwlock *rwlock)
{
    hf__gate_probe_owner(&rwlock->gate, HF__RWLOCK_READERS, false);
    uint32_t result = hf__gate_try_after(&rwlock->gate, hf_thread_id(), 0, HF__SHARED, HF__RWLOCK_READERS);
    return result & HF__WAIT_MORE ? HF_BUSY : (hf_result)result;
}

hf_result hf_rwlock_lock_shared_until(hf_rwlock *rwlock, int64_t deadline_ns)
{
    uint32_t self = hf_thread_id();
    if (!hf__thread_may_abort() &&
        hf__gate_pass_at_once(&rwlock->gate, self, HF__SHARED, HF__RWLOCK_READERS)) {
        return HF_OK; /* a reader got in, so there is no writer, and the caller is not the writer */
    }
    if (hf__owned_is_mine(&rwlock->gate, hf__rwlock_writer(self))) {
        return HF_DEADLOCK;
    }
    hf__thread_will_block(HF__CALL("hf_rwlock_lock_shared_async"));
    return hf__gate_enter_until(&rwlock->gate, self, HF__SHARED, HF__RWLOCK_READERS, deadline_ns);
}

hf_result hf_rwlock_unlock_shared(hf_rwlock *rwlock)
{
    uint64_t word = hf__load64_rlx(&rwlock->gate.word);
    bool is_by_readers = word != RWLOCK_FREE && word <= HF__RWLOCK_READERS;
    if (is_by_readers && hf__cas64_rel(&rwlock->gate.word, word, word - HF__SHARED)) { /* [R1] */
        return HF_OK;
    }
    return hf__rwlock_release(rwlock, HF__SHARED);
}

bool hf_rwlock_is_mine(const hf_rwlock *rwlock)
{
    return hf__owned_is_mine(&rwlock->gate, hf__rwlock_writer(hf_thread_id()));
}
