/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include "families.h"

#include <pthread.h>
#include <stdint.h>
#include <threads.h>

enum { SECTIONS = 10000, THREADS = 3 };

static mtx_t mutex;
static cnd_t changed;
static int counter;
static int ended;

static void *try_it(void *unused)
{
    (void)unused;
    int result = mtx_trylock(&mutex);
    if (result == thrd_success) {
        mtx_unlock(&mutex);
    }
    return (void *)(intptr_t)result;
}

static void *count(void *unused)
{
    for (int section = 0; section < SECTIONS; section += 1) {
        mtx_lock(&mutex);
        counter += 1;
        mtx_unlock(&mutex);
    }
    mtx_lock(&mutex);
    ended += 1;
    cnd_signal(&changed);
    mtx_unlock(&mutex);
    return unused;
}

static void *unlock_it(void *unused)
{
    (void)unused;
    return (void *)(intptr_t)mtx_unlock(&mutex);
}

static void threads_count(int type)
{
    pthread_t threads[THREADS]; /* ThreadSanitizer does not see C11 threads */
    counter = ended = 0;
    CHECK_IS(thrd_success, mtx_init(&mutex, type));
    CHECK_IS(thrd_success, cnd_init(&changed));
    for (int at = 0; at < THREADS; at += 1) {
        CHECK_IS(0, pthread_create(&threads[at], NULL, count, NULL));
    }
    mtx_lock(&mutex);
    while (ended < THREADS) {
        cnd_wait(&changed, &mutex);
    }
    CHECK_IS((long)SECTIONS * THREADS, counter);
    struct timespec soon = in_ms(CLOCK_REALTIME, SOON_MS);
    CHECK_IS(thrd_timedout, cnd_timedwait(&changed, &mutex, &soon));
    CHECK_IS(thrd_busy, elsewhere(try_it, NULL));
    CHECK_IS(thrd_error, elsewhere(unlock_it, NULL)); /* stock locks allow it for a plain mutex */
    cnd_broadcast(&changed);
    mtx_unlock(&mutex);
    for (int at = 0; at < THREADS; at += 1) {
        pthread_join(threads[at], NULL);
    }
    CHECK_IS(thrd_success, elsewhere(try_it, NULL));
    cnd_destroy(&changed);
    mtx_destroy(&mutex);
}

void try_c11(void)
{
    threads_count(mtx_plain);
    threads_count(mtx_timed);
    threads_count(mtx_recursive | mtx_timed);
    mtx_init(&mutex, mtx_recursive);
    CHECK_IS(thrd_success, mtx_lock(&mutex));
    CHECK_IS(thrd_success, mtx_trylock(&mutex));
    CHECK_IS(thrd_success, mtx_unlock(&mutex));
    CHECK_IS(thrd_busy, elsewhere(try_it, NULL));
    CHECK_IS(thrd_success, mtx_unlock(&mutex));
    mtx_init(&mutex, mtx_timed);
    struct timespec soon = in_ms(CLOCK_REALTIME, SOON_MS);
    CHECK_IS(thrd_success, mtx_timedlock(&mutex, &soon));
    CHECK_IS(thrd_timedout, mtx_timedlock(&mutex, &soon));
    CHECK_IS(thrd_success, mtx_unlock(&mutex));
}
