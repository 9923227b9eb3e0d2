/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#define _XOPEN_SOURCE 600 /* pthread_barrier_t */
#include <pthread.h>
#include <stdbool.h>

#include "contestants.h"
#include "holdfast/holdfast.h"

typedef void call(void *barrier);

/* In each round a thread counts, arrives, and sees that its neighbour has counted too. All must stop after
 * the same round: the first thread says before it arrives whether that round is the last. It can say so of a
 * later round only when all have seen what it said of the last but one, so two places are enough. */
__attribute__((always_inline)) static inline bool repeat_rounds(arena *arena, uint32_t thread, call *arrive)
{
    tally *own = &arena->tallies[thread];
    const tally *neighbour = &arena->tallies[(thread + 1) % arena->threads];
    for (int round = 0; round < SECTIONS_A_CALL; round += 1) {
        const uint32_t number = own->sections + 1;
        uint32_t *ends = &arena->ends[number % 2];
        if (thread == 0) {
            hf__store_rlx(ends, arena_is_stopped(arena));
        }
        own->sections = number;
        arrive(arena->lock);
        own->torn += (int32_t)(neighbour->sections - number) < 0;
        if (hf__load_rlx(ends)) {
            return false;
        }
    }
    return true;
}

/* ---- holdfast ---- */

static void holdfast_prepare(arena *arena)
{
    hf_barrier_init((hf_barrier *)arena->lock, arena->threads);
}

static inline void holdfast_arrive(void *barrier)
{
    hf_barrier_arrive_and_wait(barrier);
}

static bool holdfast_rounds(arena *arena, uint32_t thread)
{
    return repeat_rounds(arena, thread, holdfast_arrive);
}

/* ---- pthread_barrier_t of the C library ---- */

static void pthread_prepare(arena *arena)
{
    pthread_barrier_init((pthread_barrier_t *)arena->lock, NULL, arena->threads);
}

static inline void pthread_arrive(void *barrier)
{
    pthread_barrier_wait(barrier);
}

static bool pthread_rounds(arena *arena, uint32_t thread)
{
    return repeat_rounds(arena, thread, pthread_arrive);
}

static const contestant contestants[] = {
    {.name = "holdfast", .prepare = holdfast_prepare, .sections = holdfast_rounds},
    {.name = "pthread_barrier", .prepare = pthread_prepare, .sections = pthread_rounds},
};

const primitive barriers = {.name = "barrier", .contestants = contestants, .count = COUNT_OF(contestants)};
