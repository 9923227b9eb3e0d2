/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include <emscripten.h>
#include <holdfast/async.h>
#include <holdfast/holdfast.h>
#include <holdfast/suspending.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __EMSCRIPTEN_PTHREADS__
#include <pthread.h>
#else
#include <emscripten/wasm_worker.h>
#endif

/* Mutexes that threads lock and unlock on command, and calls that wait for them. suspending.mjs plays with
 * them. Without pthreads the threads are Wasm Workers. */

enum { MUTEXES = 2, WORDS = 128, WRONG = 1 << 8 };

static hf_mutex mutexes[MUTEXES];
static hf_event is_to_take[MUTEXES], is_to_give[MUTEXES], has_locked;
static int ended;

#ifdef __EMSCRIPTEN_PTHREADS__
struct start {
    void (*work)(int);
    int argument;
};

static void *start(void *given)
{
    struct start *of = given;
    of->work(of->argument);
    return NULL;
}

static void begin(void (*work)(int), int argument)
{
    static struct start starts[MUTEXES + 1];
    static int begun;
    struct start *of = &starts[begun];
    begun += 1;
    *of = (struct start){work, argument};
    pthread_t thread;
    pthread_create(&thread, NULL, start, of);
    pthread_detach(thread);
}
#else
static void begin(void (*work)(int), int argument)
{
    enum { STACK = 1 << 16 };
    emscripten_wasm_worker_post_function_vi(emscripten_malloc_wasm_worker(STACK), work, argument);
}
#endif

static void take_and_give(int at)
{
    while (true) {
        hf_event_wait(&is_to_take[at]);
        hf_mutex_lock(&mutexes[at]);
        hf_event_wait(&is_to_give[at]);
        hf_mutex_unlock(&mutexes[at]);
    }
}

EMSCRIPTEN_KEEPALIVE void ask_to_take(int at)
{
    hf_event_set(&is_to_take[at]);
}

EMSCRIPTEN_KEEPALIVE int is_taken(int at)
{
    return hf_mutex_trylock(&mutexes[at]) == HF_BUSY || (hf_mutex_unlock(&mutexes[at]), 0);
}

EMSCRIPTEN_KEEPALIVE void give(int at)
{
    hf_event_set(&is_to_give[at]);
}

/* How many calls have ended. */
EMSCRIPTEN_KEEPALIVE int count_ended(void)
{
    return ended;
}

static void fill(volatile int *words, int seed)
{
    for (int at = 0; at < WORDS; at += 1) {
        words[at] = seed + at;
    }
}

static bool are_as_filled(const volatile int *words, int seed)
{
    for (int at = 0; at < WORDS; at += 1) {
        if (words[at] != seed + at) {
            return false;
        }
    }
    return true;
}

/* Returns the result, and WRONG if its variables were changed. */
EMSCRIPTEN_KEEPALIVE int lock_once(int at, int limit_ms)
{
    volatile int words[WORDS];
    static int calls;
    calls += 1;
    int seed = 1000 * calls;
    fill(words, seed);
    hf_result result =
        limit_ms < 0 ? hf_mutex_lock_suspending(&mutexes[at])
                     : hf_mutex_lock_suspending_until(&mutexes[at], hf_now_ns() + limit_ms * HF_MILLISECOND);
    int is_wrong = are_as_filled(words, seed) ? 0 : WRONG;
    if (result == HF_OK) {
        is_wrong |= hf_mutex_is_mine(&mutexes[at]) ? 0 : WRONG;
        hf_mutex_unlock(&mutexes[at]);
    }
    ended += 1;
    return (int)result | is_wrong;
}

/* Locks a mutex that this thread holds already. */
EMSCRIPTEN_KEEPALIVE int lock_twice(int at)
{
    hf_mutex_lock(&mutexes[at]);
    hf_result result = hf_mutex_lock_suspending(&mutexes[at]);
    hf_mutex_unlock(&mutexes[at]);
    return (int)result;
}

/* Stands for the C code of an event that arrives meanwhile. */
EMSCRIPTEN_KEEPALIVE int use_the_stack(void)
{
    volatile int words[WORDS];
    fill(words, 7);
    return are_as_filled(words, 7);
}

static int result_there = -1;

static void lock_on_thread(int at)
{
    result_there = (int)hf_mutex_lock_suspending(&mutexes[at]);
    hf_mutex_unlock(&mutexes[at]);
    hf_event_set(&has_locked);
}

/* Locks on a thread that may block, and so blocks. */
EMSCRIPTEN_KEEPALIVE void lock_elsewhere(void)
{
    begin(lock_on_thread, 0);
}

/* -1: it has not locked yet. */
EMSCRIPTEN_KEEPALIVE int read_result_there(void)
{
    return hf_event_is_set(&has_locked) ? result_there : -1;
}

/* Suspends without a lock. A build without JSPI is linked only to check the error. */
EMSCRIPTEN_KEEPALIVE void sleep_for(int ms)
{
    volatile int words[WORDS];
    fill(words, 1);
    emscripten_sleep((unsigned)ms);
    (void)are_as_filled(words, 1);
}

int main(void)
{
    hf_event_init(&has_locked, false);
    for (int at = 0; at < MUTEXES; at += 1) {
        hf_event_init(&is_to_take[at], true);
        hf_event_init(&is_to_give[at], true);
        begin(take_and_give, at);
    }
    return 0;
}
