/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef ARENA_H
#define ARENA_H

#include <stdbool.h>
#include <stdint.h>

#include "holdfast/atomic.h"
#include "holdfast/clock.h"

enum { CACHE_LINE = 64, THREADS_MAX = 64 };

/* A cache line of its own, so that what is measured is the lock and not its neighbours. */
#define OWN_LINE __attribute__((aligned(CACHE_LINE)))

/* Two counters that only sections touch, without atomics. Invariant outside sections: entered == left. They
 * are volatile, because a section of no length would else increment both at once. */
typedef struct counters {
    volatile uint32_t entered;
    volatile uint32_t left;
    volatile uint32_t torn; /* sections that found the invariant broken */
} counters;

/* The sections of one thread. Others read it while it runs, a moment late. */
typedef struct OWN_LINE tally {
    volatile uint32_t sections;
} tally;

/* What the threads of a run share. All zero is its start: every contestant's lock is unlocked then. */
typedef struct arena {
    OWN_LINE uint64_t lock[CACHE_LINE / sizeof(uint64_t)];
    OWN_LINE counters counters;
    OWN_LINE uint32_t stop;
    uint32_t section_ns;
    OWN_LINE uint32_t started; /* threads */
    uint32_t ended;            /* threads */
    tally tallies[THREADS_MAX];
} arena;

static inline bool arena_is_stopped(const arena *arena)
{
    return hf__load_rlx(&arena->stop) != 0;
}

/* What is done with the lock held. */
static inline void arena_section(arena *arena, uint32_t thread)
{
    counters *counters = &arena->counters;
    counters->torn += counters->entered != counters->left;
    counters->entered += 1;
    if (arena->section_ns > 0) {
        int64_t end_ns = hf_now_ns() + arena->section_ns;
        while (hf_now_ns() < end_ns) {
        }
    }
    counters->left += 1;
    arena->tallies[thread].sections += 1;
}

#endif
