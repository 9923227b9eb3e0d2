/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include "contestants.h"

#include "holdfast/holdfast.h"
#include "loops.h"
#include "references.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef __EMSCRIPTEN__
/* Older versions have these locks for Wasm Workers only, not for pthreads. */
#if __has_include(<emscripten/threading_primitives.h>)
#include <emscripten/threading_primitives.h>
#include <stdbool.h>
#define HAS_EMSCRIPTEN_LOCK
#endif
#endif

/* ---- holdfast, as its users call it ---- */

static inline void holdfast_lock(void *lock)
{
    hf_mutex_lock(lock);
}

static inline void holdfast_unlock(void *lock)
{
    hf_mutex_unlock(lock);
}

static void holdfast_pairs(arena *arena, uint32_t times)
{
    repeat_pairs(arena, times, holdfast_lock, holdfast_unlock);
}

static bool holdfast_sections(arena *arena, uint32_t thread)
{
    return repeat_sections(arena, thread, holdfast_lock, holdfast_unlock, arena_section);
}

/* ---- the bare instructions: what no lock can be faster than ----
 *
 * Each result is checked, as any lock must, before a call that is never made: around two such calls an engine
 * may keep the loop's counter in memory. */

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

static void bare_pairs(arena *arena, uint32_t times)
{
    repeat_pairs(arena, times, bare_take, bare_give);
}

/* ---- pthread_mutex_t of the C library: musl as changed by Emscripten, or glibc ---- */

static inline void pthread_mutex_take(void *lock)
{
    pthread_mutex_lock(lock);
}

static inline void pthread_mutex_give(void *lock)
{
    pthread_mutex_unlock(lock);
}

static void pthread_mutex_pairs(arena *arena, uint32_t times)
{
    repeat_pairs(arena, times, pthread_mutex_take, pthread_mutex_give);
}

static bool pthread_mutex_sections(arena *arena, uint32_t thread)
{
    return repeat_sections(arena, thread, pthread_mutex_take, pthread_mutex_give, arena_section);
}

/* ---- emscripten_lock_t ---- */

#ifdef HAS_EMSCRIPTEN_LOCK
static inline void emscripten_lock_take(void *lock)
{
    emscripten_lock_waitinf_acquire(lock);
}

static inline void emscripten_lock_give(void *lock)
{
    emscripten_lock_release(lock);
}

static void emscripten_lock_pairs(arena *arena, uint32_t times)
{
    repeat_pairs(arena, times, emscripten_lock_take, emscripten_lock_give);
}

static bool emscripten_lock_sections(arena *arena, uint32_t thread)
{
    return repeat_sections(arena, thread, emscripten_lock_take, emscripten_lock_give, arena_section);
}
#endif

static const contestant contestants[] = {
    {.name = "holdfast", .pairs = holdfast_pairs, .sections = holdfast_sections},
    {.name = "bare instructions", .never_waits = "they do not wait", .pairs = bare_pairs},
    {.name = "pthread_mutex", .pairs = pthread_mutex_pairs, .sections = pthread_mutex_sections},
#ifdef HAS_EMSCRIPTEN_LOCK
    {.name = "emscripten_lock", .pairs = emscripten_lock_pairs, .sections = emscripten_lock_sections},
#elif defined(__EMSCRIPTEN__)
    {.name = "emscripten_lock", .missing = "not in this Emscripten"},
#endif
#ifdef COUNTED_H
    {.name = "three-state futex", .sections = futex_sections},
    {.name = "MCS", .prepare = mcs_prepare, .sections = mcs_sections},
#endif
};

const primitive mutexes = {.name = "mutex", .contestants = contestants, .count = COUNT_OF(contestants)};
