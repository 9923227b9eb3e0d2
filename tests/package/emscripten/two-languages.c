/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include <emscripten.h>
#include <holdfast/async.h>
#include <holdfast/holdfast.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

/* A mutex that threads, callbacks of C and JavaScript request at the same time. tests/support/two-languages.js
 * is the JavaScript. */

enum { THREADS = 2 };

static hf_mutex mutex;
static hf_request last;
static pthread_t threads[THREADS];
static atomic_bool stop;
static double section_ms;

EM_JS(void, told, (int number, int result), { Module['told'](number, result); });

EMSCRIPTEN_KEEPALIVE hf_mutex *address_of_mutex(void)
{
    return &mutex;
}

static void *contend(void *unused)
{
    while (!stop) {
        hf_mutex_lock(&mutex);
        double end = emscripten_get_now() + section_ms;
        while (emscripten_get_now() < end) {
        }
        hf_mutex_unlock(&mutex);
    }
    return unused;
}

EMSCRIPTEN_KEEPALIVE void start(double ms)
{
    section_ms = ms;
    stop = false;
    for (int i = 0; i < THREADS; i += 1) {
        pthread_create(&threads[i], NULL, contend, NULL);
    }
}

/* They end within a section, for which the thread of a page may wait. */
EMSCRIPTEN_KEEPALIVE void finish(void)
{
    stop = true;
    for (int i = 0; i < THREADS; i += 1) {
        pthread_join(threads[i], NULL);
    }
}

static void met(hf_result result, void *number)
{
    told((int)(size_t)number, result);
    if (result == HF_OK) {
        hf_mutex_unlock(&mutex);
    }
}

EMSCRIPTEN_KEEPALIVE void ask(int number)
{
    last = hf_mutex_lock_async(&mutex, met, (void *)(size_t)number, HF_FOREVER);
}

EMSCRIPTEN_KEEPALIVE void cancel_last(void)
{
    hf_async_cancel(last);
}

EMSCRIPTEN_KEEPALIVE void forget(void)
{
    hf_async_forget(&mutex, sizeof mutex);
}

EMSCRIPTEN_KEEPALIVE void leave(void)
{
    emscripten_force_exit(0);
}

EMSCRIPTEN_KEEPALIVE int trylock(void)
{
    return hf_mutex_trylock(&mutex);
}

EMSCRIPTEN_KEEPALIVE int unlock(void)
{
    return hf_mutex_unlock(&mutex);
}
