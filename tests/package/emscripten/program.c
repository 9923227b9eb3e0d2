/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* A user's program: threads that count under one hf_mutex, which JavaScript shares by its address. */
#include <holdfast/holdfast.h>

#include <emscripten.h>
#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 2 };

static hf_mutex mutex;
static int counters[2]; /* not atomic: protects invariant counters[0] == counters[1] */
static atomic_int running;
static atomic_int failures;
static atomic_int sections;
static pthread_t threads[THREADS];

static void count_once(void)
{
    counters[0] += 1;
    if (counters[0] != counters[1] + 1) {
        failures += 1;
    }
    counters[1] += 1;
}

static void *hammer(void *unused)
{
    (void)unused;
    while (running) {
        hf_result result = hf_mutex_lock(&mutex);
        if (result == HF_OK) {
            count_once();
            sections += 1;
            result = hf_mutex_unlock(&mutex);
        }
        if (result != HF_OK || hf_mutex_unlock(&mutex) != HF_NOT_OWNER) {
            failures += 1;
        }
        if (hf_mutex_lock_until(&mutex, hf_now_ns() + 2 * HF_MILLISECOND) == HF_OK) {
            count_once();
            sections += 1;
            failures += hf_mutex_lock(&mutex) != HF_DEADLOCK;
            hf_mutex_unlock(&mutex);
        }
    }
    return NULL;
}

EMSCRIPTEN_KEEPALIVE hf_mutex *program_mutex(void)
{
    return &mutex;
}

EMSCRIPTEN_KEEPALIVE int *program_counters(void)
{
    return counters;
}

/* Called by the test that uses C and JavaScript in one thread. */
EMSCRIPTEN_KEEPALIVE hf_result program_trylock(void)
{
    return hf_mutex_trylock(&mutex);
}

EMSCRIPTEN_KEEPALIVE hf_result program_unlock(void)
{
    return hf_mutex_unlock(&mutex);
}

EMSCRIPTEN_KEEPALIVE int program_failures(void)
{
    return failures;
}

EMSCRIPTEN_KEEPALIVE int program_sections(void)
{
    return sections;
}

EMSCRIPTEN_KEEPALIVE void program_start(void)
{
    running = 1;
    for (int at = 0; at < THREADS; at += 1) {
        failures += pthread_create(&threads[at], NULL, hammer, NULL) != 0;
    }
}

/* The threads end soon after; the caller sees that by the mutex's words and the counters. */
EMSCRIPTEN_KEEPALIVE void program_stop(void)
{
    running = 0;
}
