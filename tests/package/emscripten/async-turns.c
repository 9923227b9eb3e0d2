/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include <emscripten.h>
#include <emscripten/html5.h>
#include <holdfast/async.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

#ifdef __EMSCRIPTEN_WASM_WORKERS__
#include <emscripten/wasm_worker.h>
#else
#include <pthread.h>
#endif

/* Checks what a build can break: the thread of main() takes a mutex in turn with two threads that lock it
 * without a pause, and one thread wakes it. Threads are Wasm Workers if the program has them. Prints one line
 * at its end. */

enum { WATCHDOG_MS = 30000, THREADS = 2, LOCKS = 500, WAKES = 41, HOLD_MS = 10, SECTION_SPINS = 2000 };

static hf_mutex mutex;
static volatile int pair[2]; // guarded by the mutex: the same number twice
static int torn;             // guarded by the mutex

static void section(void)
{
    torn += pair[0] != pair[1];
    pair[0] += 1;
    for (volatile int spins = 0; spins < SECTION_SPINS; spins += 1) {
    }
    pair[1] += 1;
}

/* ---- Threads of either kind ---- */

#ifdef __EMSCRIPTEN_WASM_WORKERS__
enum { STACK_BYTES = 1 << 16 };

static void start(void (*work)(void))
{
    emscripten_wasm_worker_t worker = emscripten_malloc_wasm_worker(STACK_BYTES);
    emscripten_wasm_worker_post_function_v(worker, work);
}
#else
static void *call(void *work)
{
    ((void (*)(void))work)();
    return NULL;
}

static void start(void (*work)(void))
{
    pthread_t thread;
    pthread_create(&thread, NULL, call, (void *)work);
    pthread_detach(thread);
}
#endif

static void pause_ms(int ms)
{
    static int never;
    __builtin_wasm_memory_atomic_wait32(&never, 0, ms * 1000000LL);
}

/* ---- Its end ---- */

/* MINIMAL_RUNTIME's exit does not end Node, and Wasm Workers keep Node alive. */
EM_JS(void, leave_node, (int status), {
    if (typeof process == 'object') {
        process['exit'](status);
    }
});

static int watchdog;

static void leave(int status)
{
    emscripten_clear_timeout(watchdog); // Emscripten 6 ends when nothing is left to be done
#if defined MINIMAL_RUNTIME || defined __EMSCRIPTEN_WASM_WORKERS__
    leave_node(status);
#else
    emscripten_force_exit(status);
#endif
}

static void give_up(void *unused)
{
    (void)unused;
    puts("watchdog: it did not end");
    leave(2);
}

/* ---- How soon it is woken, without help from other events ---- */

/* A wake is soon if it comes before the end of the other thread's pause. A lost one comes with the next sweep. */
static atomic_int pauses;
static int wakes, soon, pauses_before;
static hf_event held, measured;

static void hold_for_a_while(void)
{
    while (!hf_event_is_set(&measured)) {
        hf_mutex_lock(&mutex);
        hf_event_set(&held);
        pause_ms(HOLD_MS);
        hf_event_reset(&held);
        hf_mutex_unlock(&mutex);
        pause_ms(HOLD_MS);
        pauses += 1;
    }
}

static void ask_when_held(hf_result result, void *unused);

static void measure(hf_result result, void *unused)
{
    torn += result != HF_OK;
    soon += pauses == pauses_before;
    wakes += 1;
    hf_mutex_unlock(&mutex);
    if (wakes < WAKES) {
        hf_event_wait_async(&held, ask_when_held, unused, HF_FOREVER);
        return;
    }
    hf_event_set(&measured);
    printf("%d locks in turn, %d torn; %d of %d wakes were soon\n", LOCKS, torn, soon, WAKES);
    leave(torn != 0);
}

static void ask_when_held(hf_result result, void *unused)
{
    torn += result != HF_OK;
    pauses_before = pauses;
    hf_mutex_lock_async(&mutex, measure, unused, HF_FOREVER);
}

static void begin_wakes(hf_result result, void *unused)
{
    torn += result != HF_OK;
    hf_event_init(&held, true);
    hf_event_init(&measured, false);
    hf_event_wait_async(&held, ask_when_held, unused, HF_FOREVER);
    start(hold_for_a_while);
}

/* ---- In turn ---- */

static int locks, sections_there; // the threads' counts, guarded by the mutex
static hf_event is_over;
static hf_latch ended;

static void lock_without_a_pause(void)
{
    while (!hf_event_is_set(&is_over)) {
        hf_mutex_lock(&mutex);
        section();
        sections_there += 1;
        hf_mutex_unlock(&mutex);
    }
    hf_latch_count_down(&ended, 1);
}

static void hold(hf_result result, void *unused)
{
    torn += result != HF_OK;
    section();
    locks += 1;
    torn += pair[1] != locks + sections_there;
    hf_mutex_unlock(&mutex);
    if (locks < LOCKS) {
        hf_mutex_lock_async(&mutex, hold, unused, HF_FOREVER);
        return;
    }
    hf_event_set(&is_over);
    hf_latch_wait_async(&ended, begin_wakes, unused, HF_FOREVER);
}

int main(void)
{
    watchdog = (int)emscripten_set_timeout(give_up, WATCHDOG_MS, NULL);
    hf_event_init(&is_over, false);
    hf_latch_init(&ended, THREADS);
    for (int thread = 0; thread < THREADS; thread += 1) {
        start(lock_without_a_pause);
    }
    hf_mutex_lock_async(&mutex, hold, NULL, HF_FOREVER);
    return 0;
}
