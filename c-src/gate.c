/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include "gate.h"

#include "futex.h"
#include "senior.h"

/* STATES      The word has two halves that every transition changes together, by one 64-bit
 *             compare-exchange: what is in use (lower) and the successor (upper). A gate has room for an
 *             amount if nothing is in use, or if amount and USED together are within the capacity.
 *
 *                           room, no successor: pass [A1]            leave, no successor [R1]
 *             who waits --------------------------------> inside ---------------------------> outside
 *                  | claims the place                       ^
 *                  v               leave [R1]               | its turn [A2], or anybody who
 *              successor ---------------------------> CALLED   watched for a whole reservation [A3]
 *                  ^                                     |
 *                  +-- there is not enough room for it --+
 *
 *             USED       how much is in use; of a mutex, who has it
 *             SLEEPERS   blocking threads may sleep on the lower half; LARGE: some of them want more than one
 *             LINE       event loops may wait on `line`
 *             `line`     the senior: the event loop that claims the place before others (senior.h); 0: none
 *             SUCCESSOR  the thread that is next, with its kind (ASYNC, POLLS); 0: none
 *             POLLS      its reservation is the longer one, since it comes late, or was called by I8
 *             CALLED     the gate has opened since the successor last looked, and is reserved for it; or one
 *                        who finds room beside its place has asked for it [I8]
 *
 * INVARIANTS  I1  Who passes finds room, and no successor but itself, or one whose call it has watched
 *                 for a whole reservation.
 *             I2  Whoever drops a flag wakes those it stands for. Of the sleepers one, if all of them
 *                 want the same; that one sets the flag again when it has to wait again, passes or
 *                 leaves, since more may sleep. Of the line all, who set the flag again only for
 *                 themselves, since any of them may be busy for long, and can then not answer for others.
 *                 So a flag may be set with nobody waiting, but is never clear with a waiter that was not
 *                 woken, unless a woken sleeper answers for it.
 *             I3  A thread sleeps on a half only for a value in which its flag or its place is set, and
 *                 whoever must wake it changes that half first. So no wake falls between a step and its
 *                 wait. On `line`, whose value says nothing of that, the entry in the queue comes first
 *                 and the flag after it, to the same end.
 *             I4  Only the successor waits on the upper half, only event loops wait on `line`, only
 *                 blocking threads on the lower half. Where an event loop may wait, a wake is for all:
 *                 entries that were given up take none away from others, nor do those of a thread that is
 *                 busy, or blocked in this very gate. Two queues of one thread (two copies of the glue)
 *                 are one identity and share its place: who gives that back before it was called wakes
 *                 the upper half, and who stops being the senior by giving up wakes the line.
 *             I5  Whoever waited, and passes while there is room for more, drops the flags: a release may
 *                 have woken it alone for what was enough for several. Who frees the place of the
 *                 successor drops LINE, and SLEEPERS too where event loops follow each other.
 *             I6  After a release the releasing thread uses the address only, to wake.
 *             I7  A place is that of a thread and of its way to wait: for a thread that blocks or tries, the
 *                 place of its own event loop is another's. So what it does without its event loop
 *                 overtakes nobody who waits behind that place. While a thread has a mutex, its event loop
 *                 claims no place, since it could take nothing there that it has not got.
 *             I8  Who finds room for itself beside a place that is not called watches that place, and then
 *                 calls it: one that lives looks, and takes the call back if there is not enough room for
 *                 it; by one that is dead anybody may pass then. One that lives has the longer time for it,
 *                 and keeps that, since there is no hurry.
 *             I9  Who shuts the gate (an event's reset) passes nobody by: it takes a call back, and the
 *                 successor stays next. Whoever was woken for the call looks again, and waits on.
 *             I10 An event loop leaves a free place to the senior, unless it has waited longer, or watched
 *                 the senior for a whole reservation. Who becomes the senior has waited longer than the
 *                 one before it.
 *             Slack: one that reads `line` just before it is written yields to nobody, or to one that is
 *             gone; for no longer than it watches.
 *             Slack: a queue that passes, or claims the place, takes the rank of another queue of its thread
 *             from `line`, which that one writes again at its next step.
 *             Slack: one that watched a call may pass by another of the same thread, if as much was in
 *             use then. That thread is overtaken once more, and becomes the successor again.
 *
 * ORDERS      site  operation           order  pairs with  why
 *             A1    cas, there is room  acq    R1          the section cannot float above it
 *             A2    cas, own turn       acq    R1          the same
 *             A3    cas, passes by      acq    R1          the same; whom it passes by had nothing
 *             R1    cas in leave        rel    A1 A2 A3    the section cannot sink below it
 *             All else that changes the word changes flags and places. It is a read-modify-write, and so
 *             continues the release sequence that R1 heads: relaxed is enough.
 *             Loads are relaxed, since what was read is compared again by the cas, or by the wait. Where
 *             neither follows (a step that changes nothing and waits on `line`, one that leaves), a
 *             thread that was woken relies on what the queue guarantees (futex.h): its word is not older.
 *             `npm run orders` relaxes each of these, and breaks each guarantee.
 * CHECKED     models/ on the shipped bytes: every interleaving, 2 to 5 threads, event loops with the
 *             glue's own js-glue/waiting/decide.js, amounts, aborts, slices, deaths; tests/native/gate_*.c,
 *             tests/native/mutex_*.c, tests/native/semaphore_*.c and tests/native/rwlock_*.c (plain,
 *             ThreadSanitizer, AddressSanitizer); tests/glue/mutex-threads.test.js,
 *             tests/glue/primitives-threads.test.js and tests/glue/mutex-absent-waiters.test.js
 *             on the built module
 *
 * Waiting in place of a successor is HotSpot's and Go's: "heir presumptive" (D. Dice, objectMonitor.cpp),
 * "starvation mode" after 1 ms (Go, sync/mutex.go). New here: only one place, given to a thread that is
 * awake when it claims it, a reservation that ends, one word for both (docs/decisions/0001), and amounts
 * (docs/decisions/0002). */

#define USED ((uint64_t)HF_THREAD_MASK)
#define LARGE (UINT64_C(1) << HF_THREAD_BITS)
#define LINE (UINT64_C(1) << (HF_THREAD_BITS + 1))
#define SLEEPERS (UINT64_C(1) << (HF_THREAD_BITS + 2))
#define FLAGS (LARGE | LINE | SLEEPERS)

#define SUCCESSOR (USED << 32)
#define ASYNC (UINT64_C(1) << (32 + HF_THREAD_BITS))
#define POLLS (UINT64_C(1) << (32 + HF_THREAD_BITS + 1))
#define CALLED (UINT64_C(1) << (32 + HF_THREAD_BITS + 2))

/* Looks before the first sleep, and looks of an awake successor before it sleeps. The second is about 50 us
 * of looking, which is what a sleep and a wake cost (npm run bench -- handoff): so it never costs more than
 * twice the better choice (A. Karlin et al., "Empirical studies of competitive spinning", 1991). */
enum { LOOKS_BEFORE_SLEEP = 100, LOOKS_AS_SUCCESSOR = 25000 };

/* A thread that was woken and then overtaken naps twice, without asking for another wake, before it becomes
 * the successor: while it naps, releases cost no wake. The first nap is short, since the gate may soon be
 * open; with the second, PATIENCE is over. */
#define FIRST_NAP_NS (HF_PATIENCE_NS / 5)
#define SECOND_NAP_NS (HF_PATIENCE_NS - FIRST_NAP_NS)
enum { NAPS_FROM = 1, OVERTAKEN_ENOUGH = HF__TOKEN_OVERTAKEN_MAX };

static inline uint32_t used_in(uint64_t word)
{
    return (uint32_t)(word & USED);
}

static inline uint32_t successor_of(uint64_t word)
{
    return (uint32_t)((word & SUCCESSOR) >> 32);
}

static inline uint64_t without_successor(uint64_t word)
{
    return word & ~(SUCCESSOR | ASYNC | POLLS | CALLED);
}

static inline bool has_room(uint64_t word, uint32_t amount, uint32_t capacity)
{
    return used_in(word) == 0 || used_in(word) + amount <= capacity;
}

/* What tells one call from another: of whom, and how much was in use. While there is a successor nobody
 * enters but it, so a call of the same thread after another release is another number. A place that is not
 * called has numbers of the same kind, but none that its calls have. */
__attribute__((noinline)) static uint32_t number_of(uint64_t word)
{
    uint32_t number = (successor_of(word) ^ used_in(word) << (HF_THREAD_BITS / 2)) & HF_THREAD_MASK;
    number ^= word & CALLED ? 0 : HF_THREAD_MASK >> 1;
    /* Smaller ones count slices, in a token. */
    return number > HF__SLICES_MOST ? number : HF_THREAD_MASK - number;
}

/* I8: nothing but a place that is not called keeps one from passing that asks for that much. */
static inline bool is_beside(uint64_t word, uint32_t amount, uint32_t capacity)
{
    return successor_of(word) != 0 && !(word & CALLED) && has_room(word, amount, capacity);
}

/* I7: whether self is the successor, in that way. */
static inline bool is_place_of(uint64_t word, uint32_t self, hf__kind kind)
{
    return successor_of(word) == self && !(word & ASYNC) == (kind == HF__BLOCKING);
}

/* I1: nobody is before self, or who is was called and did not come. */
static inline bool may_pass(uint64_t word, uint32_t self, hf__kind kind, uint32_t watched)
{
    return successor_of(word) == 0 || is_place_of(word, self, kind) ||
           (word & CALLED && number_of(word) == watched);
}

static inline uint32_t overtaken_of(hf__token token)
{
    return (token & ~HF__WAIT_MORE) >> HF__TOKEN_OVERTAKEN;
}

/* I2: a thread that may have been woken from the lower half answers for the others there. */
static inline uint64_t others_of(hf__kind kind, hf__token token)
{
    return kind == HF__BLOCKING && overtaken_of(token) ? SLEEPERS : 0;
}

/* What the word becomes when self passes. Who holds something needs no turn, so its place is free. */
static inline uint64_t passed(uint64_t word, uint64_t others, uint32_t amount, uint32_t capacity)
{
    uint64_t next = (without_successor(word) | others) + amount;
    if (successor_of(word) == 0 && !others) {
        return next;
    }
    /* If event loops wait behind an event loop, one of them will take the place that is free now. A sleeper
     * must be awake for that, too; else it is woken by the next release, when nobody has the place. */
    if (((word & ASYNC) && (word & LINE)) || has_room(next, 1, capacity)) {
        return next & ~FLAGS;
    }
    return successor_of(word) ? next & ~LINE : next;
}

/* What the word becomes when the gate opens: the successor is called, or whoever is fast may pass. */
static inline uint64_t opened(uint64_t word)
{
    if (successor_of(word) == 0) {
        return word & ~FLAGS;
    }
    /* An event loop may be busy for long, so somebody must be awake to end its reservation. For a blocking
     * successor that has died, a sleeper's slice is soon enough. */
    return (word & ASYNC ? word & ~FLAGS : word) | CALLED;
}

/* I2, I3: whom a change of the word is for. */
__attribute__((noinline)) static void wake_for(hf__gate *gate, uint64_t word, uint64_t next)
{
    uint64_t dropped = word & ~next;
    /* I4: the call, or a place that was given back without one. */
    if ((next & ~word & CALLED) || (dropped & (ASYNC | CALLED)) == ASYNC) {
        hf__wake(hf__high_half(&gate->word), HF__WAKE_ALL);
    }
    if (dropped & SLEEPERS) {
        hf__wake(hf__low_half(&gate->word), word & LARGE ? HF__WAKE_ALL : 1);
    }
    if (dropped & LINE) {
        hf__wake(&gate->line, HF__WAKE_ALL);
    }
}

/* A place in the word for self, as the successor. */
static inline uint64_t claim_of(uint32_t self, hf__kind kind)
{
    uint64_t async = kind == HF__BLOCKING ? 0 : ASYNC;
    uint64_t polls = kind == HF__POLLING ? POLLS : 0;
    return (uint64_t)self << 32 | async | polls;
}

/* Passes, if that is possible now. Returns 0 if it did, else the word that was in its way. */
__attribute__((noinline)) static uint64_t pass_now(hf__gate *gate, uint32_t self, hf__kind kind,
                                                   hf__token token, uint32_t amount, uint32_t capacity)
{
    const uint32_t watched = token & HF_THREAD_MASK;
    const uint64_t others = others_of(kind, token);
    for (;;) {
        uint64_t word = hf__load64_rlx(&gate->word);
        if (!may_pass(word, self, kind, watched) || !has_room(word, amount, capacity)) {
            return word;
        }
        uint64_t next = passed(word, others, amount, capacity);
        if (hf__cas64_acq(&gate->word, word, next)) { /* [A1] [A2] [A3] */
            wake_for(gate, word | others, next);
            return 0;
        }
    }
}

__attribute__((noinline)) hf__outcome hf__gate_step(hf__gate *gate, uint32_t self, hf__kind kind,
                                                    hf__token token, uint32_t amount, uint32_t capacity)
{
    const uint32_t watched = token & HF_THREAD_MASK;
    const uint32_t overtaken = overtaken_of(token);
    const bool is_patient = kind == HF__BLOCKING && overtaken < OVERTAKEN_ENOUGH;
    const uint64_t large = amount > 1 && capacity != 0 ? LARGE : 0;

    for (;;) {
        uint64_t word = pass_now(gate, self, kind, token, amount, capacity);
        if (word == 0) {
            hf__senior_leave(gate, self, kind);
            return HF__DONE;
        }
        const uint32_t line = kind == HF__BLOCKING ? 0 : hf__load_rlx(&gate->line);
        bool yields = false;
        /* Where event loops wait, they are next one after the other, and would be for as long as it naps. */
        bool claims = !is_patient || (overtaken >= NAPS_FROM && (word & LINE));
        bool has_it = capacity == HF__GATE_FOR_ONE && used_in(word) == self; /* I7 */
        uint64_t next = word;
        if (is_place_of(word, self, kind)) {
            next &= ~CALLED; /* not enough room for it yet */
        } else if (claims && !has_it && may_pass(word, self, kind, watched)) {
            yields = kind != HF__BLOCKING && hf__senior_comes_first(line, self, token);
            next = yields ? word : without_successor(word) | claim_of(self, kind);
        } else if (successor_of(word) == self && is_beside(word, amount, capacity)) {
            next |= CALLED; /* I8: its own event loop, which cannot come while it blocks */
        } else if (watched == number_of(word) && is_beside(word, amount, capacity)) {
            next |= CALLED | POLLS; /* I8 */
        }
        bool its_turn = is_place_of(next, self, kind);
        bool naps = overtaken >= NAPS_FROM && !claims && !its_turn && !(next & CALLED);
        if (kind != HF__BLOCKING) {
            next |= token & HF__TOKEN_IN_LINE ? LINE : 0; /* I3 */
        } else if (!naps) {
            next |= SLEEPERS | large;
        }
        if (next == word || hf__cas64_rlx(&gate->word, word, next)) {
            wake_for(gate, word, next);
            if (its_turn) {
                hf__senior_claimed(gate, line, self, token);
                return hf__wait_for(HF__WAIT_TURN, (uint32_t)(next >> 32));
            }
            uint32_t expected = (uint32_t)next;
            if (kind != HF__BLOCKING) {
                expected = line;
                if (!has_it) {
                    hf__senior_stand(gate, line, self, token);
                }
            }
            if (yields) {
                return hf__wait_for(HF__WAIT_QUEUE, expected) | UINT64_C(1) << HF__OUTCOME_POLLS |
                       (uint64_t)hf__senior_number(line) << HF__OUTCOME_WATCHED;
            }
            bool beside = !is_patient && is_beside(next, amount, capacity);
            uint64_t polls = next & POLLS ? 1 : 0;
            uint64_t watched_next = next & CALLED || beside ? number_of(next) : 0;
            return hf__wait_for(beside ? HF__WAIT_BESIDE : HF__WAIT_QUEUE, expected) |
                   polls << HF__OUTCOME_POLLS | watched_next << HF__OUTCOME_WATCHED;
        }
    }
}

/* An awake successor sees its turn come without a sleep, if sections are short. */
__attribute__((noinline)) static bool turn_comes_soon(const hf__gate *gate, uint32_t self)
{
    for (int look = 0; look < LOOKS_AS_SUCCESSOR; look += 1) {
        uint64_t word = hf__load64_rlx(&gate->word);
        if ((word & CALLED) || successor_of(word) != self) {
            return true;
        }
    }
    return false;
}

static inline uint32_t slices_of(hf__token token)
{
    uint32_t watched = token & HF_THREAD_MASK;
    return watched > HF__SLICES_MOST ? 0 : watched;
}

/* How long a blocking wait may last before the next step. */
static inline int64_t slice_ns(hf__outcome step, uint32_t overtaken, uint32_t slices)
{
    if (hf__next_in(step) == HF__WAIT_BESIDE) {
        return HF_BESIDE_NS;
    }
    if (step >> HF__OUTCOME_WATCHED) {
        bool polls = (step >> HF__OUTCOME_POLLS) & 1;
        return polls ? HF_POLLED_RESERVATION_NS : HF_RESERVATION_NS;
    }
    if (overtaken >= OVERTAKEN_ENOUGH) {
        return hf__slice_ns(slices);
    }
    if (overtaken < NAPS_FROM) {
        return HF_PATIENCE_NS;
    }
    return overtaken == NAPS_FROM ? FIRST_NAP_NS : SECOND_NAP_NS;
}

__attribute__((noinline)) bool hf__gate_leave(hf__gate *gate, uint32_t amount, uint32_t most,
                                              uint32_t opens_at)
{
    uint64_t word;
    uint64_t next;
    do {
        word = hf__load64_rlx(&gate->word);
        if (used_in(word) < amount || used_in(word) > most) {
            return false;
        }
        next = word - amount;
        next = used_in(next) <= opens_at ? opened(next) : next;
    } while (!hf__cas64_rel(&gate->word, word, next)); /* [R1] */

    wake_for(gate, word, next);
    return true;
}

__attribute__((noinline)) void hf__gate_withdraw(hf__gate *gate, uint32_t self, hf__kind kind,
                                                 hf__token token, uint32_t capacity)
{
    const uint64_t others = others_of(kind, token);
    uint64_t word;
    uint64_t next;
    bool was_senior = hf__senior_leave(gate, self, kind);
    do {
        word = hf__load64_rlx(&gate->word);
        bool leaves_place = is_place_of(word, self, kind);
        next = (leaves_place ? without_successor(word) : word) | others;
        /* Nobody will wake another: it may have been woken to pass, or to watch. */
        bool is_open = has_room(next, 1, capacity) && (successor_of(next) == 0 || (next & CALLED));
        if (is_open && (leaves_place || others)) {
            next &= ~FLAGS;
        } else if (leaves_place || was_senior) {
            next &= ~LINE;
        }
    } while (next != word && !hf__cas64_rlx(&gate->word, word, next));
    wake_for(gate, word | others, next);
}

/* What most calls come to. Fails without a reason if another thread changes the word meanwhile. */
static inline bool passes_at_once(hf__gate *gate, uint32_t amount, uint32_t capacity)
{
    uint64_t word = hf__load64_rlx(&gate->word);
    bool is_open = successor_of(word) == 0 && has_room(word, amount, capacity);
    return is_open && hf__cas64_acq(&gate->word, word, word + amount); /* [A1] */
}

/* One that has just come looks for a while before it sleeps. */
static inline bool passes_soon(hf__gate *gate, uint32_t amount, uint32_t capacity)
{
    for (int look = 0; look < LOOKS_BEFORE_SLEEP; look += 1) {
        if (passes_at_once(gate, amount, capacity)) {
            return true;
        }
    }
    return false;
}

/* What a blocking wait does whose time is up: passes if that is possible now, else withdraws. */
static inline hf_result give_up(hf__gate *gate, uint32_t self, hf__token token, uint32_t amount,
                                uint32_t capacity)
{
    /* I2: it may have been woken, so it does not pass as one that nobody waits behind. */
    if (pass_now(gate, self, HF__BLOCKING, token & ~HF_THREAD_MASK, amount, capacity) == 0) {
        return HF_OK;
    }
    hf__gate_withdraw(gate, self, HF__BLOCKING, token, capacity);
    return HF_TIMEOUT;
}

__attribute__((noinline)) uint32_t hf__gate_wait(hf__gate *gate, uint32_t self, hf__token token,
                                                 int64_t limit_ns, uint32_t amount, uint32_t capacity)
{
    if (limit_ns == 0) {
        return give_up(gate, self, token, amount, capacity);
    }
    if (token == 0 && passes_soon(gate, amount, capacity)) {
        return HF_OK;
    }
    hf__outcome step = hf__gate_step(gate, self, HF__BLOCKING, token, amount, capacity);
    if (step == HF__DONE) {
        return HF_OK;
    }
    bool is_next = hf__next_in(step) == HF__WAIT_TURN;
    uint32_t overtaken = overtaken_of(token);
    uint32_t *half = is_next ? hf__high_half(&gate->word) : hf__low_half(&gate->word);
    uint32_t slices = slices_of(token);
    int64_t slice = slice_ns(step, overtaken, slices);
    bool cut_short = limit_ns >= 0 && limit_ns < slice;
    hf__wait_result woken = HF__CHANGED;
    if (!is_next || slices > 0 || !turn_comes_soon(gate, self)) {
        woken = hf__wait(half, (uint32_t)step, cut_short ? limit_ns : slice);
    }
    bool outlasted = woken == HF__TIMED_OUT && !cut_short;
    uint32_t watched = outlasted ? (uint32_t)(step >> HF__OUTCOME_WATCHED) : 0;
    if (overtaken == OVERTAKEN_ENOUGH) {
        watched = outlasted && watched == 0 ? hf__one_slice_more(slices) : watched;
    } else if (woken != HF__CHANGED) {
        bool patience_over = woken == HF__TIMED_OUT && overtaken < NAPS_FROM;
        overtaken = patience_over ? OVERTAKEN_ENOUGH : overtaken + 1;
    }
    return HF__WAIT_MORE | overtaken << HF__TOKEN_OVERTAKEN | watched;
}

void hf__gate_enter(hf__gate *gate, uint32_t self, uint32_t amount, uint32_t capacity)
{
    uint32_t result = 0;
    do {
        result = hf__gate_wait(gate, self, result, -1, amount, capacity);
    } while (result & HF__WAIT_MORE);
}

hf_result hf__gate_enter_until(hf__gate *gate, uint32_t self, uint32_t amount, uint32_t capacity,
                               int64_t deadline_ns)
{
    /* Reading the clock takes longer than all else (npm run bench -- semaphore rwlock). */
    if (passes_at_once(gate, amount, capacity)) {
        return HF_OK;
    }
    uint32_t result = 0;
    do {
        result = hf__gate_wait(gate, self, result, hf__left(deadline_ns), amount, capacity);
    } while (result & HF__WAIT_MORE);
    return (hf_result)result;
}

__attribute__((noinline)) uint32_t hf__gate_try_after(hf__gate *gate, uint32_t self, uint32_t watched,
                                                      uint32_t amount, uint32_t capacity)
{
    uint64_t word = pass_now(gate, self, HF__BLOCKING, watched, amount, capacity);
    if (word == 0) {
        return HF_OK;
    }
    bool beside = is_beside(word, amount, capacity);
    if (beside && watched == number_of(word)) {
        uint64_t next = word | CALLED | POLLS; /* I8 */
        if (hf__cas64_rlx(&gate->word, word, next)) {
            wake_for(gate, word, next);
            word = next;
        }
    }
    return HF__WAIT_MORE | (beside || word & CALLED ? number_of(word) : 0);
}

__attribute__((noinline)) void hf__gate_shut(hf__gate *gate, uint32_t amount)
{
    uint64_t word;
    do {
        word = hf__load64_rlx(&gate->word);
    } while (used_in(word) == 0 && !hf__cas64_rlx(&gate->word, word, (word & ~CALLED) + amount));
}
