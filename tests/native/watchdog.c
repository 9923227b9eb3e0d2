/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include "watchdog.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "holdfast/atomic.h"

/* No step takes a second; the rest is for sanitizers on a busy machine. */
enum { PATIENCE_SECONDS = 20 };

static const uint32_t *watched_words;
static size_t watched_count;
static uint32_t steps;

static pthread_t watchdog;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER; /* protects stopped */
static pthread_cond_t stop = PTHREAD_COND_INITIALIZER;
static bool stopped;

static void bite(void)
{
    fprintf(stderr, "watchdog: nothing has happened for %d s; the words are\n", PATIENCE_SECONDS);
    for (size_t at = 0; at < watched_count; at += 1) {
        fprintf(stderr, "  [%zu] %08" PRIx32 "\n", at, hf__load_rlx(&watched_words[at]));
    }
    abort();
}

/* Returns whether the watchdog was stopped within its patience. */
static bool sleep_until_stopped(void)
{
    struct timespec deadline;
    clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_sec += PATIENCE_SECONDS;
    pthread_mutex_lock(&guard);
    int woken = 0;
    while (!stopped && woken != ETIMEDOUT) {
        woken = pthread_cond_timedwait(&stop, &guard, &deadline);
    }
    bool is_stopped = stopped;
    pthread_mutex_unlock(&guard);
    return is_stopped;
}

static void *watch(void *unused)
{
    (void)unused;
    uint32_t seen = hf__load_rlx(&steps);
    while (!sleep_until_stopped()) {
        uint32_t now = hf__load_rlx(&steps);
        if (now == seen) {
            bite();
        }
        seen = now;
    }
    return NULL;
}

void watchdog_start(const uint32_t *words, size_t count)
{
    watched_words = words;
    watched_count = count;
    stopped = false;
    if (pthread_create(&watchdog, NULL, watch, NULL) != 0) {
        abort();
    }
}

void watchdog_progress(void)
{
    hf__add_rlx(&steps, 1);
}

void watchdog_stop(void)
{
    pthread_mutex_lock(&guard);
    stopped = true;
    pthread_cond_signal(&stop);
    pthread_mutex_unlock(&guard);
    pthread_join(watchdog, NULL);
}
