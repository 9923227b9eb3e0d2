/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#define _XOPEN_SOURCE 600 /* pthread_rwlock_t */
#include <pthread.h>
#include <stdbool.h>

#include "contestants.h"
#include "holdfast/holdfast.h"
#include "loops.h"

/* The calls of a reader-writer lock. */
typedef struct calls {
    call *lock;
    call *unlock;
    call *lock_shared;
    call *unlock_shared;
} calls;

__attribute__((always_inline)) static inline void repeat_either(arena *arena, uint32_t times, calls of)
{
    if (arena->reads_in_100 == 0) {
        repeat_pairs(arena, times, of.lock, of.unlock);
    } else {
        repeat_pairs(arena, times, of.lock_shared, of.unlock_shared);
    }
}

__attribute__((always_inline)) static inline bool repeat_reads_and_writes(arena *arena, uint32_t thread,
                                                                          calls of)
{
    for (int section = 0; section < SECTIONS_A_CALL && !arena_is_stopped(arena); section += 1) {
        if (arena_reads_next(arena, thread)) {
            of.lock_shared(arena->lock);
            arena_shared_section(arena, thread);
            of.unlock_shared(arena->lock);
        } else {
            of.lock(arena->lock);
            arena_section(arena, thread);
            of.unlock(arena->lock);
        }
    }
    return !arena_is_stopped(arena);
}

/* ---- holdfast ---- */

static inline void holdfast_lock(void *rwlock)
{
    hf_rwlock_lock(rwlock);
}

static inline void holdfast_unlock(void *rwlock)
{
    hf_rwlock_unlock(rwlock);
}

static inline void holdfast_lock_shared(void *rwlock)
{
    hf_rwlock_lock_shared(rwlock);
}

static inline void holdfast_unlock_shared(void *rwlock)
{
    hf_rwlock_unlock_shared(rwlock);
}

static const calls holdfast = {holdfast_lock, holdfast_unlock, holdfast_lock_shared, holdfast_unlock_shared};

static void holdfast_pairs(arena *arena, uint32_t times)
{
    repeat_either(arena, times, holdfast);
}

static bool holdfast_sections(arena *arena, uint32_t thread)
{
    return repeat_reads_and_writes(arena, thread, holdfast);
}

/* ---- pthread_rwlock_t of the C library ---- */

static inline void pthread_rwlock_write(void *rwlock)
{
    pthread_rwlock_wrlock(rwlock);
}

static inline void pthread_rwlock_read(void *rwlock)
{
    pthread_rwlock_rdlock(rwlock);
}

static inline void pthread_rwlock_give(void *rwlock)
{
    pthread_rwlock_unlock(rwlock);
}

static const calls pthread = {pthread_rwlock_write, pthread_rwlock_give, pthread_rwlock_read,
                              pthread_rwlock_give};

static void pthread_rwlock_pairs(arena *arena, uint32_t times)
{
    repeat_either(arena, times, pthread);
}

static bool pthread_rwlock_sections(arena *arena, uint32_t thread)
{
    return repeat_reads_and_writes(arena, thread, pthread);
}

static const contestant contestants[] = {
    {.name = "holdfast", .pairs = holdfast_pairs, .sections = holdfast_sections},
    {.name = "pthread_rwlock", .pairs = pthread_rwlock_pairs, .sections = pthread_rwlock_sections},
};

const primitive rwlocks = {.name = "rwlock", .contestants = contestants, .count = COUNT_OF(contestants)};
