/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef PAIRS_H
#define PAIRS_H

#include <stdint.h>

#include "arena.h"

typedef void call(void *lock);

/* The loop of pairs of all contestants. Inlined with the calls of each, it becomes a loop of its own. */
__attribute__((always_inline)) static inline void repeat_pairs(arena *arena, uint32_t times, call *take,
                                                               call *give)
{
    for (uint32_t time = 0; time < times; time += 1) {
        take(arena->lock);
        arena->counters.entered += 1;
        give(arena->lock);
    }
}

#endif
