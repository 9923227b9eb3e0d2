/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include "barrier.h"

#include <stdbool.h>
#include <stddef.h>

#include "futex.h"
#include "holdfast/atomic.h"
#include "inside.h"

/* STATES      round r, n of p --arrives [B1], not the last--> round r, n + 1 of p
 *             round r, p - 1 of p --arrives [B1], the last: wakes all--> round r + 1, 0 of p
 *             round r, n of p --gives up--> round r, n - 1 of p
 *             round r, n of p --drops [B1], not the last--> round r, n of p - 1
 *             round r, p - 1 of p --drops [B1], the last: wakes all--> round r + 1, 0 of p - 1
 *             The word has the round (lower half), p - 1 (MORE), and n (ARRIVED).
 * INVARIANTS  I1  Fewer than p threads have arrived in the present round. A thread is let through when its
 *                 round is over, so no round overtakes an earlier one.
 *             I2  All waiters wait on the lower half. The last thread changes it before it wakes.
 *             I3  The last runs the completion before it arrives: nobody else is on the way, so only one that
 *                 gives up can come in between, and then the round is not over.
 *             I4  A C thread is inside from before it arrives until its last access. So who was let through
 *                 sees that all others of the round are inside, or out again.
 * ORDERS      B1  cas in arrive   acq_rel  B1 A1 A2  the last sees all arrivals, and all others see the last
 *             A1  load in step    acq      B1        what comes after the barrier comes after all arrivals
 *             A2  load in arrive  acq      B1        so does the completion
 * CHECKED     models/ on the shipped bytes; tests/native/barrier_*.c, tests/native/lifetimes.c */

enum { PARTIES_BITS = 16, ARRIVED_AT = HF__BARRIER_PARTIES_AT + PARTIES_BITS };

#define PARTY (UINT64_C(1) << HF__BARRIER_PARTIES_AT)
#define ARRIVAL (UINT64_C(1) << ARRIVED_AT)
#define MORE ((uint64_t)HF_BARRIER_MOST << HF__BARRIER_PARTIES_AT)

static inline uint32_t round_in(uint64_t word)
{
    return (uint32_t)word;
}

/* Whoever arrives is the last. */
static inline bool lacks_one(uint64_t word)
{
    return (word & MORE) >> HF__BARRIER_PARTIES_AT == word >> ARRIVED_AT;
}

void hf_barrier_init(hf_barrier *barrier, uint32_t parties)
{
    hf__store64_rlx(&barrier->word, (parties - 1) * PARTY);
    hf__store_rlx(&barrier->inside, 0);
    hf__store_rlx(&barrier->reserved, 0);
}

/* One that drops makes the barrier smaller, so that no more are to come than if it had arrived. */
static inline uint64_t with_arrival(uint64_t word, bool drops)
{
    uint64_t left = drops && (word & MORE) ? word - PARTY : word;
    if (lacks_one(word)) {
        return (left & MORE) | (uint32_t)(round_in(word) + 1);
    }
    return drops ? left : word + ARRIVAL;
}

/* Returns the word that it has changed. */
static inline uint64_t arrive(hf_barrier *barrier, const hf_barrier_completion *completion, bool drops)
{
    uint64_t word;
    do {
        word = hf__load64_acq(&barrier->word); /* [A2] */
        if (completion != NULL && lacks_one(word)) {
            completion->run(completion->argument); /* I3 */
        }
    } while (!hf__cas64_acq_rel(&barrier->word, word, with_arrival(word, drops))); /* [B1] */
    if (lacks_one(word) && (word & MORE)) {
        hf__wake(hf__low_half(&barrier->word), HF__WAKE_ALL);
    }
    return word;
}

uint64_t hf__barrier_arrive(hf_barrier *barrier)
{
    uint64_t word = arrive(barrier, NULL, false);
    return lacks_one(word) ? HF__BARRIER_LAST : round_in(word);
}

hf__outcome hf__barrier_step(const hf_barrier *barrier, uint32_t round)
{
    uint64_t word = hf__load64_acq(&barrier->word); /* [A1] */
    return round_in(word) == round ? hf__wait_for(HF__WAIT_TURN, round) : HF__DONE;
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

uint32_t hf__barrier_wait(hf_barrier *barrier, uint32_t round, uint32_t before, int64_t limit_ns)
{
    if (limit_ns == 0) {
        return hf__barrier_give_up(barrier, round);
    }
    return hf__wait_once(hf__low_half(&barrier->word), hf__barrier_step(barrier, round), before, limit_ns);
}

static hf_result arrive_and_wait(hf_barrier *barrier, const hf_barrier_completion *completion,
                                 int64_t deadline_ns)
{
    hf__inside_enter(&barrier->inside); /* I4 */
    uint64_t word = arrive(barrier, completion, false);
    uint32_t result = lacks_one(word) ? HF_DONE : HF__WAIT_MORE;
    while (result & HF__WAIT_MORE) {
        result = hf__barrier_wait(barrier, round_in(word), result, hf__left(deadline_ns));
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

hf_result hf_barrier_wait_until(hf_barrier *barrier, hf_barrier_token token, int64_t deadline_ns)
{
    hf__inside_enter(&barrier->inside);
    uint32_t result = 0;
    do {
        hf__outcome step = hf__barrier_step(barrier, token);
        result = hf__wait_once(hf__low_half(&barrier->word), step, result, hf__left(deadline_ns));
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
