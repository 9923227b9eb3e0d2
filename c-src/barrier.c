/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include "barrier.h"

#include <stdbool.h>

#include "futex.h"
#include "holdfast/atomic.h"
#include "inside.h"

/* STATES      round r, n of p --arrives [B1], not the last--> round r, n + 1 of p
 *             round r, p - 1 of p --arrives [B1], the last: wakes all--> round r + 1, 0 of p
 *             round r, n of p --gives up--> round r, n - 1 of p
 *             The word has the round (lower half) and how many have arrived in it (upper half).
 * INVARIANTS  I1  Fewer than p threads have arrived in the present round. A thread is let through when its
 *                 round is over, so no round overtakes an earlier one.
 *             I2  All waiters wait on the lower half. The last thread changes it before it wakes.
 *             I3  A C thread is inside from before it arrives until its last access. So who was let through
 *                 sees that all others of the round are inside, or out again.
 * ORDERS      B1  cas in arrive  acq_rel  B1 A1  the last sees all arrivals, and all others see the last
 *             A1  load in step   acq      B1     what comes after the barrier comes after all arrivals
 * CHECKED     models/ on the shipped bytes; tests/native/barrier_*.c, tests/native/lifetimes.c */

#define ARRIVAL (UINT64_C(1) << 32)

static inline uint32_t round_in(uint64_t word)
{
    return (uint32_t)word;
}

static inline uint32_t arrived_in(uint64_t word)
{
    return (uint32_t)(word >> 32);
}

void hf_barrier_init(hf_barrier *barrier, uint32_t parties)
{
    hf__store64_rlx(&barrier->word, 0);
    hf__store_rlx(&barrier->more, parties - 1);
    hf__store_rlx(&barrier->inside, 0);
}

uint64_t hf__barrier_arrive(hf_barrier *barrier)
{
    uint32_t more = hf__load_rlx(&barrier->more);
    uint64_t word;
    bool is_last;
    do {
        word = hf__load64_rlx(&barrier->word);
        is_last = arrived_in(word) == more;
    } while (
        !hf__cas64_acq_rel(&barrier->word, word, is_last ? round_in(word) + 1 : word + ARRIVAL)); /* [B1] */
    if (!is_last) {
        return round_in(word);
    }
    if (more != 0) {
        hf__wake(hf__low_half(&barrier->word), HF__WAKE_ALL);
    }
    return HF__BARRIER_LAST;
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

hf_result hf_barrier_arrive_and_wait_until(hf_barrier *barrier, int64_t deadline_ns)
{
    hf__inside_enter(&barrier->inside); /* I3 */
    uint64_t arrival = hf__barrier_arrive(barrier);
    uint32_t result = arrival & HF__BARRIER_LAST ? HF_DONE : HF__WAIT_MORE;
    while (result & HF__WAIT_MORE) {
        result = hf__barrier_wait(barrier, (uint32_t)arrival, result, hf__left(deadline_ns));
    }
    hf__inside_leave(&barrier->inside);
    return (hf_result)result;
}

bool hf_barrier_arrive_and_wait(hf_barrier *barrier)
{
    return hf_barrier_arrive_and_wait_until(barrier, HF_FOREVER) == HF_DONE;
}

hf_result hf_barrier_destroy_until(hf_barrier *barrier, int64_t deadline_ns)
{
    return hf__inside_wait_until(&barrier->inside, deadline_ns);
}

void hf_barrier_destroy(hf_barrier *barrier)
{
    hf_barrier_destroy_until(barrier, HF_FOREVER);
}
