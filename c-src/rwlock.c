/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include "rwlock.h"

#include <stdbool.h>

#include "gate_word.h"
#include "holdfast/atomic.h"

/* STATES      free --lock shared [A1]--> 1 reader --lock shared [A1]--> 2 ... --unlock shared [R1]--> free
 *             free --lock [A1]--> a writer --unlock [R1]--> free
 *                                 a writer --downgrade [R1]--> 1 reader
 *             a writer --it is found dead [R1]--> abandoned --recover [A1]--> another writer; as mutex.c
 *             n readers --lock upgradable [A1]--> upgradable, n readers --unlock upgradable [R1]--> n readers
 *             upgradable, 0 readers --upgrade [A1]--> a writer
 *             upgradable, n readers --upgrade--> upgrading, n readers --unlock shared [R1], n times, then a
 *                                                step of the upgrade [A1]--> a writer
 *             upgrading, n readers --the upgrade gives up [R1]--> upgradable, n readers
 * INVARIANTS  I1  The amount in use of the gate is one of these:
 *                     n                      readers, fewer than HF__UPGRADABLE
 *                     HF__UPGRADABLE + n     the upgradable reader, and n readers beside it
 *                     HF__UPGRADING + n      the same, but it waits to be the writer, and nobody fits in
 *                     a writer's identity, which fits into an empty gate only, and nobody fits beside it
 *                 The writer's identity is in the word from the instruction that passes to the one that
 *                 leaves. So a thread that finds the writer dead knows that it held the lock.
 *             I2  Readers wait for a writer to leave, writers for anybody, an upgradable reader for another one
 *                 or a writer: the gate opens at 0, and when a writer or an upgradable reader leaves, stays as
 *                 a reader, or gives an upgrade up. An heir that does not fit in declines then (gate.c).
 *             I3  An upgrade waits outside of the gate's order: a blocking one on the lower half for the value
 *                 that it has seen, an event loop on `own`, with an entry before its last step. The last
 *                 reader beside it wakes both. The blocking one may take a wake that was for another sleeper,
 *                 so it sets SLEEPERS (I2 of gate.c).
 *             I4  `own` is the upgradable reader, by its amount as a writer: written after it has passed, and
 *                 cleared in the step in which it leaves or becomes the writer. Its thread does that, or, with a
 *                 compare-exchange, a thread that has found it dead. So the amount of one upgradable reader
 *                 is taken from the gate once, and never that of the next one, which has not written `own`
 *                 yet.
 *             I5  An upgrade passes beside an heir, which keeps its slot: the heir may wait for the upgradable
 *                 reader to leave.
 *             I6  Between the change of `own` and that of the gate no function is called and no loop begins:
 *                 engines end a thread only at such a point, or in a wait (I2 of holds.c).
 *             Slack: a thread that dies between its pass and the note of it stays the upgradable reader for ever.
 * ORDERS      A1  cas in lock    acq  R1  the section cannot float above it; here, in an upgrade, and in gate.c
 *             R1  cas in unlock  rel  A1  the section cannot sink below it; the same, and in a downgrade
 * CHECKED     as gate.c, which has the algorithm; models/programs/rwlock.scenarios.js,
 *             tests/native/rwlock_*.c; deaths: models/programs/agents.scenarios.js,
 *             tests/verification/holds.test.js (I6), tests/native/threads_test.c */

/* The word if no thread is inside, is the heir, or sleeps. */
#define RWLOCK_FREE UINT64_C(0)

static inline bool has_readers(uint64_t word)
{
    return used_in(word) <= HF__RWLOCK_MOST && used_in(word) % HF__UPGRADABLE != 0;
}

/* Does not call hf__gate_leave: an unlock by a thread that reads nothing must not reduce the upgradable
 * reader's amount. */
static bool leave_shared(hf__gate *gate)
{
    uint64_t word;
    uint64_t next;
    do {
        word = hf__load64_rlx(&gate->word);
        if (!has_readers(word)) {
            return false;
        }
        next = after_leave(word, HF__SHARED, 0);
    } while (!hf__cas64_rel(&gate->word, word, next)); /* [R1] */
    hf__gate_wake_any_for(gate, word, next);
    if (used_in(next) == HF__UPGRADING) {
        hf__wake(hf__low_half(&gate->word), HF__WAKE_ALL); /* I3 */
        hf__wake(&gate->own, HF__WAKE_ALL);
    }
    return true;
}

__attribute__((noinline)) bool hf__rwlock_leave_upgradable(hf_rwlock *rwlock, uint32_t writer, uint32_t kept)
{
    hf__gate *gate = &rwlock->gate;
    uint64_t word;
    uint64_t next;
    bool is_done;
    do {
        word = hf__load64_rlx(&gate->word);
        uint32_t amount = used_in(word) > HF__RWLOCK_CAPACITY ? HF__UPGRADING : HF__UPGRADABLE;
        next = after_leave(word, amount - kept, HF__RWLOCK_MOST);
        if (!hf__is_upgradable(used_in(word)) || !hf__cas_rlx(&gate->own, writer, 0)) { /* I4 */
            return false;
        }
        is_done = hf__cas64_rel(&gate->word, word, next); /* [R1] I6 */
        if (!is_done) {
            hf__store_rlx(&gate->own, writer);
        }
    } while (!is_done);
    hf__gate_wake_any_for(gate, word, next);
    return true;
}

hf_result hf__rwlock_release(hf_rwlock *rwlock, uint32_t amount)
{
    bool is_done;
    if (amount == HF__SHARED) {
        is_done = leave_shared(&rwlock->gate);
    } else if (amount == HF__UPGRADABLE) {
        uint32_t reader = hf__load_rlx(&rwlock->gate.own);
        is_done = reader != 0 && hf__rwlock_leave_upgradable(rwlock, reader, 0);
    } else {
        is_done = hf__gate_leave(&rwlock->gate, amount, amount, 0);
    }
    return is_done ? HF_OK : HF_NOT_OWNER;
}

void hf__rwlock_note_upgradable(hf_rwlock *rwlock, uint32_t writer)
{
    hf__store_rlx(&rwlock->gate.own, writer);
}

bool hf__rwlock_is_upgradable_by(const hf_rwlock *rwlock, uint32_t writer)
{
    return hf__load_rlx(&rwlock->gate.own) == writer;
}

hf_result hf__rwlock_downgrade(hf_rwlock *rwlock, uint32_t writer)
{
    hf__gate *gate = &rwlock->gate;
    if (hf__rwlock_leave_upgradable(rwlock, writer, HF__SHARED)) {
        return HF_OK;
    }
    /* The first test is needed: `writer - HF__SHARED` may be the identity of another writer, which
     * hf__gate_leave would release. */
    bool is_done =
        hf__owned_is_by(gate, writer) && hf__gate_leave(gate, writer - HF__SHARED, writer, HF__SHARED);
    return is_done ? HF_OK : HF_NOT_OWNER;
}

/* One attempt to become the writer, whichever waiter is the heir (I5). If there are readers, an attempt that
 * `waits` keeps new ones out. Returns 0, or the word that has readers. */
__attribute__((noinline)) static uint64_t pass_as_writer(hf_rwlock *rwlock, uint32_t writer, bool waits,
                                                         uint64_t flag)
{
    hf__gate *gate = &rwlock->gate;
    uint64_t word;
    uint64_t next;
    bool passes;
    do {
        word = hf__load64_rlx(&gate->word);
        passes = !has_readers(word);
        uint32_t upgrading = HF__UPGRADING + used_in(word) % HF__UPGRADABLE;
        next = (word & ~USED) | (passes ? writer : waits ? upgrading | flag : used_in(word));
    } while (next != word && !hf__cas64_acq(&gate->word, word, next)); /* [A1] */
    if (passes) {
        hf__store_rlx(&gate->own, 0); /* I6 */
    }
    return passes ? 0 : next;
}

hf_result hf__rwlock_try_upgrade(hf_rwlock *rwlock, uint32_t writer)
{
    return pass_as_writer(rwlock, writer, false, 0) ? HF_BUSY : HF_OK;
}

hf__outcome hf__rwlock_upgrade_step(hf_rwlock *rwlock, uint32_t writer)
{
    return pass_as_writer(rwlock, writer, true, 0) ? hf__wait_for(HF__WAIT_LINE, writer) : HF__DONE;
}

static inline void stop_waiting(hf_rwlock *rwlock)
{
    hf__gate_leave(&rwlock->gate, HF__UPGRADABLE, HF__RWLOCK_MOST, HF__RWLOCK_CAPACITY);
}

void hf__rwlock_give_up_upgrade(hf_rwlock *rwlock)
{
    if (hf__gate_used(&rwlock->gate) > HF__RWLOCK_CAPACITY) {
        stop_waiting(rwlock);
    }
}

uint32_t hf__rwlock_upgrade_wait(hf_rwlock *rwlock, uint32_t writer, uint32_t before, int64_t limit_ns)
{
    uint64_t word = pass_as_writer(rwlock, writer, true, SLEEPERS);
    if (word == 0) {
        return HF_OK;
    }
    if (limit_ns == 0) {
        stop_waiting(rwlock);
        return HF_TIMEOUT;
    }
    hf__outcome step = hf__wait_for(HF__WAIT_LINE, (uint32_t)word);
    return hf__wait_once(hf__low_half(&rwlock->gate.word), step, before, limit_ns);
}

/* Locks a free lock without calling the gate, in 0.7 to 0.9 of the time (npm run bench -- rwlock). A reader
 * also does so if other readers hold the lock. */
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
    return hf__owned_try(&rwlock->gate, self, hf__rwlock_writer(self), HF__RWLOCK_CAPACITY);
}

hf_result hf_rwlock_lock_until(hf_rwlock *rwlock, int64_t deadline_ns)
{
    uint32_t self = hf_thread_id();
    uint32_t writer = hf__rwlock_writer(self);
    if (hf__rwlock_is_upgradable_by(rwlock, writer)) {
        return HF_DEADLOCK;
    }
    return hf__owned_enter_until(&rwlock->gate, self, writer, HF__RWLOCK_CAPACITY, deadline_ns,
                                 HF__CALL("hf_rwlock_lock_async"));
}

hf_result hf_rwlock_unlock(hf_rwlock *rwlock)
{
    uint32_t writer = hf__rwlock_writer(hf_thread_id());
    if (hf__cas64_rel(&rwlock->gate.word, writer, RWLOCK_FREE)) { /* [R1] */
        return HF_OK;
    }
    return hf__owned_leave(&rwlock->gate, writer, 0);
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
    bool is_open = word < HF__RWLOCK_CAPACITY && is_known;
    if (is_open && hf__cas64_acq(&rwlock->gate.word, word, word + HF__SHARED)) { /* [A1] */
        return HF_OK;
    }
    return hf_rwlock_lock_shared_until(rwlock, HF_FOREVER);
}

hf_result hf_rwlock_trylock_shared(hf_rwlock *rwlock)
{
    hf__gate_probe_owner(&rwlock->gate, HF__RWLOCK_CAPACITY, false);
    uint32_t result = hf__gate_try_after(&rwlock->gate, hf_thread_id(), 0, HF__SHARED, HF__RWLOCK_CAPACITY);
    return result & HF__WAIT_MORE ? HF_BUSY : (hf_result)result;
}

/* Returns whether that thread is the writer or the upgradable reader. */
static bool holds_other_mode(const hf_rwlock *rwlock, uint32_t writer)
{
    return hf__rwlock_is_upgradable_by(rwlock, writer) || hf__owned_is_mine(&rwlock->gate, writer);
}

hf_result hf_rwlock_lock_shared_until(hf_rwlock *rwlock, int64_t deadline_ns)
{
    uint32_t self = hf_thread_id();
    if (!hf__thread_may_abort() &&
        hf__gate_pass_at_once(&rwlock->gate, self, HF__SHARED, HF__RWLOCK_CAPACITY)) {
        return HF_OK; /* a reader got in, so there is no writer, and the caller is not the writer */
    }
    if (holds_other_mode(rwlock, hf__rwlock_writer(self))) {
        return HF_DEADLOCK;
    }
    hf__thread_will_block(HF__CALL("hf_rwlock_lock_shared_async"));
    return hf__gate_enter_until(&rwlock->gate, self, HF__SHARED, HF__RWLOCK_CAPACITY, deadline_ns);
}

hf_result hf_rwlock_unlock_shared(hf_rwlock *rwlock)
{
    uint64_t word = hf__load64_rlx(&rwlock->gate.word);
    bool is_by_readers = word <= HF__RWLOCK_CAPACITY && has_readers(word);
    if (is_by_readers && hf__cas64_rel(&rwlock->gate.word, word, word - HF__SHARED)) { /* [R1] */
        return HF_OK;
    }
    return hf__rwlock_release(rwlock, HF__SHARED);
}

bool hf_rwlock_is_mine(const hf_rwlock *rwlock)
{
    return hf__owned_is_mine(&rwlock->gate, hf__rwlock_writer(hf_thread_id()));
}

hf_result hf_rwlock_lock_upgradable(hf_rwlock *rwlock)
{
    return hf_rwlock_lock_upgradable_until(rwlock, HF_FOREVER);
}

hf_result hf_rwlock_trylock_upgradable(hf_rwlock *rwlock)
{
    uint32_t self = hf_thread_id();
    hf__gate_probe_owner(&rwlock->gate, HF__RWLOCK_CAPACITY, false);
    uint32_t result = hf__gate_try_after(&rwlock->gate, self, 0, HF__UPGRADABLE, HF__RWLOCK_CAPACITY);
    if (result == HF_OK) {
        hf__rwlock_note_upgradable(rwlock, hf__rwlock_writer(self));
    }
    return result & HF__WAIT_MORE ? HF_BUSY : (hf_result)result;
}

hf_result hf_rwlock_lock_upgradable_until(hf_rwlock *rwlock, int64_t deadline_ns)
{
    uint32_t self = hf_thread_id();
    uint32_t writer = hf__rwlock_writer(self);
    if (holds_other_mode(rwlock, writer)) {
        return HF_DEADLOCK;
    }
    hf__thread_will_block(HF__CALL("hf_rwlock_lock_upgradable_async"));
    hf_result result =
        hf__gate_enter_until(&rwlock->gate, self, HF__UPGRADABLE, HF__RWLOCK_CAPACITY, deadline_ns);
    if (result == HF_OK) {
        hf__rwlock_note_upgradable(rwlock, writer);
    }
    return result;
}

hf_result hf_rwlock_unlock_upgradable(hf_rwlock *rwlock)
{
    return hf__rwlock_leave_upgradable(rwlock, hf__rwlock_writer(hf_thread_id()), 0) ? HF_OK : HF_NOT_OWNER;
}

hf_result hf_rwlock_upgrade(hf_rwlock *rwlock)
{
    return hf_rwlock_upgrade_until(rwlock, HF_FOREVER);
}

hf_result hf_rwlock_try_upgrade(hf_rwlock *rwlock)
{
    uint32_t writer = hf__rwlock_writer(hf_thread_id());
    if (!hf__rwlock_is_upgradable_by(rwlock, writer)) {
        return HF_NOT_OWNER;
    }
    return hf__rwlock_try_upgrade(rwlock, writer);
}

hf_result hf_rwlock_upgrade_until(hf_rwlock *rwlock, int64_t deadline_ns)
{
    uint32_t writer = hf__rwlock_writer(hf_thread_id());
    if (!hf__rwlock_is_upgradable_by(rwlock, writer)) {
        return HF_NOT_OWNER;
    }
    hf__thread_will_block(HF__CALL("hf_rwlock_upgrade_async"));
    uint32_t result = 0;
    do {
        result = hf__rwlock_upgrade_wait(rwlock, writer, result, hf__left(deadline_ns));
    } while (result & HF__WAIT_MORE);
    return (hf_result)result;
}

bool hf_rwlock_is_upgradable_mine(const hf_rwlock *rwlock)
{
    return hf__rwlock_is_upgradable_by(rwlock, hf__rwlock_writer(hf_thread_id()));
}
