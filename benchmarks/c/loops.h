/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef LOOPS_H
#define LOOPS_H

#include <stdbool.h>
#include <stdint.h>

#include "contestants.h"

typedef void call(void *lock);
typedef void section_body(arena *arena, uint32_t thread);

/* A call of a contestant, on `lock`. */
#define CALL(name, ...)                                                                                      \
    static inline void name(void *lock)                                                                      \
    {                                                                                                        \
        __VA_ARGS__;                                                                                         \
    }

#define INLINE __attribute__((always_inline)) static inline

/* The loops of all contestants. Inlined with a contestant's calls, they become its own loops. */

INLINE void repeat_pairs(arena *arena, uint32_t times, call *take, call *give)
{
    for (uint32_t time = 0; time < times; time += 1) {
        take(arena->lock);
        arena->counters.entered += 1;
        give(arena->lock);
    }
}

/* Returns whether the thread goes on. */
INLINE bool repeat_sections(arena *arena, uint32_t thread, call *take, call *give, section_body *body)
{
    for (int time = 0; time < SECTIONS_A_CALL && !arena_is_stopped(arena); time += 1) {
        take(arena->lock);
        body(arena, thread);
        give(arena->lock);
    }
    return !arena_is_stopped(arena);
}

#define PAIRS(name, take, give)                                                                              \
    static void name##_pairs(arena *arena, uint32_t times)                                                   \
    {                                                                                                        \
        repeat_pairs(arena, times, take, give);                                                              \
    }

#define SECTIONS(name, take, give, body)                                                                     \
    static bool name##_sections(arena *arena, uint32_t thread)                                               \
    {                                                                                                        \
        return repeat_sections(arena, thread, take, give, body);                                             \
    }

#endif
