/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include "families.h"

#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

enum { ITEMS = 5000, PLACES = 3, MAKERS = 2, TAKERS = 2, BALLS = 2000, ROUNDS = 200, WAITERS = 3 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void misuse_is_an_error(void)
{
    pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
    struct timespec bad = {.tv_nsec = -1};
    CHECK_IS(EPERM, pthread_cond_wait(&cond, &mutex)); /* stock ones wait */
    CHECK_IS(0, pthread_cond_signal(&cond));
    CHECK_IS(0, pthread_cond_broadcast(&cond));
    pthread_mutex_lock(&mutex);
    CHECK_IS(EINVAL, pthread_cond_timedwait(&cond, &mutex, &bad));
    pthread_mutex_unlock(&mutex);

    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_t deep;
    pthread_mutex_init(&deep, &attributes);
    pthread_mutex_lock(&deep);
    struct timespec soon = in_ms(CLOCK_REALTIME, SOON_MS);
    CHECK_IS(ETIMEDOUT, pthread_cond_timedwait(&cond, &deep, &soon));
    pthread_mutex_lock(&deep);
    CHECK_IS(EDEADLK, pthread_cond_wait(&cond, &deep));
    CHECK_IS(0, pthread_mutex_unlock(&deep));
    CHECK_IS(0, pthread_mutex_unlock(&deep));
    CHECK_IS(0, pthread_cond_destroy(&cond));
}

static void each_clock_ends_a_wait(clockid_t clock)
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    CHECK_IS(0, pthread_condattr_setclock(&attributes, clock));
    pthread_cond_t cond;
    memset(&cond, 0xA5, sizeof cond);
    CHECK_IS(0, pthread_cond_init(&cond, &attributes));
    pthread_mutex_lock(&mutex);
    struct timespec soon = in_ms(clock, SOON_MS);
    double before = ms_on(CLOCK_MONOTONIC);
    CHECK_IS(ETIMEDOUT, pthread_cond_timedwait(&cond, &mutex, &soon));
    CHECK(ms_on(CLOCK_MONOTONIC) - before >= SOON_MS - CLOCKS_DIFFER_MS);
    CHECK_IS(EBUSY, pthread_mutex_trylock(&mutex));
#ifdef __GLIBC__
    soon = in_ms(CLOCK_MONOTONIC, SOON_MS);
    CHECK_IS(ETIMEDOUT, pthread_cond_clockwait(&cond, &mutex, CLOCK_MONOTONIC, &soon));
#endif
    pthread_mutex_unlock(&mutex);
    CHECK_IS(0, pthread_cond_destroy(&cond));
}

static struct {
    int before;
    pthread_cond_t not_full;
    pthread_cond_t not_empty;
    int after;
    int count;
    long put;
    long taken;
} queue = {.before = 0x5A5A5A5A,
           .not_full = PTHREAD_COND_INITIALIZER,
           .not_empty = PTHREAD_COND_INITIALIZER,
           .after = 0x5A5A5A5A};

static void *put_all(void *unused)
{
    for (int item = 0; item < ITEMS; item += 1) {
        pthread_mutex_lock(&mutex);
        while (queue.count == PLACES) {
            pthread_cond_wait(&queue.not_full, &mutex);
        }
        queue.count += 1;
        queue.put += 1;
        pthread_cond_signal(&queue.not_empty);
        pthread_mutex_unlock(&mutex);
        progress();
    }
    return unused;
}

static void *take_all(void *unused)
{
    struct timespec late = in_ms(CLOCK_REALTIME, 1000L * MS_IN_A_SECOND);
    for (int item = 0; item < ITEMS; item += 1) {
        pthread_mutex_lock(&mutex);
        while (queue.count == 0) {
            if (item % 2) {
                pthread_cond_wait(&queue.not_empty, &mutex);
            } else {
                pthread_cond_timedwait(&queue.not_empty, &mutex, &late);
            }
        }
        queue.count -= 1;
        queue.taken += 1;
        pthread_cond_signal(&queue.not_full);
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

static void *put_or_take(void *next)
{
    int number = __atomic_fetch_add((int *)next, 1, __ATOMIC_RELAXED);
    return number < MAKERS ? put_all(NULL) : take_all(NULL);
}

static void a_queue_loses_nothing(void)
{
    int next = 0;
    in_threads(MAKERS + TAKERS, put_or_take, &next);
    CHECK_IS((long)ITEMS * MAKERS, queue.put);
    CHECK_IS(queue.put, queue.taken);
    CHECK(queue.before == 0x5A5A5A5A && queue.after == queue.before);
}

static struct {
    pthread_cond_t turns;
    int side; /* whose turn it is */
} game = {.turns = PTHREAD_COND_INITIALIZER};

static void *play(void *next)
{
    int side = __atomic_fetch_add((int *)next, 1, __ATOMIC_RELAXED);
    for (int ball = 0; ball < BALLS; ball += 1) {
        pthread_mutex_lock(&mutex);
        while (game.side != side) {
            pthread_cond_wait(&game.turns, &mutex);
        }
        game.side = 1 - side;
        pthread_mutex_unlock(&mutex);
        pthread_cond_signal(&game.turns);
        progress();
    }
    return NULL;
}

static void two_take_turns(void)
{
    int next = 0;
    in_threads(2, play, &next);
    CHECK_IS(0, game.side);
}

static struct {
    pthread_cond_t gone;
    int waiting;
    int round;
    int left;
} rounds;

static void *wait_each_round(void *unused)
{
    for (int round = 1; round <= ROUNDS; round += 1) {
        pthread_mutex_lock(&mutex);
        while (rounds.round != round) { /* it is made anew */
            pthread_mutex_unlock(&mutex);
            pause_a_little();
            pthread_mutex_lock(&mutex);
        }
        rounds.waiting += 1;
        while (rounds.round == round) {
            pthread_cond_wait(&rounds.gone, &mutex);
        }
        rounds.left += 1;
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

static void *destroy_each_round(void *unused)
{
    for (int round = 1; round <= ROUNDS; round += 1) {
        pthread_mutex_lock(&mutex);
        pthread_cond_init(&rounds.gone, NULL);
        rounds.waiting = 0;
        rounds.round = round;
        while (rounds.waiting != WAITERS) {
            pthread_mutex_unlock(&mutex);
            pause_a_little();
            pthread_mutex_lock(&mutex);
        }
        rounds.round = -round;
        pthread_cond_broadcast(&rounds.gone);
        pthread_mutex_unlock(&mutex);
        pthread_cond_destroy(&rounds.gone);
        memset(&rounds.gone, 0xA5, sizeof rounds.gone);
        progress();
    }
    return unused;
}

static void *wait_or_destroy(void *next)
{
    return __atomic_fetch_add((int *)next, 1, __ATOMIC_RELAXED) ? wait_each_round(NULL)
                                                                : destroy_each_round(NULL);
}

static void it_may_be_destroyed_right_after_a_broadcast(void)
{
    int next = 0;
    in_threads(1 + WAITERS, wait_or_destroy, &next);
    CHECK_IS((long)ROUNDS * WAITERS, rounds.left);
}

void try_conditions(void)
{
    misuse_is_an_error();
    each_clock_ends_a_wait(CLOCK_REALTIME);
    each_clock_ends_a_wait(CLOCK_MONOTONIC);
    a_queue_loses_nothing();
    two_take_turns();
    it_may_be_destroyed_right_after_a_broadcast();
}
