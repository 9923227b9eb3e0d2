/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include "gate.h"

#include <stdbool.h>

#include "futex.h"
#include "gate_async.h"
#include "gate_word.h"

/* A gate: a semaphore word that is reserved for one waiter at a time, the heir. gate_word.h has its bits,
 * gate_block.c how blocking threads wait, gate_async.h the order of event loops.
 *
 * STATES
 *                           room, no heir: pass [A1]              leave, no heir [R1]
 *              waiter ---------------------------------> inside ----------------------> outside
 *                  | claims the slot                        ^
 *                  v                leave [R1]              | the heir [A2], or a waiter that has
 *                heir -------------------------> RESERVED --+ watched the reservation long enough [A3]
 *                  ^                                |
 *                  +---- declines: not enough room -+
 *
 * INVARIANTS  I1  A thread passes only where there is room, and only if there is no heir, it is the heir, or
 *                 it has watched the heir's reservation for its whole time. A join passes beside an heir: its
 *                 thread is inside this gate or another one already, so a wait might never end. A repair
 *                 (hf__gate_take_over) replaces a dead holder, beside an heir too.
 *             I2  A change that clears a flag wakes the waiters that the flag stands for: one sleeper for
 *                 SLEEPERS, all sleepers for LARGE, all event loops for ASYNC_WAITERS. A woken sleeper
 *                 answers for the others: it sets SLEEPERS again when it sleeps on, passes or gives up. (In a
 *                 nap, gate_block.c, it need not: it wakes by itself.) Of a gate for one, NAPPER says that a
 *                 thread naps, or was woken to, and answers: then others rely on it, and set no flag. An event
 *                 loop may be busy, so it sets ASYNC_WAITERS for itself alone.
 *             I3  The heir, and a waiter that was just displaced, sleep on the upper half; other blocking
 *                 threads on the lower half; other event loops on `line`. Except in a nap, a thread sleeps on
 *                 a half only for a value with its flag or its slot, and a waker changes the half before it wakes. So no wake
 *                 falls between a step and its wait. No waker changes `line`: an event loop first makes its
 *                 entry there, then sets its flag in a second step. A wake of the upper half or of `line`
 *                 wakes all: a single wake might reach a busy thread, or an entry that was given up.
 *             I4  After the compare-exchange of a release, only the address is used.
 *             I5  An heir that passes or gives up frees the slot, and wakes other waiters to claim it
 *                 (after_pass, hf__gate_withdraw).
 *             I6  Two waiters share the identity of a thread: the thread when it blocks or tries, and its
 *                 event loop. Neither passes in the other's slot. While a thread holds a mutex, its event
 *                 loop claims no slot: it could not pass. Two queues of one event loop (two copies of the
 *                 glue) count as one waiter.
 *
 * AMOUNTS     If all amounts are 1, an heir never waits while there is room. With larger amounts there may be
 *             room for a waiter, but not for the heir. That waiter watches the slot, then reserves the gate
 *             for the heir with LONG_RESERVATION. A living heir declines and keeps the slot. A dead heir does
 *             not answer, and others pass.
 *
 * ORDERS      site  operation           order  pairs with  why
 *             A1    cas, there is room  acq    R1          the section cannot float above it; also in a join
 *                                                        and a repair
 *             A2    cas, own turn       acq    R1          the same
 *             A3    cas, passes by      acq    R1          the same; the late heir held nothing
 *             A4    cas in shut         acq    R1          a read after a reset sees what was written before each earlier set
 *             R1    cas in leave        rel    A1 to A4    the section cannot sink below it; also in abandon
 *             All other changes are read-modify-writes of flags and slots, which continue the release
 *             sequence of R1, so relaxed is enough. Loads are relaxed: the compare-exchange or the wait
 *             compares the value again. If neither follows (a step that only waits on `line`, a waiter that
 *             gives up), the futex makes a woken thread read no older word than its waker (futex.h). A failed
 *             try, a refused join or repair, and a wait whose time is up end after a load. They order nothing
 *             (holdfast/gate.h), since they take and give nothing.
 *             R1 and A4 write the word even if it stays the same: to set an event that is set is a signal
 *             too. If the set only loaded the word, a thread that resets the event, reads the data and waits
 *             could miss data written before that set.
 *             `npm run orders` relaxes each of these in turn, and finds the guarantee that breaks.
 * CHECKED     models/ on the shipped bytes: all interleavings of 2 to 5 threads, with the glue as it
 *             ships, amounts, aborts, slices, deaths; tests/native/gate_*.c,
 *             tests/native/mutex_*.c, tests/native/semaphore_*.c and tests/native/rwlock_*.c (plain,
 *             ThreadSanitizer, AddressSanitizer); tests/glue/mutex-threads.test.js,
 *             tests/glue/primitives-threads.test.js and tests/glue/mutex-absent-waiters.test.js
 *
 * Source: one waiter that is next while others barge is HotSpot's "heir presumptive" (D. Dice,
 * objectMonitor.cpp); the patience of 1 ms is Go's "starvation mode" (sync/mutex.go). New: a reservation that
 * ends, owner and heir in one word, amounts (docs/decisions/0001). */

/* Wakes the waiters whose flag, slot or reservation the change from `word` to `next` touches (I2, I3). */
__attribute__((noinline)) void hf__gate_wake_for(hf__gate *gate, uint64_t word, uint64_t next)
{
    uint64_t dropped = word & ~next;
    /* A displaced thread, or another queue of the event loop, sleeps on the upper half (I3). It is woken when a
     * reservation begins, and when an event loop gives its slot back without one. */
    if ((next & ~word & RESERVED) || (dropped & (ASYNC_HEIR | RESERVED)) == ASYNC_HEIR) {
        hf__wake(hf__high_half(&gate->word), HF__WAKE_ALL);
    }
    if (dropped & (SLEEPERS | LARGE)) {
        hf__wake(hf__low_half(&gate->word), dropped & LARGE ? HF__WAKE_ALL : 1);
    }
    if (dropped & ASYNC_WAITERS) {
        hf__wake(&gate->line, HF__WAKE_ALL);
    }
}

/* Wakes the sleeper that is to nap next, for an heir that has passed a gate for one and set HANDED_OVER. If none
 * sleeps, others that may rely on one by now need SLEEPERS alone. */
__attribute__((noinline)) static void hand_over(hf__gate *gate)
{
    if (hf__wake(hf__low_half(&gate->word), 1) > 0) {
        return;
    }
    uint64_t word;
    do {
        word = hf__load64_rlx(&gate->word);
    } while (is_handed_over(word) && !hf__cas64_rlx(&gate->word, word, word & ~NAPPER));
}

/* Passes if possible. Returns 0, or the word that kept the caller out. */
__attribute__((noinline)) uint64_t hf__gate_pass_now(hf__gate *gate, uint32_t self, hf__kind kind,
                                                     hf__token token, uint32_t amount, uint32_t capacity)
{
    const uint32_t watched = token & HF__NUMBER_MASK;
    const bool answers = was_woken(kind, token);
    for (;;) {
        uint64_t word = hf__load64_rlx(&gate->word);
        if (!may_pass(word, self, kind, watched) || !has_room(word, amount, capacity)) {
            return word;
        }
        uint64_t from = answers ? with_sleepers(word, token, capacity) : word;
        uint64_t next = after_pass(from, kind, answers, amount, capacity);
        if (hf__cas64_acq(&gate->word, word, next)) {      /* [A1] [A2] [A3] */
            hf__gate_passed(gate, self, amount, capacity); /* records it: self may die inside */
            hf__gate_wake_any_for(gate, from, next);
            if (next & ~from & NAPPER) {
                hand_over(gate);
            }
            return 0;
        }
    }
}

/* Passes if possible. Otherwise sets flags, claims the slot or reserves the gate for the heir, and returns
 * the word to wait on, its value, and the number of the obstacle to watch. */
__attribute__((noinline)) hf__outcome hf__gate_step(hf__gate *gate, uint32_t self, hf__kind kind,
                                                    hf__token token, uint32_t amount, uint32_t capacity)
{
    const uint32_t watched = token & HF__NUMBER_MASK;
    const uint32_t stage = stage_of(token);
    const bool is_patient = kind == HF__BLOCKING && !is_out_of_patience(token);
    const bool for_one = capacity == HF__GATE_FOR_ONE;
    const uint64_t large = amount > 1 && !for_one ? LARGE : 0;

    for (;;) {
        uint64_t word = hf__gate_pass_now(gate, self, kind, token, amount, capacity);
        if (word == 0) {
            hf__oldest_leave(gate, self, kind);
            return HF__DONE;
        }
        if (is_abandoned(word, capacity)) {
            return hf__wait_for(HF__DONE, HF_ABANDONED);
        }
        const uint32_t line = kind == HF__BLOCKING ? 0 : hf__load_rlx(&gate->line);
        bool yields = false; /* leaves the free slot to an older event loop */
        /* No nap while event loops wait: they would take the slot one after another meanwhile. */
        bool claims = !is_patient || (stage != PATIENT && (word & ASYNC_WAITERS));
        bool holds_it = for_one && used_in(word) == self; /* I6 */
        bool is_slot_free = heir_of(word) == 0 || is_late(word, watched) || displaces(word, kind, token);
        uint64_t next = word;
        if (is_heir(word, self, kind)) {
            next &= ~RESERVED; /* an heir that needs more room gives the reservation back */
        } else if (claims && !holds_it && is_slot_free) {
            yields = hf__oldest_comes_first(line, self, token);
            next = yields ? word : after_claim(word, self, kind, token);
        } else if (heir_of(word) == self && is_beside(word, amount, capacity)) {
            next |= RESERVED; /* the heir is this thread's event loop, which cannot run while it blocks */
        } else if (watched == number_of(word) && is_beside(word, amount, capacity)) {
            next |= RESERVED | LONG_RESERVATION;
        }
        bool is_heir_now = is_heir(next, self, kind);
        /* Of a gate for one, a napper finds a dead heir early enough: when it claims the slot. */
        bool watches = (next & RESERVED) && (!for_one || (next & ASYNC_HEIR));
        bool relies = for_one && another_naps(next, token);
        bool naps = stage != PATIENT && !claims && !is_heir_now && !watches && !relies;
        /* In its first nap a thread is still a sleeper: the gate may open at once, for it or another one. */
        bool answers = naps && for_one && (stage == HAS_NAPPED || is_handed_over(word));
        if (kind != HF__BLOCKING) {
            next |= token & HF__TOKEN_LISTED ? ASYNC_WAITERS : 0; /* I3 */
        } else if (answers) {
            next = (next & ~SLEEPERS) | NAPPER;
        } else if (!naps || for_one) {
            next = with_sleepers(next, token, capacity) | large;
        }
        if (next == word || hf__cas64_rlx(&gate->word, word, next)) {
            hf__gate_wake_for(gate, word & ~(SLEEPERS | LARGE), next);
            if (is_heir_now) {
                hf__oldest_claims(gate, line, self, token);
                if (has_room(next, amount, capacity)) {
                    continue; /* only the slot kept it out */
                }
                return hf__wait_for(HF__WAIT_TURN, (uint32_t)(next >> 32));
            }
            uint32_t expected = (uint32_t)next;
            if (kind != HF__BLOCKING) {
                expected = line;
                if (!holds_it) {
                    hf__oldest_enlist(gate, line, kind, self, token);
                }
            }
            if (yields) {
                return hf__wait_for(HF__WAIT_BESIDE, expected) | UINT64_C(1) << HF__OUTCOME_IS_LONG |
                       (uint64_t)hf__oldest_number(line) << HF__OUTCOME_WATCHED;
            }
            uint64_t number_of_naps = for_one && is_handed_over(word) ? HF__NAPS_ONCE : HF__NAPS;
            bool beside = !is_patient && is_beside(next, amount, capacity);
            uint64_t is_long = (next & RESERVED) && (next & LONG_RESERVATION) ? 1 : 0;
            uint64_t watched_next = naps ? number_of_naps : next & RESERVED || beside ? number_of(next) : 0;
            return hf__wait_for(beside ? HF__WAIT_BESIDE : HF__WAIT_LINE, expected) |
                   is_long << HF__OUTCOME_IS_LONG | watched_next << HF__OUTCOME_WATCHED;
        }
    }
}

/* Gives `amount` back. Returns false, with the word unchanged, unless `amount` to `most` is in use. */
__attribute__((noinline)) bool hf__gate_leave(hf__gate *gate, uint32_t amount, uint32_t most,
                                              uint32_t opens_at)
{
    uint64_t word;
    uint64_t next;
    bool leaves;
    do {
        word = hf__load64_rlx(&gate->word);
        leaves = used_in(word) >= amount && used_in(word) <= most;
        next = leaves ? after_leave(word, amount, opens_at) : word;
    } while (!hf__cas64_rel(&gate->word, word, next)); /* [R1] also if it gives nothing back */

    hf__gate_wake_any_for(gate, word, next);
    return leaves;
}

/* Ends a wait that has not passed: gives the slot back, and forwards a wake that self may have consumed. */
__attribute__((noinline)) void hf__gate_withdraw(hf__gate *gate, uint32_t self, hf__kind kind,
                                                 hf__token token, uint32_t capacity)
{
    const bool answers = was_woken(kind, token);
    uint64_t word;
    uint64_t from;
    uint64_t next;
    bool was_oldest = hf__oldest_leave(gate, self, kind);
    do {
        word = hf__load64_rlx(&gate->word);
        bool leaves_slot = is_heir(word, self, kind);
        from = answers ? with_sleepers(word, token, capacity) : word;
        next = leaves_slot ? without_heir(from) : from;
        /* Self may have consumed the wake for this opening. No later release would wake another waiter. */
        bool is_open = has_room(next, 1, capacity) && (heir_of(next) == 0 || (next & RESERVED));
        if (is_open && (leaves_slot || answers)) {
            next &= ~flags_to_clear(next, capacity == HF__GATE_FOR_ONE);
        } else if (leaves_slot || was_oldest) {
            next &= ~ASYNC_WAITERS; /* a loop claims the slot only when woken; a thread by itself */
        }
    } while (next != word && !hf__cas64_rlx(&gate->word, word, next));
    hf__gate_wake_for(gate, from, next);
}

/* Tries once, for the glue's tryLock() and the like: the glue keeps the number to watch, and the time since
 * when, from one try to the next. C's tries watch nothing. Returns an hf_result, or the number to watch. */
__attribute__((noinline)) uint32_t hf__gate_try_after(hf__gate *gate, uint32_t self, uint32_t watched,
                                                      uint32_t amount, uint32_t capacity)
{
    uint64_t word = hf__gate_pass_now(gate, self, HF__BLOCKING, watched, amount, capacity);
    if (word == 0) {
        return HF_OK;
    }
    if (is_abandoned(word, capacity)) {
        return HF_ABANDONED;
    }
    bool beside = is_beside(word, amount, capacity);
    if (beside && watched == number_of(word)) {
        uint64_t next = word | RESERVED | LONG_RESERVATION;
        if (hf__cas64_rlx(&gate->word, word, next)) {
            hf__gate_wake_for(gate, word, next);
            word = next;
        }
    }
    return HF__WAIT_MORE | (beside || word & RESERVED ? number_of(word) : 0);
}

/* Puts `left` in the place of a dead owner, and wakes all waiters to see it. */
__attribute__((noinline)) bool hf__gate_abandon(hf__gate *gate, uint32_t owner, uint32_t left)
{
    uint64_t word;
    uint64_t next;
    do {
        word = hf__load64_rlx(&gate->word);
        if (used_in(word) != owner) {
            return false;
        }
        /* I3: the heir sleeps on the upper half, in which only RESERVED changes here. */
        next = (word & ~(USED | FLAGS)) | left | (heir_of(word) == 0 ? 0 : RESERVED);
    } while (!hf__cas64_rel(&gate->word, word, next)); /* [R1] */
    /* Wakes all, as if LARGE and ASYNC_WAITERS were cleared and the gate reserved. */
    hf__gate_wake_for(gate, LARGE | ASYNC_WAITERS, RESERVED);
    return true;
}

/* Makes self the owner of an abandoned gate, to repair what it guards. */
bool hf__gate_take_over(hf__gate *gate, uint32_t left, uint32_t self)
{
    uint64_t word;
    do {
        word = hf__load64_rlx(&gate->word);
        if (used_in(word) != left) {
            return false;
        }
    } while (!hf__cas64_acq(&gate->word, word, (word & ~(USED | RESERVED)) | self)); /* [A1] */
    return true;
}

/* Passes beside the threads inside, whichever waiter is the heir (I1). */
__attribute__((noinline)) bool hf__gate_join(hf__gate *gate, uint32_t amount, uint32_t capacity)
{
    uint64_t word;
    do {
        word = hf__load64_rlx(&gate->word);
        if (used_in(word) == 0 || !has_room(word, amount, capacity)) {
            return false;
        }
    } while (!hf__cas64_acq(&gate->word, word, word + amount)); /* [A1] */
    return true;
}

/* Closes an empty gate. This is the reset of an event; its set is hf__gate_leave. The heir keeps its slot. */
__attribute__((noinline)) void hf__gate_shut(hf__gate *gate, uint32_t amount)
{
    uint64_t word;
    uint64_t next;
    do {
        word = hf__load64_rlx(&gate->word);
        next = used_in(word) == 0 ? (word & ~RESERVED) + amount : word;
    } while (!hf__cas64_acq(&gate->word, word, next)); /* [A4] */
}
