/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include <stddef.h>
#include <string.h>

#include "contestants.h"
#include "holdfast/holdfast.h"
#include "loops.h"

/* How far apart two things lie that different threads write: locks of a thread each, and a lock of all
 * threads and what it guards. The contestants are distances. */

enum { NEAR = 16, ONE_LINE = CACHE_LINE, TWO_LINES = 2 * CACHE_LINE };

static unsigned char places[THREADS_MAX * TWO_LINES] __attribute__((aligned(TWO_LINES)));

static void clear(arena *arena)
{
    (void)arena;
    memset(places, 0, sizeof(places));
}

/* A thread's own lock. */
__attribute__((always_inline)) static inline bool repeat_own(arena *arena, uint32_t thread, size_t distance,
                                                             call *take, call *give)
{
    void *lock = &places[thread * distance];
    for (int time = 0; time < SECTIONS_A_CALL && !arena_is_stopped(arena); time += 1) {
        take(lock);
        arena->tallies[thread].sections += 1;
        give(lock);
    }
    return !arena_is_stopped(arena);
}

/* The lock of all, and the data that it guards. */
__attribute__((always_inline)) static inline bool repeat_shared(arena *arena, uint32_t thread,
                                                                size_t distance, call *take, call *give)
{
    volatile uint64_t *data = (uint64_t *)(places + distance);
    for (int time = 0; time < SECTIONS_A_CALL && !arena_is_stopped(arena); time += 1) {
        take(places);
        data[0] += 1;
        data[1] += 1;
        give(places);
        arena->tallies[thread].sections += 1;
    }
    return !arena_is_stopped(arena);
}

static inline void mutex_take(void *lock)
{
    hf_mutex_lock(lock);
}

static inline void mutex_give(void *lock)
{
    hf_mutex_unlock(lock);
}

static inline void rwlock_take(void *lock)
{
    hf_rwlock_lock_shared(lock);
}

static inline void rwlock_give(void *lock)
{
    hf_rwlock_unlock_shared(lock);
}

static inline void semaphore_take(void *lock)
{
    hf_semaphore_leave(lock, 1);
}

static inline void semaphore_give(void *lock)
{
    hf_semaphore_enter(lock, 1);
}

static inline void event_take(void *lock)
{
    hf_event_set(lock);
}

static inline void event_give(void *lock)
{
    hf_event_reset(lock);
}

#define LOOP(repeat, kind, distance)                                                                         \
    static bool repeat##_##kind##_##distance(arena *arena, uint32_t thread)                                  \
    {                                                                                                        \
        return repeat(arena, thread, distance, kind##_take, kind##_give);                                    \
    }
#define LOOPS(kind)                                                                                          \
    LOOP(repeat_own, kind, NEAR) LOOP(repeat_own, kind, ONE_LINE) LOOP(repeat_own, kind, TWO_LINES)

LOOPS(mutex)
LOOPS(rwlock)
LOOPS(semaphore)
LOOPS(event)
LOOP(repeat_shared, mutex, NEAR)
LOOP(repeat_shared, mutex, ONE_LINE)
LOOP(repeat_shared, mutex, TWO_LINES)

#define DISTANCES(kind)                                                                                      \
    {.name = #kind " 16", .prepare = clear, .sections = repeat_own_##kind##_NEAR},                           \
        {.name = #kind " 64", .prepare = clear, .sections = repeat_own_##kind##_ONE_LINE},                   \
    {                                                                                                        \
        .name = #kind " 128", .prepare = clear, .sections = repeat_own_##kind##_TWO_LINES                    \
    }

static const contestant contestants[] = {
    DISTANCES(mutex),
    DISTANCES(rwlock),
    DISTANCES(semaphore),
    DISTANCES(event),
    {.name = "data 16", .prepare = clear, .sections = repeat_shared_mutex_NEAR},
    {.name = "data 64", .prepare = clear, .sections = repeat_shared_mutex_ONE_LINE},
    {.name = "data 128", .prepare = clear, .sections = repeat_shared_mutex_TWO_LINES},
};

const primitive neighbours = {
    .name = "neighbours", .contestants = contestants, .count = COUNT_OF(contestants)};
