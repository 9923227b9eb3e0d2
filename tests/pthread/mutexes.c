/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include "families.h"

#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

enum { SECTIONS = 10000, THREADS = 4, DEPTH = 3 };

static void *try_it(void *mutex)
{
    int error = pthread_mutex_trylock(mutex);
    if (error == 0) {
        pthread_mutex_unlock(mutex);
    }
    return (void *)(intptr_t)error;
}

static void *unlock_it(void *mutex)
{
    return (void *)(intptr_t)pthread_mutex_unlock(mutex);
}

static void *lock_it_for_a_while(void *mutex)
{
    struct timespec soon = in_ms(CLOCK_REALTIME, SOON_MS);
    return (void *)(intptr_t)pthread_mutex_timedlock(mutex, &soon);
}

static void make(pthread_mutex_t *mutex, int type)
{
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, type);
    memset(mutex, 0xA5, sizeof *mutex);
    CHECK_IS(0, pthread_mutex_init(mutex, &attributes));
    pthread_mutexattr_destroy(&attributes);
}

static void a_normal_one_is_for_its_owner_once(pthread_mutex_t *mutex)
{
    CHECK_IS(0, pthread_mutex_lock(mutex));
    CHECK_IS(EBUSY, pthread_mutex_trylock(mutex));
    CHECK_IS(EBUSY, elsewhere(try_it, mutex));
    CHECK_IS(EPERM, elsewhere(unlock_it, mutex)); /* stock ones let it */
    struct timespec soon = in_ms(CLOCK_REALTIME, SOON_MS);
    double before = ms_on(CLOCK_MONOTONIC);
    CHECK_IS(ETIMEDOUT, pthread_mutex_timedlock(mutex, &soon));
    CHECK(ms_on(CLOCK_MONOTONIC) - before >= SOON_MS - CLOCKS_DIFFER_MS);
    CHECK_IS(EBUSY, pthread_mutex_destroy(mutex));
    CHECK_IS(0, pthread_mutex_unlock(mutex));
    CHECK_IS(0, elsewhere(try_it, mutex));
    CHECK_IS(EPERM, pthread_mutex_unlock(mutex));
}

static void an_error_checking_one_says_so(pthread_mutex_t *mutex)
{
    CHECK_IS(EPERM, pthread_mutex_unlock(mutex));
    CHECK_IS(0, pthread_mutex_lock(mutex));
    CHECK_IS(EDEADLK, pthread_mutex_lock(mutex));
    CHECK_IS(EBUSY, pthread_mutex_trylock(mutex));
    CHECK_IS(EPERM, elsewhere(unlock_it, mutex));
    CHECK_IS(0, pthread_mutex_unlock(mutex));
    CHECK_IS(0, elsewhere(try_it, mutex));
}

static void a_recursive_one_has_a_depth(pthread_mutex_t *mutex)
{
    for (int at = 0; at < DEPTH; at += 1) {
        CHECK_IS(0, at % 2 ? pthread_mutex_trylock(mutex) : pthread_mutex_lock(mutex));
    }
    for (int at = 0; at < DEPTH; at += 1) {
        CHECK_IS(EBUSY, elsewhere(try_it, mutex));
        CHECK_IS(EPERM, elsewhere(unlock_it, mutex));
        CHECK_IS(0, pthread_mutex_unlock(mutex));
    }
    CHECK_IS(EPERM, pthread_mutex_unlock(mutex));
    CHECK_IS(0, elsewhere(try_it, mutex));
}

static void time_limits_are_kept(void)
{
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    struct timespec never = {.tv_sec = 0, .tv_nsec = 1000L * NS_IN_A_MS};
    struct timespec past = {.tv_sec = -1, .tv_nsec = 0};
    struct timespec late = in_ms(CLOCK_REALTIME, 0);
    late.tv_sec += 2000000000;

    CHECK_IS(0, pthread_mutex_timedlock(&mutex, &never)); /* it succeeds at once, whatever the deadline */
    CHECK_IS(0, pthread_mutex_unlock(&mutex));
    CHECK_IS(0, pthread_mutex_timedlock(&mutex, &past));
    CHECK_IS(EINVAL, pthread_mutex_timedlock(&mutex, &never));
    CHECK_IS(ETIMEDOUT, pthread_mutex_timedlock(&mutex, &past));
    CHECK_IS(ETIMEDOUT, elsewhere(lock_it_for_a_while, &mutex));
    CHECK_IS(0, pthread_mutex_unlock(&mutex));
    CHECK_IS(0, pthread_mutex_timedlock(&mutex, &late));
    CHECK_IS(0, pthread_mutex_unlock(&mutex));
#ifdef __GLIBC__
    struct timespec soon = in_ms(CLOCK_MONOTONIC, SOON_MS);
    CHECK_IS(0, pthread_mutex_lock(&mutex));
    CHECK_IS(ETIMEDOUT, pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &soon));
    CHECK_IS(EINVAL, pthread_mutex_clocklock(&mutex, CLOCK_PROCESS_CPUTIME_ID, &past));
    CHECK_IS(0, pthread_mutex_unlock(&mutex));
#endif
}

/* Mutexes in a row, so that each alignment that Emscripten allows occurs. */
static struct {
    int before;
    pthread_mutex_t first;
    pthread_mutex_t second;
    int between;
    pthread_mutex_t third;
    int after;
} packed = {.before = 0x5A5A5A5A,
            .first = PTHREAD_MUTEX_INITIALIZER,
            .second = PTHREAD_MUTEX_INITIALIZER,
            .between = 0x5A5A5A5A,
            .third = PTHREAD_MUTEX_INITIALIZER,
            .after = 0x5A5A5A5A};

static struct {
    pthread_mutex_t *mutex;
    long a;
    long b;
} guarded;

static void *hammer(void *unused)
{
    for (int section = 0; section < SECTIONS; section += 1) {
        pthread_mutex_lock(guarded.mutex);
        if (guarded.a + guarded.b != 0) {
            IT_FAILS("a section saw another one half done");
        }
        guarded.a += 1;
        guarded.b -= 1;
        pthread_mutex_unlock(guarded.mutex);
    }
    return unused;
}

static void *hammer_deep(void *unused)
{
    for (int section = 0; section < SECTIONS / 10; section += 1) {
        for (int at = 0; at < DEPTH; at += 1) {
            pthread_mutex_lock(guarded.mutex);
        }
        guarded.a += 1;
        for (int at = 0; at < DEPTH; at += 1) {
            CHECK_IS(0, pthread_mutex_unlock(guarded.mutex));
        }
    }
    return unused;
}

/* Waiting threads must not change its depth. */
static void a_recursive_one_is_as_deep_beside_others(pthread_mutex_t *mutex)
{
    guarded.mutex = mutex;
    guarded.a = 0;
    in_threads(THREADS, hammer_deep, NULL);
    CHECK_IS((long)SECTIONS / 10 * THREADS, guarded.a);
    CHECK_IS(0, elsewhere(try_it, mutex));
}

static void sections_exclude_each_other(pthread_mutex_t *mutex)
{
    guarded.mutex = mutex;
    guarded.a = guarded.b = 0;
    in_threads(THREADS, hammer, NULL);
    CHECK_IS((long)SECTIONS * THREADS, guarded.a);
    CHECK_IS(0, pthread_mutex_destroy(mutex));
}

void try_mutexes(void)
{
    pthread_mutex_t mutex;
    static pthread_mutex_t normal = PTHREAD_MUTEX_INITIALIZER;
    a_normal_one_is_for_its_owner_once(&normal);
    make(&mutex, PTHREAD_MUTEX_NORMAL);
    a_normal_one_is_for_its_owner_once(&mutex);
    make(&mutex, PTHREAD_MUTEX_ERRORCHECK);
    an_error_checking_one_says_so(&mutex);
    make(&mutex, PTHREAD_MUTEX_RECURSIVE);
    a_recursive_one_has_a_depth(&mutex);
#ifdef PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP
    static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
    static pthread_mutex_t checking = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
    a_recursive_one_has_a_depth(&recursive);
    an_error_checking_one_says_so(&checking);
#endif
    time_limits_are_kept();
    sections_exclude_each_other(&packed.first);
    sections_exclude_each_other(&packed.second);
    sections_exclude_each_other(&packed.third);
    CHECK(packed.before == 0x5A5A5A5A && packed.between == packed.before && packed.after == packed.before);
    make(&mutex, PTHREAD_MUTEX_RECURSIVE);
    a_recursive_one_is_as_deep_beside_others(&mutex);
    sections_exclude_each_other(&mutex);
#ifndef HAS_TABLE
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    CHECK_IS(ENOTSUP, pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST));
    CHECK_IS(0, pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_STALLED));
#endif
}
