/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef ARENA_H
#define ARENA_H

#include <stdbool.h>
#include <stdint.h>

#include "holdfast/atomic.h"
#include "holdfast/clock.h"

enum { CACHE_LINE = 64, THREADS_MAX = 512 };

/* A cache line of its own, so that the lock is measured and not its neighbours. */
#define OWN_LINE __attribute__((aligned(CACHE_LINE)))

/* Two counters that only sections touch, without atomics. Invariant outside of exclusive sections: entered ==
 * left. They are volatile, or a section of no length would increment both at once. */
typedef struct counters {
    volatile uint32_t entered;
    volatile uint32_t left;
} counters;

/* The counts of one thread. Other threads read them while it runs, a moment late. */
typedef struct OWN_LINE tally {
    volatile uint32_t sections;
    uint32_t exclusive;          /* of these, those that incremented the counters */
    uint32_t torn;               /* of these, those that saw another thread inside */
    uint32_t random;             /* the state of its random numbers */
    volatile int64_t worked_ns;  /* when its last section ended */
    volatile int64_t longest_ns; /* from there to the next section, of sections that have a length */
} tally;

/* Shared by the threads of a run. It begins with zero bytes. */
typedef struct arena {
    OWN_LINE uint64_t lock[CACHE_LINE / sizeof(uint64_t)];
    OWN_LINE uint64_t condition[CACHE_LINE / sizeof(uint64_t)];
    OWN_LINE counters counters;
    volatile uint32_t turn;   /* the thread whose turn it is; guarded by the lock */
    OWN_LINE uint32_t inside; /* threads that have a permit */
    OWN_LINE uint32_t stop;
    uint32_t ends[2]; /* whether the round is the last; one word for even rounds, one for odd rounds */
    uint32_t threads;
    uint32_t section_ns;
    uint32_t reads_in_100;
    OWN_LINE uint32_t started; /* threads */
    uint32_t ended;            /* threads */
    tally tallies[THREADS_MAX];
} arena;

static inline bool arena_is_stopped(const arena *arena)
{
    return hf__load_rlx(&arena->stop) != 0;
}

/* The work of a section. */
static inline void arena_work(const arena *arena, tally *own)
{
    if (arena->section_ns > 0) {
        const int64_t start_ns = hf_now_ns();
        const int64_t waited_ns = start_ns - own->worked_ns;
        if (waited_ns > own->longest_ns) {
            own->longest_ns = waited_ns;
        }
        int64_t now_ns;
        do {
            now_ns = hf_now_ns();
        } while (now_ns < start_ns + arena->section_ns);
        own->worked_ns = now_ns;
    }
}

/* A section. Requires: the lock is held. */
static inline void arena_section(arena *arena, uint32_t thread)
{
    counters *counters = &arena->counters;
    tally *own = &arena->tallies[thread];
#ifdef COUNTED_H
    counted_data(counters);
#endif
    own->torn += counters->entered != counters->left;
    counters->entered += 1;
    arena_work(arena, own);
    counters->left += 1;
    own->exclusive += 1;
    own->sections += 1;
}

/* A section that reads. Requires: the lock is held shared. */
static inline void arena_shared_section(arena *arena, uint32_t thread)
{
    const counters *counters = &arena->counters;
    tally *own = &arena->tallies[thread];
    const uint32_t before = counters->left;
    own->torn += counters->entered != before;
    arena_work(arena, own);
    own->torn += counters->entered != before;
    own->sections += 1;
}

/* Returns whether the thread's next section reads. */
static inline bool arena_reads_next(arena *arena, uint32_t thread)
{
    /* A generator modulo 2^32; its high bits are the random ones (D. Knuth, "Seminumerical Algorithms"). */
    enum { FACTOR = 1664525, ADDEND = 1013904223, HIGH_BITS = 16 };
    uint32_t *random = &arena->tallies[thread].random;
    *random = *random * FACTOR + ADDEND + thread;
    return (*random >> HIGH_BITS) % 100 < arena->reads_in_100;
}

#endif
