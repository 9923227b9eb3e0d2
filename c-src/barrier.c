/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include "barrier.h"

#include <stdbool.h>
#include <stddef.h>

#include "futex.h"
#include "holdfast/atomic.h"
#include "inside.h"

/* STATES      round r, n of p --arrives [B1], not the last--> round r, n + 1 of p
 *             round r --waits--> round r, SLEEPS
 *             round r, p - 1 of p --arrives [B1], the last: wakes all--> round r + 1, 0 of p
 *             round r, n of p --gives up--> round r, n - 1 of p
 *             round r, n of p --drops [B1], not the last--> round r, n of p - 1
 *             round r, p - 1 of p --drops [B1], the last: wakes all--> round r + 1, 0 of p - 1
 *             The word has the round and SLEEPS (lower half), p - 1 (MORE), and n (ARRIVED).
 *             If spins do not help, threads sleep at once for some rounds, the pause: `pause` has how many of
 *             them are left (LEFT), and how many the pause has in all (WHOLE, one less than a power of two).
 * INVARIANTS  I1  Fewer than p threads have arrived in the present round. A thread is let through when its
 *                 round is over, so no round overtakes an earlier one.
 *             I2  All waiters wait on the lower half, for a value with SLEEPS. The last thread changes it
 *                 before it wakes. SLEEPS may be set with no sleeper, never clear with one.
 *             I3  The last thread runs the completion when all others have arrived, and then arrives. If
 *                 another thread begins to sleep meanwhile, the completion does not run again. If one gives
 *                 up meanwhile, the round is not over.
 *             I4  `inside` counts a C thread from before it arrives until its last access. So a thread that
 *                 was let through sees each other thread of the round counted, or out again.
 *             Slack: `pause` decides how long a round takes, never whether it ends.
 * ORDERS      B1  cas in arrive   acq_rel  B1 A1 A2  the last sees all arrivals, and all others see the last
 *             A1  load in step    acq      B1        what comes after the barrier comes after all arrivals
 *             A2  load in arrive  acq      B1        so does the completion
 *             Each arrival is a read-modify-write. A wait may end by a load, since a round that is over stays
 *             over.
 * CHECKED     models/ on the shipped bytes; tests/native/barrier_*.c, tests/native/lifetimes.c */

enum { PARTIES_BITS = 16, ARRIVED_AT = HF__BARRIER_PARTIES_AT + PARTIES_BITS };

#define PARTY (UINT64_C(1) << HF__BARRIER_PARTIES_AT)
#define ARRIVAL (UINT64_C(1) << ARRIVED_AT)
#define MORE ((uint64_t)HF_BARRIER_MOST << HF__BARRIER_PARTIES_AT)

#define SLEEPS (UINT32_C(1) << 31)

enum { PAUSE_BITS = 8 };

#define WHOLE ((UINT32_C(1) << PAUSE_BITS) - 1)
#define LEFT (WHOLE << PAUSE_BITS)
#define ONE_LEFT (UINT32_C(1) << PAUSE_BITS)

static inline uint32_t round_in(uint64_t word)
{
    return (uint32_t)word & ~SLEEPS;
}

static inline bool has_sleepers(uint64_t word)
{
    return (uint32_t)word & SLEEPS;
}

/* Returns true if the next arrival is the last. */
static inline bool lacks_one(uint64_t word)
{
    return (word & MORE) >> HF__BARRIER_PARTIES_AT == word >> ARRIVED_AT;
}

void hf_barrier_init(hf_barrier *barrier, uint32_t parties)
{
    hf__store64_rlx(&barrier->word, (parties - 1) * PARTY);
    hf__store_rlx(&barrier->inside, 0);
    hf__store_rlx(&barrier->pause, 0);
}

/* A drop makes the barrier smaller by one, so the round waits for as many threads as after an arrival. */
static inline uint64_t with_arrival(uint64_t word, bool drops)
{
    uint64_t left = drops && (word & MORE) ? word - PARTY : word;
    if (lacks_one(word)) {
        return (left & MORE) | round_in(word + 1);
    }
    return drops ? left : word + ARRIVAL;
}

/* At the end of a round: subtracts one round from the pause; after the pause, halves the length of the next
 * pause. */
static inline void shorten_pause(hf_barrier *barrier)
{
    uint32_t pause = hf__load_rlx(&barrier->pause);
    if (pause) {
        hf__store_rlx(&barrier->pause, pause & LEFT ? pause - ONE_LEFT : pause / 2);
    }
}

/* Returns the word before the arrival. Inlined, since most callers have no completion. */
__attribute__((always_inline)) static inline uint64_t
arrive(hf_barrier *barrier, const hf_barrier_completion *completion, bool drops)
{
    uint64_t word;
    uint64_t completed = 0;
    do {
        word = hf__load64_acq(&barrier->word); /* [A2] */
        const uint64_t last = lacks_one(word) ? word | SLEEPS : 0;
        if (last != 0) {
            shorten_pause(barrier);
        }
        if (completion != NULL && last != 0 && last != completed) {
            completion->run(completion->argument); /* I3 */
        }
        /* `completed` is the word for which the completion has run; 0 if this arrival is not the last, or no
         * longer the last since another thread gave up. (A thread that gives up and arrives again in between
         * is not noticed.) */
        completed = last;
    } while (!hf__cas64_acq_rel(&barrier->word, word, with_arrival(word, drops))); /* [B1] */
    if (lacks_one(word) && has_sleepers(word)) {
        hf__wake(hf__low_half(&barrier->word), HF__WAKE_ALL);
    }
    return word;
}

uint64_t hf__barrier_arrive(hf_barrier *barrier)
{
    uint64_t word = arrive(barrier, NULL, false);
    return lacks_one(word) ? HF__BARRIER_LAST : round_in(word);
}

__attribute__((noinline)) hf__outcome hf__barrier_step(hf_barrier *barrier, uint32_t round)
{
    uint64_t word;
    do {
        word = hf__load64_acq(&barrier->word); /* [A1] */
        if (round_in(word) != round) {
            return HF__DONE;
        }
    } while (!has_sleepers(word) && !hf__cas64_rlx(&barrier->word, word, word | SLEEPS));
    return hf__wait_for(HF__WAIT_TURN, round | SLEEPS);
}

__attribute__((noinline)) hf_result hf__barrier_give_up(hf_barrier *barrier, uint32_t round)
{
    uint64_t word;
    do {
        word = hf__load64_acq(&barrier->word); /* [A1] */
        if (round_in(word) != round) {
            return HF_OK;
        }
    } while (!hf__cas64_rlx(&barrier->word, word, word - ARRIVAL));
    return HF_TIMEOUT;
}

/* Spins help in short rounds with at most one thread a core. With more threads, a spinning thread keeps a
 * core from a thread that has not arrived. After spins have failed repeatedly, only one round in 255 tries
 * them (npm run bench -- barrier). */
static void spin_before_sleep(hf_barrier *barrier, uint32_t round)
{
    uint32_t pause = hf__load_rlx(&barrier->pause);
    if (!(pause & LEFT) && !hf__changes_soon(&barrier->word, 0, ~SLEEPS, round)) {
        uint32_t whole = (2 * pause + 1) & WHOLE;
        hf__store_rlx(&barrier->pause, whole * ONE_LEFT | whole); /* all threads store the same value */
    }
}

/* Waits as hf__wait_once does. Requires: the limit is not 0. */
static uint32_t wait_once(hf_barrier *barrier, uint32_t round, uint32_t before, int64_t limit_ns)
{
    if (before != 0) {
        return hf__wait_once(hf__low_half(&barrier->word), hf__barrier_step(barrier, round), before,
                             limit_ns);
    }
    spin_before_sleep(barrier, round);
    return HF__WAIT_MORE; /* the spin took part of the time limit */
}

uint32_t hf__barrier_wait(hf_barrier *barrier, uint32_t round, uint32_t before, int64_t limit_ns)
{
    return limit_ns == 0 ? hf__barrier_give_up(barrier, round) : wait_once(barrier, round, before, limit_ns);
}

__attribute__((always_inline)) static inline hf_result
arrive_and_wait(hf_barrier *barrier, const hf_barrier_completion *completion, int64_t deadline_ns)
{
    hf__thread_will_block(completion ? HF__CALL("hf_barrier_arrive")
                                     : HF__CALL("hf_barrier_arrive_and_wait_async"));
    hf__inside_enter(&barrier->inside); /* I4 */
    uint64_t word = arrive(barrier, completion, false);
    uint32_t result = HF_DONE;
    if (!lacks_one(word)) {
        result = 0;
        do {
            result = hf__barrier_wait(barrier, round_in(word), result, hf__left(deadline_ns));
        } while (result & HF__WAIT_MORE);
    }
    hf__inside_leave(&barrier->inside);
    return (hf_result)result;
}

hf_result hf_barrier_arrive_and_wait_until(hf_barrier *barrier, int64_t deadline_ns)
{
    return arrive_and_wait(barrier, NULL, deadline_ns);
}

bool hf_barrier_arrive_and_wait(hf_barrier *barrier)
{
    return arrive_and_wait(barrier, NULL, HF_FOREVER) == HF_DONE;
}

bool hf_barrier_arrive_and_wait_with(hf_barrier *barrier, const hf_barrier_completion *completion)
{
    return arrive_and_wait(barrier, completion, HF_FOREVER) == HF_DONE;
}

hf_barrier_token hf_barrier_arrive(hf_barrier *barrier, const hf_barrier_completion *completion)
{
    return round_in(arrive(barrier, completion, false));
}

void hf_barrier_arrive_and_drop(hf_barrier *barrier, const hf_barrier_completion *completion)
{
    arrive(barrier, completion, true);
}

static bool is_over(const hf_barrier *barrier, uint32_t round)
{
    return round_in(hf__load64_acq(&barrier->word)) != round; /* [A1] */
}

hf_result hf_barrier_wait_until(hf_barrier *barrier, hf_barrier_token token, int64_t deadline_ns)
{
    hf__thread_will_block(HF__CALL("hf_barrier_arrive_and_wait_async"));
    hf__inside_enter(&barrier->inside);
    uint32_t result = 0;
    do {
        int64_t left_ns = hf__left(deadline_ns);
        if (left_ns == 0) {
            result =
                is_over(barrier, token) ? HF_OK : HF_TIMEOUT; /* without a sleep, SLEEPS need not be set */
        } else {
            result = wait_once(barrier, token, result, left_ns);
        }
    } while (result & HF__WAIT_MORE);
    hf__inside_leave(&barrier->inside);
    return (hf_result)result;
}

void hf_barrier_wait(hf_barrier *barrier, hf_barrier_token token)
{
    hf_barrier_wait_until(barrier, token, HF_FOREVER);
}

hf_result hf_barrier_destroy_until(hf_barrier *barrier, int64_t deadline_ns)
{
    return hf__inside_wait_until(&barrier->inside, deadline_ns);
}

void hf_barrier_destroy(hf_barrier *barrier)
{
    hf_barrier_destroy_until(barrier, HF_FOREVER);
}
