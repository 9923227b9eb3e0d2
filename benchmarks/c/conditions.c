/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include <pthread.h>
#include <stdbool.h>

#include "contestants.h"
#include "holdfast/holdfast.h"

typedef void call(void *mutex);
typedef void wait_call(void *condition, void *mutex);

/* The calls of a mutex and a condition. */
typedef struct calls {
    call *lock;
    call *unlock;
    wait_call *wait;
    call *notify;
} calls;

/* The threads take turns: each waits for its own, and makes it the next one's. */
__attribute__((always_inline)) static inline bool repeat_turns(arena *arena, uint32_t thread, calls of)
{
    for (int section = 0; section < SECTIONS_A_CALL; section += 1) {
        of.lock(arena->lock);
        while (arena->turn != thread && !arena_is_stopped(arena)) {
            of.wait(arena->condition, arena->lock);
        }
        /* The thread whose turn it is ends with the lock held, and wakes a thread that slept when the arena
         * was stopped. */
        const bool ends = arena_is_stopped(arena);
        if (!ends) {
            arena_section(arena, thread);
            arena->turn = (thread + 1) % arena->threads;
        }
        of.notify(arena->condition);
        of.unlock(arena->lock);
        if (ends) {
            return false;
        }
    }
    return true;
}

/* ---- holdfast ---- */

static inline void holdfast_lock(void *mutex)
{
    hf_mutex_lock(mutex);
}

static inline void holdfast_unlock(void *mutex)
{
    hf_mutex_unlock(mutex);
}

static inline void holdfast_wait(void *condition, void *mutex)
{
    hf_condition_wait(condition, mutex);
}

static inline void holdfast_notify(void *condition)
{
    hf_condition_notify(condition, HF_CONDITION_ALL);
}

static const calls holdfast = {holdfast_lock, holdfast_unlock, holdfast_wait, holdfast_notify};

static bool holdfast_turns(arena *arena, uint32_t thread)
{
    return repeat_turns(arena, thread, holdfast);
}

/* ---- pthread_cond_t of the C library, with its mutex ---- */

static inline void pthread_lock(void *mutex)
{
    pthread_mutex_lock(mutex);
}

static inline void pthread_unlock(void *mutex)
{
    pthread_mutex_unlock(mutex);
}

static inline void pthread_wait(void *condition, void *mutex)
{
    pthread_cond_wait(condition, mutex);
}

static inline void pthread_notify(void *condition)
{
    pthread_cond_broadcast(condition);
}

static const calls pthread = {pthread_lock, pthread_unlock, pthread_wait, pthread_notify};

static bool pthread_turns(arena *arena, uint32_t thread)
{
    return repeat_turns(arena, thread, pthread);
}

static const contestant contestants[] = {
    {.name = "holdfast", .sections = holdfast_turns},
    {.name = "pthread_cond", .sections = pthread_turns},
};

const primitive conditions = {
    .name = "condition", .contestants = contestants, .count = COUNT_OF(contestants)};
