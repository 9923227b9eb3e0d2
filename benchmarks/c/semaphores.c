/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include <semaphore.h>
#include <stdbool.h>

#include "contestants.h"
#include "holdfast/holdfast.h"
#include "loops.h"

/* Two permits: the least that is no mutex. */
enum { PERMITS = 2 };

static inline void section_with_permit(arena *arena, uint32_t thread)
{
    tally *own = &arena->tallies[thread];
    own->torn += hf__add_rlx(&arena->inside, 1) >= PERMITS;
    arena_work(arena);
    hf__add_rlx(&arena->inside, -UINT32_C(1));
    own->sections += 1;
}

/* ---- holdfast ---- */

static void holdfast_prepare(arena *arena)
{
    hf_semaphore_init((hf_semaphore *)arena->lock, PERMITS, PERMITS);
}

static inline void holdfast_enter(void *semaphore)
{
    hf_semaphore_enter(semaphore, 1);
}

static inline void holdfast_leave(void *semaphore)
{
    hf_semaphore_leave(semaphore, 1);
}

static void holdfast_pairs(arena *arena, uint32_t times)
{
    repeat_pairs(arena, times, holdfast_enter, holdfast_leave);
}

static bool holdfast_sections(arena *arena, uint32_t thread)
{
    return repeat_sections(arena, thread, holdfast_enter, holdfast_leave, section_with_permit);
}

/* ---- sem_t of the C library ---- */

static void sem_prepare(arena *arena)
{
    sem_init((sem_t *)arena->lock, 0, PERMITS);
}

static inline void sem_enter(void *semaphore)
{
    sem_wait(semaphore);
}

static inline void sem_leave(void *semaphore)
{
    sem_post(semaphore);
}

static void sem_pairs(arena *arena, uint32_t times)
{
    repeat_pairs(arena, times, sem_enter, sem_leave);
}

static bool sem_sections(arena *arena, uint32_t thread)
{
    return repeat_sections(arena, thread, sem_enter, sem_leave, section_with_permit);
}

static const contestant contestants[] = {
    {.name = "holdfast", .prepare = holdfast_prepare, .pairs = holdfast_pairs, .sections = holdfast_sections},
    {.name = "sem_t", .prepare = sem_prepare, .pairs = sem_pairs, .sections = sem_sections},
};

const primitive semaphores = {
    .name = "semaphore", .contestants = contestants, .count = COUNT_OF(contestants)};
