/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include "gate.h"

#include <stdbool.h>

#include "futex.h"
#include "gate_async.h"
#include "gate_word.h"

/* STATES      The two halves of the word change together, by one 64-bit compare-exchange. The lower half says
 *             how much is in use, the upper half who is next: the successor, who holds the place. An amount
 *             has room if nothing is in use, or if USED plus the amount is at most the capacity.
 *
 *                           room, no successor: pass [A1]            leave, no successor [R1]
 *              waiter ---------------------------------> inside ----------------------> outside
 *                  | claims the place                       ^
 *                  v               leave [R1]               | the successor [A2], or a waiter that has
 *              successor ---------------------------> CALLED   watched the call long enough [A3]
 *                  ^                                     |
 *                  +-------- not enough room for it -----+
 *
 *             USED       how much is in use; of a mutex or a writer, its identity
 *             SLEEPERS   blocking threads may sleep on the lower half; LARGE: some want more than 1
 *             LINE       event loops may wait on `line`
 *             SUCCESSOR  the identity of the successor; 0: none. ASYNC: an event loop holds the place
 *             POLLS      the longer reservation. Of a blocking thread: it keeps the place. Without a
 *                        successor: the last that passed was an event loop
 *             CALLED     the gate is reserved for the successor
 *             `line`     the senior: the event loop that may claim the place first (gate_async.h); 0: none
 *
 * INVARIANTS  I1  A thread passes only where there is room; and only if there is no successor, it is the
 *                 successor, or it has watched the successor's call for a whole reservation; or it joins
 *                 those inside, being inside here or in another gate, so that nobody waits in a ring.
 *             I2  Who clears a flag wakes those it stands for: all of the line, one sleeper for SLEEPERS, all
 *                 for LARGE. A woken sleeper answers for the others: it sets SLEEPERS again when it waits on,
 *                 passes or gives up. An event loop may be busy, so it sets LINE for itself only. A flag may
 *                 be set with nobody waiting, never clear with a waiter that nobody woke or answers for.
 *             I3  A thread sleeps on a half only for a value with its flag or place, and its waker changes
 *                 that half first: no wake falls between a step and its wait. `line` does not show a wake,
 *                 so there an event loop waits first and sets LINE then.
 *             I4  On the upper half waits only the successor, and one that has just lost the place (I12); on
 *                 `line` only event loops; on the lower half only blocking threads. A wake of the upper half
 *                 or of `line` is for all, so none is lost on an entry given up, or on a busy thread.
 *             I5  A woken thread that passes and leaves room clears the flags: one release may make room for
 *                 several. A successor that leaves none clears LINE; SLEEPERS too if it was an event loop, or
 *                 nobody is in the line: one is enough for the place. One that gives up clears LINE.
 *             I6  After the compare-exchange of a release, only the address is used.
 *             I7  A thread that blocks or tries does not have the place of its event loop, so it overtakes
 *                 nobody behind that. While it holds a mutex, its event loop claims none: it could not pass.
 *             I8  A thread that finds room beside an uncalled place watches it, then calls it with the longer
 *                 reservation. A living successor takes the call back if it needs more room; a dead one does
 *                 not, and anybody may pass by.
 *             I9  A reset of an event shuts the gate and takes a call back; the successor keeps its place.
 *             I10 An event loop leaves a free place to the senior, unless it has waited longer, or has
 *                 watched the senior. A new senior has waited longer than the one before.
 *             I11 Two queues of one thread (two copies of the glue) are one identity, with one place and one
 *                 seniority. Who gives the place back before it was called wakes the upper half, where the
 *                 other queue may wait. A senior that gives up wakes the line.
 *             I12 Blocking threads are awake before any event loop, so an old event loop takes over the place
 *                 of one that was not called yet. But event loops do not follow each other so: who claims the
 *                 place after one has passed keeps it, and so does who was the successor before in this wait.
 *                 Who lost the place sleeps on until the loop is called, or gives the place back.
 *             I13 A writer behind one reader looks before its first sleep, if no limit cuts that short:
 *                 with few threads its core would be idle. Its flags are set by then, so the reader that
 *                 leaves calls for a wake, which takes long enough for a thread that looks to come in. It
 *                 counts as woken.
 *             I14 A leave that gives nothing back, and a shut of what is shut, write the word all the same: a
 *                 set of an event that is set is a signal too. After a load alone, the data of before it
 *                 might come after the next reset, and who resets, looks and waits would miss it.
 *             Slack: an event loop that reads `line` just before it is written may yield to nobody, or to a
 *             loop that is gone, for no longer than it watches.
 *             Slack: a queue that passes or claims ends the seniority of its thread's other queue, until the
 *             next step of that one.
 *             Slack: who watched a call may pass by a later call of the same successor, if as much was in use
 *             then; or by that of another, whose identity differs in just the two bits that number_of folds.
 *
 * ORDERS      site  operation           order  pairs with  why
 *             A1    cas, there is room  acq    R1          the section cannot float above it
 *             A2    cas, own turn       acq    R1          the same
 *             A3    cas, passes by      acq    R1          the same; whom it passes by held nothing
 *             A4    cas in shut         acq    R1          a look after a reset misses no set of before
 *             R1    cas in leave        rel    A1 to A4    the section cannot sink below it
 *             All other changes are read-modify-writes of flags and places, which continue the release
 *             sequence of R1, so relaxed is enough. Loads are relaxed: the compare-exchange or the wait
 *             compares the value again. Where neither follows (a step that only waits on `line`, a waiter
 *             that gives up), the futex has a woken thread read no older word than its waker (futex.h).
 *             A try that fails, a join or a take-over that is refused, and a wait whose time is up end after
 *             a load. They order nothing (holdfast/gate.h), since nothing was taken or given.
 *             `npm run orders` relaxes each of these, and breaks each guarantee.
 * CHECKED     models/ on the shipped bytes: all interleavings of 2 to 5 threads, with the glue as it
 *             ships, amounts, aborts, slices, deaths; tests/native/gate_*.c,
 *             tests/native/mutex_*.c, tests/native/semaphore_*.c and tests/native/rwlock_*.c (plain,
 *             ThreadSanitizer, AddressSanitizer); tests/glue/mutex-threads.test.js,
 *             tests/glue/primitives-threads.test.js and tests/glue/mutex-absent-waiters.test.js
 *
 * Source: one thread that is next while others barge is HotSpot's "heir presumptive" (D. Dice,
 * objectMonitor.cpp); the limit of 1 ms is Go's "starvation mode" (sync/mutex.go). New: a reservation that
 * ends, owner and successor in one word (docs/decisions/0001), amounts (docs/decisions/0002). */

/* I2, I3 */
__attribute__((noinline)) void hf__gate_wake_for(hf__gate *gate, uint64_t word, uint64_t next)
{
    uint64_t dropped = word & ~next;
    /* A call, or a place given back without one (I11). */
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

__attribute__((noinline)) uint64_t hf__gate_pass_now(hf__gate *gate, uint32_t self, hf__kind kind,
                                                     hf__token token, uint32_t amount, uint32_t capacity)
{
    const uint32_t watched = token & HF__NUMBER_MASK;
    const uint64_t others = others_of(kind, token);
    for (;;) {
        uint64_t word = hf__load64_rlx(&gate->word);
        if (!may_pass(word, self, kind, watched) || !has_room(word, amount, capacity)) {
            return word;
        }
        uint64_t next = after_pass(word, kind, others, amount, capacity);
        if (hf__cas64_acq(&gate->word, word, next)) { /* [A1] [A2] [A3] */
            hf__gate_passed(gate, self, amount, capacity);
            hf__gate_wake_any_for(gate, word | others, next);
            return 0;
        }
    }
}

__attribute__((noinline)) hf__outcome hf__gate_step(hf__gate *gate, uint32_t self, hf__kind kind,
                                                    hf__token token, uint32_t amount, uint32_t capacity)
{
    const uint32_t watched = token & HF__NUMBER_MASK;
    const uint32_t overtaken = overtaken_of(token);
    const bool is_patient = kind == HF__BLOCKING && overtaken < OUT_OF_PATIENCE;
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
        bool yields = false;
        /* Event loops in the line would hold the place in turn while this thread naps. */
        bool claims = !is_patient || (overtaken >= NAPS_FROM && (word & ASYNC_WAITERS));
        bool holds_it = for_one && used_in(word) == self; /* I7 */
        bool is_to_be_had = heir_of(word) == 0 || is_late(word, watched) || takes_over(word, kind, token);
        uint64_t next = word;
        if (is_heir(word, self, kind)) {
            next &= ~RESERVED; /* not enough room for it yet */
        } else if (claims && !holds_it && is_to_be_had) {
            yields = hf__oldest_comes_first(line, self, token); /* I10: not where self blocks */
            next = yields ? word : after_claim(word, self, kind, token);
        } else if (heir_of(word) == self && is_beside(word, amount, capacity)) {
            next |= RESERVED; /* I8: its own event loop cannot come while it blocks */
        } else if (watched == number_of(word) && is_beside(word, amount, capacity)) {
            next |= RESERVED | LONG_RESERVATION; /* I8 */
        }
        bool is_heir_now = is_heir(next, self, kind);
        bool naps = overtaken >= NAPS_FROM && !claims && !is_heir_now && !(next & RESERVED);
        if (kind != HF__BLOCKING) {
            next |= token & HF__TOKEN_LISTED ? ASYNC_WAITERS : 0; /* I3 */
        } else if (!naps) {
            next |= SLEEPERS | large;
        }
        if (next == word || hf__cas64_rlx(&gate->word, word, next)) {
            hf__gate_wake_for(gate, word, next);
            if (is_heir_now) {
                hf__oldest_claims(gate, line, self, token);
                if (has_room(next, amount, capacity)) {
                    continue; /* I12: only the place was in its way */
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
            bool beside = !is_patient && is_beside(next, amount, capacity);
            uint64_t polls = (next & RESERVED) && (next & LONG_RESERVATION) ? 1 : 0;
            uint64_t watched_next = next & RESERVED || beside ? number_of(next) : 0;
            return hf__wait_for(beside ? HF__WAIT_BESIDE : HF__WAIT_LINE, expected) |
                   polls << HF__OUTCOME_IS_LONG | watched_next << HF__OUTCOME_WATCHED;
        }
    }
}

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
    } while (!hf__cas64_rel(&gate->word, word, next)); /* [R1] I14 */

    hf__gate_wake_any_for(gate, word, next);
    return leaves;
}

__attribute__((noinline)) void hf__gate_withdraw(hf__gate *gate, uint32_t self, hf__kind kind,
                                                 hf__token token, uint32_t capacity)
{
    const uint64_t others = others_of(kind, token);
    uint64_t word;
    uint64_t next;
    bool was_oldest = hf__oldest_leave(gate, self, kind);
    do {
        word = hf__load64_rlx(&gate->word);
        bool leaves_slot = is_heir(word, self, kind);
        next = (leaves_slot ? without_heir(word) : word) | others;
        /* Self may have been woken to pass or to watch, and no release will wake another. */
        bool is_open = has_room(next, 1, capacity) && (heir_of(next) == 0 || (next & RESERVED));
        if (is_open && (leaves_slot || others)) {
            next &= ~FLAGS;
        } else if (leaves_slot || was_oldest) {
            next &= ~ASYNC_WAITERS;
        }
    } while (next != word && !hf__cas64_rlx(&gate->word, word, next));
    hf__gate_wake_for(gate, word | others, next);
}

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
        uint64_t next = word | RESERVED | LONG_RESERVATION; /* I8 */
        if (hf__cas64_rlx(&gate->word, word, next)) {
            hf__gate_wake_for(gate, word, next);
            word = next;
        }
    }
    return HF__WAIT_MORE | (beside || word & RESERVED ? number_of(word) : 0);
}

__attribute__((noinline)) bool hf__gate_abandon(hf__gate *gate, uint32_t owner, uint32_t left)
{
    uint64_t word;
    uint64_t next;
    do {
        word = hf__load64_rlx(&gate->word);
        if (used_in(word) != owner) {
            return false;
        }
        /* I3: the successor is called, to be told; else it might sleep through this. */
        next = (word & ~(USED | FLAGS)) | left | (heir_of(word) == 0 ? 0 : RESERVED);
    } while (!hf__cas64_rel(&gate->word, word, next)); /* [R1] */
    /* As after a change that drops both flags, and calls a successor: all are woken. */
    hf__gate_wake_for(gate, LARGE | ASYNC_WAITERS, RESERVED);
    return true;
}

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

__attribute__((noinline)) void hf__gate_shut(hf__gate *gate, uint32_t amount)
{
    uint64_t word;
    uint64_t next;
    do {
        word = hf__load64_rlx(&gate->word);
        next = used_in(word) == 0 ? (word & ~RESERVED) + amount : word;
    } while (!hf__cas64_acq(&gate->word, word, next)); /* [A4] I14 */
}
