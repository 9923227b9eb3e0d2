/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#define _XOPEN_SOURCE 600 /* pthread_rwlock_t, pthread_barrier_t */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contestants.h"
#include "holdfast/holdfast.h"
#include "loops.h"

#ifdef __EMSCRIPTEN__
/* Older versions have these locks for Wasm Workers only, not for pthreads. */
#if __has_include(<emscripten/threading_primitives.h>)
#include <emscripten/threading_primitives.h>
#define HAS_EMSCRIPTEN_LOCK
#endif
#endif

/* Compares each primitive of holdfast with that of the C library: Emscripten's musl, or glibc. */

#define PRIMITIVE(its_name, its_contestants)                                                                 \
    {                                                                                                        \
        .name = its_name, .contestants = its_contestants, .count = COUNT_OF(its_contestants)                 \
    }

/* ---- Mutexes ---- */

CALL(mutex_lock, hf_mutex_lock(lock))
CALL(mutex_unlock, hf_mutex_unlock(lock))
PAIRS(mutex, mutex_lock, mutex_unlock)
SECTIONS(mutex, mutex_lock, mutex_unlock, arena_section)

CALL(pthread_take, pthread_mutex_lock(lock))
CALL(pthread_give, pthread_mutex_unlock(lock))
PAIRS(pthread_mutex, pthread_take, pthread_give)
SECTIONS(pthread_mutex, pthread_take, pthread_give, arena_section)

/* The bare instructions: no lock can be faster. Each pair also has what any lock has: two checks of a result,
 * each before a call that is never made. Around such calls an engine may keep the loop's counter in memory. */

__attribute__((noinline, noreturn)) static void bare_fails(void *lock)
{
    fprintf(stderr, "the bare word at %p is not what its only thread has made of it\n", lock);
    abort();
}

static inline void bare_take(void *lock)
{
    uint32_t free = 0;
    if (!__atomic_compare_exchange_n((uint32_t *)lock, &free, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
        bare_fails(lock);
    }
}

static inline void bare_give(void *lock)
{
    if (__atomic_exchange_n((uint32_t *)lock, 0, __ATOMIC_RELEASE) != 1) {
        bare_fails(lock);
    }
}

PAIRS(bare, bare_take, bare_give)

#ifdef HAS_EMSCRIPTEN_LOCK
CALL(emscripten_lock_take, emscripten_lock_waitinf_acquire(lock))
CALL(emscripten_lock_give, emscripten_lock_release(lock))
PAIRS(emscripten_lock, emscripten_lock_take, emscripten_lock_give)
SECTIONS(emscripten_lock, emscripten_lock_take, emscripten_lock_give, arena_section)
#endif

static const contestant mutexes[] = {
    {.name = "holdfast", .pairs = mutex_pairs, .sections = mutex_sections},
    {.name = "bare instructions", .cannot = "they do not wait", .pairs = bare_pairs},
    {.name = "pthread_mutex", .pairs = pthread_mutex_pairs, .sections = pthread_mutex_sections},
#ifdef HAS_EMSCRIPTEN_LOCK
    {.name = "emscripten_lock", .pairs = emscripten_lock_pairs, .sections = emscripten_lock_sections},
#elif defined(__EMSCRIPTEN__)
    {.name = "emscripten_lock", .cannot = "not in this Emscripten"},
#endif
#ifdef COUNTED_H
    {.name = "three-state futex", .sections = futex_sections},
    {.name = "MCS", .sections = mcs_sections},
    {.name = "parking_lot", .sections = parking_sections},
#endif
};

/* ---- Semaphores ---- */

/* Two permits: with fewer it would be a mutex. */
enum { PERMITS = 2 };

static inline void section_with_permit(arena *arena, uint32_t thread)
{
    tally *own = &arena->tallies[thread];
    own->torn += hf__add_rlx(&arena->inside, 1) >= PERMITS;
    arena_work(arena, own);
    hf__add_rlx(&arena->inside, -UINT32_C(1));
    own->sections += 1;
}

static void semaphore_prepare(arena *arena)
{
    hf_semaphore_init((hf_semaphore *)arena->lock, PERMITS, PERMITS);
}

static void sem_prepare(arena *arena)
{
    sem_init((sem_t *)arena->lock, 0, PERMITS);
}

CALL(semaphore_enter, hf_semaphore_enter(lock, 1))
CALL(semaphore_leave, hf_semaphore_leave(lock, 1))
PAIRS(semaphore, semaphore_enter, semaphore_leave)
SECTIONS(semaphore, semaphore_enter, semaphore_leave, section_with_permit)

CALL(sem_enter, sem_wait(lock))
CALL(sem_leave, sem_post(lock))
PAIRS(sem, sem_enter, sem_leave)
SECTIONS(sem, sem_enter, sem_leave, section_with_permit)

static const contestant semaphores[] = {
    {.name = "holdfast",
     .prepare = semaphore_prepare,
     .pairs = semaphore_pairs,
     .sections = semaphore_sections},
    {.name = "sem_t", .prepare = sem_prepare, .pairs = sem_pairs, .sections = sem_sections},
};

/* ---- Reader-writer locks ---- */

typedef struct rwlock_calls {
    call *lock;
    call *unlock;
    call *lock_shared;
    call *unlock_shared;
} rwlock_calls;

INLINE void repeat_either(arena *arena, uint32_t times, rwlock_calls of)
{
    if (arena->reads_in_100 == 0) {
        repeat_pairs(arena, times, of.lock, of.unlock);
    } else {
        repeat_pairs(arena, times, of.lock_shared, of.unlock_shared);
    }
}

INLINE bool repeat_reads_and_writes(arena *arena, uint32_t thread, rwlock_calls of)
{
    for (int time = 0; time < SECTIONS_A_CALL && !arena_is_stopped(arena); time += 1) {
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

#define READS_AND_WRITES(name, calls)                                                                        \
    static void name##_pairs(arena *arena, uint32_t times)                                                   \
    {                                                                                                        \
        repeat_either(arena, times, calls);                                                                  \
    }                                                                                                        \
    static bool name##_sections(arena *arena, uint32_t thread)                                               \
    {                                                                                                        \
        return repeat_reads_and_writes(arena, thread, calls);                                                \
    }

CALL(rwlock_lock, hf_rwlock_lock(lock))
CALL(rwlock_unlock, hf_rwlock_unlock(lock))
CALL(rwlock_lock_shared, hf_rwlock_lock_shared(lock))
CALL(rwlock_unlock_shared, hf_rwlock_unlock_shared(lock))
static const rwlock_calls rwlock_of = {rwlock_lock, rwlock_unlock, rwlock_lock_shared, rwlock_unlock_shared};
READS_AND_WRITES(rwlock, rwlock_of)

CALL(pthread_write, pthread_rwlock_wrlock(lock))
CALL(pthread_read, pthread_rwlock_rdlock(lock))
CALL(pthread_end, pthread_rwlock_unlock(lock))
static const rwlock_calls pthread_of = {pthread_write, pthread_end, pthread_read, pthread_end};
READS_AND_WRITES(pthread_rwlock, pthread_of)

static const contestant rwlocks[] = {
    {.name = "holdfast", .pairs = rwlock_pairs, .sections = rwlock_sections},
    {.name = "pthread_rwlock", .pairs = pthread_rwlock_pairs, .sections = pthread_rwlock_sections},
};

/* ---- Conditions, each with its mutex ---- */

typedef void wait_call(void *condition, void *mutex);

/* The threads take turns: each waits for its turn, and then gives the turn to the next thread. It notifies under the mutex, or
 * `after` the unlock. */
INLINE bool repeat_turns(arena *arena, uint32_t thread, call *lock, call *unlock, wait_call *wait,
                         call *notify, bool after)
{
    for (int section = 0; section < SECTIONS_A_CALL; section += 1) {
        lock(arena->lock);
        while (arena->turn != thread && !arena_is_stopped(arena)) {
            wait(arena->condition, arena->lock);
        }
        /* The thread whose turn it is ends with the lock held, and wakes a thread that slept when the arena
         * was stopped. */
        const bool ends = arena_is_stopped(arena);
        if (!ends) {
            arena_section(arena, thread);
            arena->turn = (thread + 1) % arena->threads;
        }
        if (!after) {
            notify(arena->condition);
        }
        unlock(arena->lock);
        if (after) {
            notify(arena->condition);
        }
        if (ends) {
            return false;
        }
    }
    return true;
}

static inline void condition_wait(void *condition, void *mutex)
{
    hf_condition_wait(condition, mutex);
}

static inline void cond_wait(void *condition, void *mutex)
{
    pthread_cond_wait(condition, mutex);
}

CALL(condition_notify, hf_condition_notify(lock, HF_CONDITION_ALL))
CALL(cond_notify, pthread_cond_broadcast(lock))

#define TURNS(name, after, ...)                                                                              \
    static bool name(arena *arena, uint32_t thread)                                                          \
    {                                                                                                        \
        return repeat_turns(arena, thread, __VA_ARGS__, after);                                              \
    }

TURNS(condition_turns, false, mutex_lock, mutex_unlock, condition_wait, condition_notify)
TURNS(condition_turns_after, true, mutex_lock, mutex_unlock, condition_wait, condition_notify)
TURNS(cond_turns, false, pthread_take, pthread_give, cond_wait, cond_notify)
TURNS(cond_turns_after, true, pthread_take, pthread_give, cond_wait, cond_notify)

static const contestant conditions[] = {
    {.name = "holdfast", .sections = condition_turns},
    {.name = "pthread_cond", .sections = cond_turns},
};

static const contestant conditions_after[] = {
    {.name = "holdfast", .sections = condition_turns_after},
    {.name = "pthread_cond", .sections = cond_turns_after},
};

/* ---- Barriers ---- */

/* In each round a thread counts, arrives, and checks that its neighbour has counted too. All must stop after
 * the same round: before it arrives, the first thread writes whether the round is the last. It can write this
 * for a later round only after all threads have read the word of the round before the last, so two words are
 * enough. */
INLINE bool repeat_rounds(arena *arena, uint32_t thread, call *arrive)
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

CALL(barrier_arrive, hf_barrier_arrive_and_wait(lock))
CALL(pthread_arrive, pthread_barrier_wait(lock))

static void barrier_prepare(arena *arena)
{
    hf_barrier_init((hf_barrier *)arena->lock, arena->threads);
}

static void pthread_prepare(arena *arena)
{
    pthread_barrier_init((pthread_barrier_t *)arena->lock, NULL, arena->threads);
}

static bool barrier_rounds(arena *arena, uint32_t thread)
{
    return repeat_rounds(arena, thread, barrier_arrive);
}

static bool pthread_rounds(arena *arena, uint32_t thread)
{
    return repeat_rounds(arena, thread, pthread_arrive);
}

static const contestant barriers[] = {
    {.name = "holdfast", .prepare = barrier_prepare, .sections = barrier_rounds},
    {.name = "pthread_barrier", .prepare = pthread_prepare, .sections = pthread_rounds},
};

/* ---- Neighbours ----
 *
 * The contestants are distances in bytes, between two things that different threads write: two locks of one
 * thread each, or a lock of all threads and the data that it guards. */

enum { MOST_DISTANCE = 2 * CACHE_LINE };

static unsigned char places[THREADS_MAX * MOST_DISTANCE] __attribute__((aligned(MOST_DISTANCE)));

static void clear(arena *arena)
{
    (void)arena;
    memset(places, 0, sizeof(places));
}

/* A thread's own lock. */
INLINE bool repeat_own(arena *arena, uint32_t thread, size_t distance, call *take, call *give)
{
    void *lock = &places[thread * distance];
    for (int time = 0; time < SECTIONS_A_CALL && !arena_is_stopped(arena); time += 1) {
        take(lock);
        arena->tallies[thread].sections += 1;
        give(lock);
    }
    return !arena_is_stopped(arena);
}

/* A lock of all threads, and the data that it guards. */
INLINE bool repeat_shared(arena *arena, uint32_t thread, size_t distance, call *take, call *give)
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

#define NEIGHBOURS(kind, distance, repeat, take, give)                                                       \
    static bool kind##_##distance(arena *arena, uint32_t thread)                                             \
    {                                                                                                        \
        return repeat(arena, thread, distance, take, give);                                                  \
    }
#define DISTANCES(kind, repeat, take, give)                                                                  \
    NEIGHBOURS(kind, 16, repeat, take, give)                                                                 \
    NEIGHBOURS(kind, 64, repeat, take, give) NEIGHBOURS(kind, 128, repeat, take, give)

DISTANCES(own_mutex, repeat_own, mutex_lock, mutex_unlock)
DISTANCES(data, repeat_shared, mutex_lock, mutex_unlock)

static const contestant neighbours[] = {
    {.name = "mutex 16", .prepare = clear, .sections = own_mutex_16},
    {.name = "mutex 64", .prepare = clear, .sections = own_mutex_64},
    {.name = "mutex 128", .prepare = clear, .sections = own_mutex_128},
    {.name = "data 16", .prepare = clear, .sections = data_16},
    {.name = "data 64", .prepare = clear, .sections = data_64},
    {.name = "data 128", .prepare = clear, .sections = data_128},
};

const primitive primitives[PRIMITIVES] = {
    PRIMITIVE("mutex", mutexes),
    PRIMITIVE("semaphore", semaphores),
    PRIMITIVE("rwlock", rwlocks),
    PRIMITIVE("condition", conditions),
    PRIMITIVE("barrier", barriers),
    PRIMITIVE("neighbours", neighbours),
    PRIMITIVE("channel 1", channels_1),
    PRIMITIVE("channel 16", channels_16),
    PRIMITIVE("channel 64", channels_64),
    PRIMITIVE("channel 256", channels_256),
    PRIMITIVE("condition, notified after the unlock", conditions_after),
};

const primitive *primitive_named(const char *name)
{
    for (int at = 0; at < PRIMITIVES; at += 1) {
        if (strcmp(primitives[at].name, name) == 0) {
            return &primitives[at];
        }
    }
    return NULL;
}
