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

#ifdef __EMSCRIPTEN__
/* Older versions have these locks for Wasm Workers only, not for pthreads. */
#if __has_include(<emscripten/threading_primitives.h>)
#include <emscripten/threading_primitives.h>
#define HAS_EMSCRIPTEN_LOCK
#endif
#endif

/* Compares each primitive of holdfast with that of the C library: Emscripten's musl, or glibc. */

/* ---- Mutexes ---- */

CALL(mutex_lock, hf_mutex_lock(lock))
CALL(mutex_unlock, hf_mutex_unlock(lock))
LOOPS(mutex, mutex_lock, mutex_unlock, arena_section)

CALL(pthread_take, pthread_mutex_lock(lock))
CALL(pthread_give, pthread_mutex_unlock(lock))
LOOPS(pthread_mutex, pthread_take, pthread_give, arena_section)

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
LOOPS(emscripten_lock, emscripten_lock_take, emscripten_lock_give, arena_section)
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

ON_ARENA(semaphore_prepare, hf_semaphore_init((void *)arena->lock, PERMITS, PERMITS))
CALL(semaphore_enter, hf_semaphore_enter(lock, 1))
CALL(semaphore_leave, hf_semaphore_leave(lock, 1))
LOOPS(semaphore, semaphore_enter, semaphore_leave, section_with_permit)

ON_ARENA(sem_prepare, sem_init((void *)arena->lock, 0, PERMITS))
CALL(sem_enter, sem_wait(lock))
CALL(sem_leave, sem_post(lock))
LOOPS(sem, sem_enter, sem_leave, section_with_permit)

static const contestant semaphores[] = {
    {"holdfast", .prepare = semaphore_prepare, .pairs = semaphore_pairs, .sections = semaphore_sections},
    {"sem_t", .prepare = sem_prepare, .pairs = sem_pairs, .sections = sem_sections},
};

/* ---- Reader-writer locks; the amount: reads in 100 sections ---- */

static inline void shared_section(arena *arena, uint32_t thread)
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
static inline bool reads_next(const arena *arena, tally *own, uint32_t thread)
{
    /* A generator modulo 2^32; its high bits are the random ones (D. Knuth, "Seminumerical Algorithms"). */
    enum { FACTOR = 1664525, ADDEND = 1013904223, HIGH_BITS = 16 };
    own->random = own->random * FACTOR + ADDEND + thread;
    return (own->random >> HIGH_BITS) % 100 < arena->amount;
}

INLINE bool one_read_or_write(arena *arena, uint32_t thread, call *lock, call *unlock, call *lock_shared,
                              call *unlock_shared)
{
    return reads_next(arena, &arena->tallies[thread], thread)
               ? one_section(arena, thread, lock_shared, unlock_shared, shared_section)
               : one_section(arena, thread, lock, unlock, arena_section);
}

CALL(rwlock_lock, hf_rwlock_lock(lock))
CALL(rwlock_unlock, hf_rwlock_unlock(lock))
CALL(rwlock_share, hf_rwlock_lock_shared(lock))
CALL(rwlock_unshare, hf_rwlock_unlock_shared(lock))
PAIRS(rwlock, rwlock_lock, rwlock_unlock)
PAIRS(rwlock_shared, rwlock_share, rwlock_unshare)
REPEAT(rwlock_sections, one_read_or_write, rwlock_lock, rwlock_unlock, rwlock_share, rwlock_unshare)

CALL(pthread_write, pthread_rwlock_wrlock(lock))
CALL(pthread_read, pthread_rwlock_rdlock(lock))
CALL(pthread_end, pthread_rwlock_unlock(lock))
PAIRS(pthread_rwlock, pthread_write, pthread_end)
PAIRS(pthread_shared, pthread_read, pthread_end)
REPEAT(pthread_rwlock_sections, one_read_or_write, pthread_write, pthread_end, pthread_read, pthread_end)

static const contestant rwlocks[] = {
    {.name = "holdfast", .pairs = rwlock_pairs, .sections = rwlock_sections},
    {.name = "pthread_rwlock", .pairs = pthread_rwlock_pairs, .sections = pthread_rwlock_sections},
};

static const contestant rwlocks_shared[] = {
    {.name = "holdfast", .pairs = rwlock_shared_pairs},
    {.name = "pthread_rwlock", .pairs = pthread_shared_pairs},
};

/* ---- Conditions, each with its mutex; the amount: whether they are notified after the unlock ---- */

/* The threads take turns: each waits for its turn, and then gives the turn to the next thread. */
INLINE bool one_turn(arena *arena, uint32_t thread, call *lock, call *unlock, arena_call *wait, call *notify)
{
    const bool after = arena->amount != 0;
    lock(arena->lock);
    while (arena->turn != thread && !arena_is_stopped(arena)) {
        wait(arena);
    }
    /* The thread whose turn it is ends with the lock held, and wakes a thread that slept when the arena
     * was stopped. */
    const bool goes_on = !arena_is_stopped(arena);
    if (goes_on) {
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
    return goes_on;
}

ON_ARENA(condition_wait, hf_condition_wait((void *)arena->condition, (void *)arena->lock))
ON_ARENA(cond_wait, pthread_cond_wait((void *)arena->condition, (void *)arena->lock))
CALL(condition_notify, hf_condition_notify(lock, HF_CONDITION_ALL))
CALL(cond_notify, pthread_cond_broadcast(lock))

REPEAT(condition_turns, one_turn, mutex_lock, mutex_unlock, condition_wait, condition_notify)
REPEAT(cond_turns, one_turn, pthread_take, pthread_give, cond_wait, cond_notify)

static const contestant conditions[] = {
    {.name = "holdfast", .sections = condition_turns},
    {.name = "pthread_cond", .sections = cond_turns},
};

/* ---- Barriers ---- */

/* In each round a thread counts, arrives, and checks that its neighbour has counted too. All must stop after
 * the same round: before it arrives, the first thread writes whether the round is the last. It can write this
 * for a later round only after all threads have read the word of the round before the last, so two words are
 * enough. */
INLINE bool one_round(arena *arena, uint32_t thread, call *arrive)
{
    tally *own = &arena->tallies[thread];
    const tally *neighbour = &arena->tallies[(thread + 1) % arena->threads];
    const uint32_t number = own->sections + 1;
    uint32_t *ends = &arena->ends[number % 2];
    if (thread == 0) {
        hf__store_rlx(ends, arena_is_stopped(arena));
    }
    own->sections = number;
    arrive(arena->lock);
    own->torn += (int32_t)(neighbour->sections - number) < 0;
    return !hf__load_rlx(ends);
}

ON_ARENA(barrier_prepare, hf_barrier_init((void *)arena->lock, arena->threads))
ON_ARENA(pthread_prepare, pthread_barrier_init((void *)arena->lock, NULL, arena->threads))
CALL(barrier_arrive, hf_barrier_arrive_and_wait(lock))
CALL(pthread_arrive, pthread_barrier_wait(lock))
REPEAT(barrier_rounds, one_round, barrier_arrive)
REPEAT(pthread_rounds, one_round, pthread_arrive)

static const contestant barriers[] = {
    {.name = "holdfast", .prepare = barrier_prepare, .sections = barrier_rounds},
    {.name = "pthread_barrier", .prepare = pthread_prepare, .sections = pthread_rounds},
};

/* ---- Neighbours ----
 *
 * The amounts are distances in bytes, between two things that different threads write: two locks of one
 * thread each, or a lock of all threads and the data that it guards. */

enum { MOST_DISTANCE = 2 * CACHE_LINE };

static unsigned char places[THREADS_MAX * MOST_DISTANCE] __attribute__((aligned(MOST_DISTANCE)));

ON_ARENA(clear, memset(places, 0, (size_t)arena->threads *MOST_DISTANCE))

INLINE bool one_own(arena *arena, uint32_t thread, call *take, call *give)
{
    void *lock = &places[thread * arena->amount];
    take(lock);
    arena->tallies[thread].sections += 1;
    give(lock);
    return !arena_is_stopped(arena);
}

INLINE bool one_shared(arena *arena, uint32_t thread, call *take, call *give)
{
    volatile uint64_t *data = (uint64_t *)(places + arena->amount);
    take(places);
    data[0] += 1;
    data[1] += 1;
    give(places);
    arena->tallies[thread].sections += 1;
    return !arena_is_stopped(arena);
}

REPEAT(own_mutex, one_own, mutex_lock, mutex_unlock)
REPEAT(shared_mutex, one_shared, mutex_lock, mutex_unlock)

static const contestant neighbours[] = {
    {.name = "mutex 16", .prepare = clear, .sections = own_mutex, .amount = 16},
    {.name = "mutex 64", .prepare = clear, .sections = own_mutex, .amount = 64},
    {.name = "mutex 128", .prepare = clear, .sections = own_mutex, .amount = 128},
    {.name = "data 16", .prepare = clear, .sections = shared_mutex, .amount = 16},
    {.name = "data 64", .prepare = clear, .sections = shared_mutex, .amount = 64},
    {.name = "data 128", .prepare = clear, .sections = shared_mutex, .amount = 128},
};

/* ---- Sleepers: threads that wait until the arena is stopped ---- */

INLINE bool one_sleep(arena *arena, uint32_t thread, call *wait, call *let_go)
{
    (void)thread;
    wait(arena->lock);
    let_go(arena->lock);
    return false;
}

#define SLEEPERS(name, prepare, wait, let_go)                                                                \
    REPEAT(name##_sleeps, one_sleep, wait, let_go)                                                           \
    ON_ARENA(name##_prepare_sleep, prepare(arena->lock))                                                     \
    ON_ARENA(name##_release, let_go(arena->lock))
#define SLEEPER(its_name, name)                                                                              \
    {                                                                                                        \
        its_name, .prepare = name##_prepare_sleep, .sections = name##_sleeps, .release = name##_release      \
    }

CALL(event_init, hf_event_init(lock, false))
CALL(event_wait, hf_event_wait(lock))
CALL(event_set, hf_event_set(lock))
SLEEPERS(mutex, mutex_lock, mutex_lock, mutex_unlock)
SLEEPERS(event, event_init, event_wait, event_set)
SLEEPERS(pthread, pthread_take, pthread_take, pthread_give)

static const contestant sleepers[] = {
    SLEEPER("mutex", mutex),
    SLEEPER("event", event),
    SLEEPER("pthread_mutex", pthread),
};

#define PRIMITIVE(its_name, its_contestants)                                                                 \
    {                                                                                                        \
        .name = its_name, .contestants = its_contestants,                                                    \
        .count = (int)(sizeof(its_contestants) / sizeof((its_contestants)[0]))                               \
    }

const primitive primitives[PRIMITIVES] = {
    PRIMITIVE("mutex", mutexes),         PRIMITIVE("semaphore", semaphores),
    PRIMITIVE("rwlock", rwlocks),        PRIMITIVE("rwlock, shared", rwlocks_shared),
    PRIMITIVE("condition", conditions),  PRIMITIVE("barrier", barriers),
    PRIMITIVE("neighbours", neighbours), PRIMITIVE("sleepers", sleepers),
    PRIMITIVE("channel", channels),
#ifdef COUNTED_H
    PRIMITIVE("mutex", references),
#endif
};
