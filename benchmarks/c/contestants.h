/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef CONTESTANTS_H
#define CONTESTANTS_H

#include <stdbool.h>
#include <stdint.h>

#include "holdfast/atomic.h"
#include "holdfast/clock.h"

/* ---- The arena: what the threads of a run share ---- */

enum { CACHE_LINE = 64, THREADS_MAX = 10000 };

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

/* It begins with zero bytes. */
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
    uint32_t amount;           /* what the primitive says */
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

/* ---- Contestants ---- */

/* A lock or another primitive that is compared, with the loops that use it. Each contestant has its own
 * loops, so that the compiler inlines as much of it as in a program with this contestant alone. */
typedef struct contestant {
    const char *name;
    const char *cannot; /* why it is missing or cannot contend; NULL: it can */
    uint32_t amount;    /* in place of the run's; 0: the run's */

    /* Initialises the lock in an arena of zero bytes. NULL: zero bytes are a valid lock. */
    void (*prepare)(arena *arena);

    /* Locks, increments a counter and unlocks, `times` times. Requires: no other thread uses it. NULL: the
     * primitive has no such pair. */
    void (*pairs)(arena *arena, uint32_t times);

    /* Locks, keeps the lock for a section and unlocks, a few times or until the arena is stopped. Returns
     * whether the thread goes on. */
    bool (*sections)(arena *arena, uint32_t thread);

    /* Lets go the threads that wait when the arena was stopped. NULL: none does. */
    void (*release)(arena *arena);
} contestant;

/* All contestants of one kind. */
typedef struct primitive {
    const char *name;
    const contestant *contestants;
    int count;
} primitive;

#ifdef COUNTED_H
enum { REFERENCES = 3, PRIMITIVES = 10 };
extern const contestant references[REFERENCES]; /* defined in references.c */
#else
enum { PRIMITIVES = 9 };
#endif
extern const primitive primitives[PRIMITIVES];

/* Defined in channels.c: one thread sends messages of 16 bytes, another receives them. Each locks once for
 * `amount` messages. For 2 threads. A section is a message. */
enum { CHANNELS = 2 };
extern const contestant channels[CHANNELS];

/* ---- The loops of contestants. Inlined with a contestant's calls, they become its own loops. ---- */

#define INLINE __attribute__((always_inline)) static inline

typedef void call(void *lock);
typedef void arena_call(arena *arena);
typedef void section_body(arena *arena, uint32_t thread);

/* A call of a contestant, on `lock` or `arena`. */
#define CALL(name, ...)                                                                                      \
    static inline void name(void *lock)                                                                      \
    {                                                                                                        \
        __VA_ARGS__;                                                                                         \
    }

#define ON_ARENA(name, ...)                                                                                  \
    static inline void name(arena *arena)                                                                    \
    {                                                                                                        \
        __VA_ARGS__;                                                                                         \
    }

INLINE void repeat_pairs(arena *arena, uint32_t times, call *take, call *give)
{
    for (uint32_t time = 0; time < times; time += 1) {
        take(arena->lock);
        arena->counters.entered += 1;
        give(arena->lock);
    }
}

#define PAIRS(name, take, give)                                                                              \
    static void name##_pairs(arena *arena, uint32_t times)                                                   \
    {                                                                                                        \
        repeat_pairs(arena, times, take, give);                                                              \
    }

/* A wasm engine can replace a loop by its optimised code only between two entries. So a loop of sections is
 * entered again after a few milliseconds. */
enum { SECTIONS_A_CALL = 64 };

/* `one` makes one section, with the further arguments. It returns whether the thread goes on. */
#define REPEAT(name, one, ...)                                                                               \
    static bool name(arena *arena, uint32_t thread)                                                          \
    {                                                                                                        \
        for (int time = 0; time < SECTIONS_A_CALL; time += 1) {                                              \
            if (!one(arena, thread, __VA_ARGS__)) {                                                          \
                return false;                                                                                \
            }                                                                                                \
        }                                                                                                    \
        return true;                                                                                         \
    }

INLINE bool one_section(arena *arena, uint32_t thread, call *take, call *give, section_body *body)
{
    if (arena_is_stopped(arena)) {
        return false;
    }
    take(arena->lock);
    body(arena, thread);
    give(arena->lock);
    return true;
}

/* The loops of a lock: NAME_pairs and NAME_sections. */
#define LOOPS(name, take, give, body)                                                                        \
    PAIRS(name, take, give)                                                                                  \
    REPEAT(name##_sections, one_section, take, give, body)

#endif
