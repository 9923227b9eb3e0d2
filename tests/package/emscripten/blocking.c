/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include <emscripten.h>
#include <holdfast/holdfast.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "inside.h"

/* Each blocking call: it is refused in a thread that may not block, and Node's main thread serves other
 * threads' calls during it. */

static struct {
    hf_mutex mutex;
    hf_recursive_mutex recursive;
    hf_rwlock rwlock;
    hf_semaphore semaphore;
    hf_condition condition;
    hf_event event;
    hf_event automatic;
    hf_latch latch;
    hf_barrier barrier;
    hf_once once;
} objects, before;

static bool is_met; /* guarded by the mutex of that condition */
static hf_barrier_token token;

static void init(void)
{
    memset(&objects, 0, sizeof objects);
    hf_event_init(&objects.automatic, true);
    hf_latch_init(&objects.latch, 1);
    hf_barrier_init(&objects.barrier, 2);
    is_met = false;
}

static int64_t late(void)
{
    return hf_now_ns() + 10000 * HF_MILLISECOND;
}

/* ---- The calls of the asking thread ---- */

static hf_result lock(void)
{
    return hf_mutex_lock(&objects.mutex);
}
static hf_result lock_until(void)
{
    return hf_mutex_lock_until(&objects.mutex, late());
}
static hf_result lock_recursive(void)
{
    return hf_recursive_mutex_lock(&objects.recursive);
}
static hf_result lock_recursive_until(void)
{
    return hf_recursive_mutex_lock_until(&objects.recursive, late());
}
static hf_result lock_exclusively(void)
{
    return hf_rwlock_lock(&objects.rwlock);
}
static hf_result lock_exclusively_until(void)
{
    return hf_rwlock_lock_until(&objects.rwlock, late());
}
static hf_result lock_shared(void)
{
    return hf_rwlock_lock_shared(&objects.rwlock);
}
static hf_result lock_shared_until(void)
{
    return hf_rwlock_lock_shared_until(&objects.rwlock, late());
}
static hf_result lock_upgradable(void)
{
    return hf_rwlock_lock_upgradable(&objects.rwlock);
}
static hf_result lock_upgradable_until(void)
{
    return hf_rwlock_lock_upgradable_until(&objects.rwlock, late());
}
static hf_result enter(void)
{
    return hf_semaphore_enter(&objects.semaphore, 1);
}
static hf_result enter_until(void)
{
    return hf_semaphore_enter_until(&objects.semaphore, 1, late());
}
static hf_result wait(void)
{
    hf_result result = hf_mutex_trylock(&objects.mutex);
    before = objects;
    while (result == HF_OK && !is_met) {
        result = hf_condition_wait(&objects.condition, &objects.mutex);
    }
    return result;
}
static hf_result wait_until(void)
{
    hf_result result = hf_mutex_trylock(&objects.mutex);
    before = objects;
    while (result == HF_OK && !is_met) {
        result = hf_condition_wait_until(&objects.condition, &objects.mutex, late());
    }
    return result;
}
static hf_result wait_recursive(void)
{
    hf_result result = hf_recursive_mutex_trylock(&objects.recursive);
    before = objects;
    while (result == HF_OK && !is_met) {
        result = hf_recursive_mutex_wait(&objects.recursive, &objects.condition);
    }
    return result;
}
static hf_result wait_recursive_until(void)
{
    hf_result result = hf_recursive_mutex_trylock(&objects.recursive);
    before = objects;
    while (result == HF_OK && !is_met) {
        result = hf_recursive_mutex_wait_until(&objects.recursive, &objects.condition, late());
    }
    return result;
}
static hf_result await_event(void)
{
    hf_event_wait(&objects.event);
    return HF_OK;
}
static hf_result await_event_until(void)
{
    return hf_event_wait_until(&objects.event, late());
}
static hf_result await_automatic(void)
{
    hf_event_wait(&objects.automatic);
    return HF_OK;
}
static hf_result await_latch(void)
{
    hf_latch_wait(&objects.latch);
    return HF_OK;
}
static hf_result await_latch_until(void)
{
    return hf_latch_wait_until(&objects.latch, late());
}
static hf_result arrive(void)
{
    hf_barrier_arrive_and_wait(&objects.barrier);
    return HF_OK;
}
static hf_result arrive_until(void)
{
    hf_result result = hf_barrier_arrive_and_wait_until(&objects.barrier, late());
    return result == HF_DONE ? HF_OK : result;
}
static void complete(void *unused)
{
    (void)unused;
}
static hf_result arrive_with(void)
{
    const hf_barrier_completion completion = {.run = complete};
    hf_barrier_arrive_and_wait_with(&objects.barrier, &completion);
    return HF_OK;
}
static hf_result await_round(void)
{
    hf_barrier_wait(&objects.barrier, token);
    return HF_OK;
}
static hf_result await_round_until(void)
{
    return hf_barrier_wait_until(&objects.barrier, token, late());
}
static hf_result begin(void)
{
    hf_result result = hf_once_begin(&objects.once);
    return result == HF_DONE ? HF_OK : result;
}
static hf_result begin_until(void)
{
    hf_result result = hf_once_begin_until(&objects.once, late());
    return result == HF_DONE ? HF_OK : result;
}
static hf_result destroy_condition(void)
{
    hf_condition_destroy(&objects.condition);
    return HF_OK;
}
static hf_result destroy_condition_until(void)
{
    return hf_condition_destroy_until(&objects.condition, late());
}
static hf_result destroy_barrier(void)
{
    hf_barrier_destroy(&objects.barrier);
    return HF_OK;
}
static hf_result destroy_barrier_until(void)
{
    return hf_barrier_destroy_until(&objects.barrier, late());
}

/* ---- The steps of another thread, before and after the call ---- */

static void nothing(void)
{
}
static void hold_mutex(void)
{
    hf_mutex_trylock(&objects.mutex);
}
static void unlock_mutex(void)
{
    hf_mutex_unlock(&objects.mutex);
}
static void hold_recursive(void)
{
    hf_recursive_mutex_trylock(&objects.recursive);
}
static void unlock_recursive(void)
{
    hf_recursive_mutex_unlock(&objects.recursive);
}
static void hold_rwlock(void)
{
    hf_rwlock_trylock(&objects.rwlock);
}
static void unlock_rwlock(void)
{
    hf_rwlock_unlock(&objects.rwlock);
}
static void hold_permit(void)
{
    hf_semaphore_tryenter(&objects.semaphore, 1);
}
static void leave_permit(void)
{
    hf_semaphore_leave(&objects.semaphore, 1);
}
static void meet(void)
{
    hf_mutex_lock(&objects.mutex);
    is_met = true;
    hf_mutex_unlock(&objects.mutex);
    hf_condition_notify(&objects.condition, 1);
}
static void meet_recursive(void)
{
    hf_recursive_mutex_lock(&objects.recursive);
    is_met = true;
    hf_recursive_mutex_unlock(&objects.recursive);
    hf_condition_notify(&objects.condition, 1);
}
static void set(void)
{
    hf_event_set(&objects.event);
}
static void set_automatic(void)
{
    hf_event_set(&objects.automatic);
}
static void count_down(void)
{
    hf_latch_count_down(&objects.latch, 1);
}
static void arrive_here(void)
{
    token = hf_barrier_arrive(&objects.barrier, NULL);
}
static void hold_once(void)
{
    hf_once_begin(&objects.once);
}
static void end_once(void)
{
    hf_once_end(&objects.once, true);
}
static void enter_condition(void)
{
    hf__inside_enter(&objects.condition.inside);
}
static void leave_condition(void)
{
    hf__inside_leave(&objects.condition.inside);
}
static void enter_barrier(void)
{
    hf__inside_enter(&objects.barrier.inside);
}
static void leave_barrier(void)
{
    hf__inside_leave(&objects.barrier.inside);
}

static const struct {
    const char *name;
    const char *instead; /* NULL: a page may call the function itself */
    hf_result (*call)(void);
    void (*hold)(void);
    void (*release)(void);
} calls[] = {
    {"hf_mutex_lock", "hf_mutex_lock_async", lock, hold_mutex, unlock_mutex},
    {"hf_mutex_lock_until", "hf_mutex_lock_async", lock_until, hold_mutex, unlock_mutex},
    {"hf_recursive_mutex_lock", "hf_recursive_mutex_lock_async", lock_recursive, hold_recursive,
     unlock_recursive},
    {"hf_recursive_mutex_lock_until", "hf_recursive_mutex_lock_async", lock_recursive_until, hold_recursive,
     unlock_recursive},
    {"hf_rwlock_lock", "hf_rwlock_lock_async", lock_exclusively, hold_rwlock, unlock_rwlock},
    {"hf_rwlock_lock_until", "hf_rwlock_lock_async", lock_exclusively_until, hold_rwlock, unlock_rwlock},
    {"hf_rwlock_lock_shared", "hf_rwlock_lock_shared_async", lock_shared, hold_rwlock, unlock_rwlock},
    {"hf_rwlock_lock_shared_until", "hf_rwlock_lock_shared_async", lock_shared_until, hold_rwlock,
     unlock_rwlock},
    {"hf_rwlock_lock_upgradable", "hf_rwlock_lock_upgradable_async", lock_upgradable, hold_rwlock,
     unlock_rwlock},
    {"hf_rwlock_lock_upgradable_until", "hf_rwlock_lock_upgradable_async", lock_upgradable_until, hold_rwlock,
     unlock_rwlock},
    {"hf_semaphore_enter", "hf_semaphore_enter_async", enter, hold_permit, leave_permit},
    {"hf_semaphore_enter_until", "hf_semaphore_enter_async", enter_until, hold_permit, leave_permit},
    {"hf_condition_wait", "hf_condition_wait_async", wait, nothing, meet},
    {"hf_condition_wait_until", "hf_condition_wait_async", wait_until, nothing, meet},
    {"hf_recursive_mutex_wait", "hf_condition_wait_async", wait_recursive, nothing, meet_recursive},
    {"hf_recursive_mutex_wait_until", "hf_condition_wait_async", wait_recursive_until, nothing,
     meet_recursive},
    {"hf_event_wait", "hf_event_wait_async", await_event, nothing, set},
    {"hf_event_wait_until", "hf_event_wait_async", await_event_until, nothing, set},
    {"hf_event_wait, automatic", "hf_event_wait_async", await_automatic, nothing, set_automatic},
    {"hf_latch_wait", "hf_latch_wait_async", await_latch, nothing, count_down},
    {"hf_latch_wait_until", "hf_latch_wait_async", await_latch_until, nothing, count_down},
    {"hf_barrier_arrive_and_wait", "hf_barrier_arrive_and_wait_async", arrive, nothing, arrive_here},
    {"hf_barrier_arrive_and_wait_until", "hf_barrier_arrive_and_wait_async", arrive_until, nothing,
     arrive_here},
    {"hf_barrier_arrive_and_wait_with", "hf_barrier_arrive", arrive_with, nothing, arrive_here},
    {"hf_barrier_wait", "hf_barrier_arrive_and_wait_async", await_round, arrive_here, arrive_here},
    {"hf_barrier_wait_until", "hf_barrier_arrive_and_wait_async", await_round_until, arrive_here,
     arrive_here},
    {"hf_once_begin", "hf_once_begin_async", begin, hold_once, end_once},
    {"hf_once_begin_until", "hf_once_begin_async", begin_until, hold_once, end_once},
    {"hf_condition_destroy", NULL, destroy_condition, enter_condition, leave_condition},
    {"hf_condition_destroy_until", NULL, destroy_condition_until, enter_condition, leave_condition},
    {"hf_barrier_destroy", NULL, destroy_barrier, enter_barrier, leave_barrier},
    {"hf_barrier_destroy_until", NULL, destroy_barrier_until, enter_barrier, leave_barrier},
};
enum { CALLS = sizeof calls / sizeof calls[0] };

/* ---- On the page: JavaScript makes the calls, since a refused one throws ---- */

EMSCRIPTEN_KEEPALIVE int count_calls(void)
{
    return CALLS;
}

EMSCRIPTEN_KEEPALIVE const char *name_of(int at)
{
    return calls[at].name;
}

EMSCRIPTEN_KEEPALIVE const char *instead_of(int at)
{
    return calls[at].instead ? calls[at].instead : "";
}

EMSCRIPTEN_KEEPALIVE bool is_unchanged(void)
{
    return memcmp(&before, &objects, sizeof objects) == 0;
}

EMSCRIPTEN_KEEPALIVE int make_call(int at)
{
    return calls[at].call();
}

/* Frees everything, so that only the condition's call has to wait. */
EMSCRIPTEN_KEEPALIVE void set_free(void)
{
    init();
    hf_event_set(&objects.event);
    hf_event_set(&objects.automatic);
    hf_latch_count_down(&objects.latch, 1);
    token = hf_barrier_arrive(&objects.barrier, NULL);
    before = objects;
}

/* Returns whether a call by the holder itself has the same result as in threads that may block. */
EMSCRIPTEN_KEEPALIVE bool is_told_as_elsewhere(void)
{
    init();
    bool as_elsewhere = hf_mutex_unlock(&objects.mutex) == HF_NOT_OWNER;
    as_elsewhere = as_elsewhere && hf_mutex_trylock(&objects.mutex) == HF_OK;
    as_elsewhere = as_elsewhere && hf_mutex_lock(&objects.mutex) == HF_DEADLOCK;
    as_elsewhere = as_elsewhere && hf_mutex_lock_until(&objects.mutex, 0) == HF_DEADLOCK;
    as_elsewhere = as_elsewhere && hf_mutex_unlock(&objects.mutex) == HF_OK;
    as_elsewhere = as_elsewhere && hf_recursive_mutex_trylock(&objects.recursive) == HF_OK;
    as_elsewhere = as_elsewhere && hf_recursive_mutex_lock(&objects.recursive) == HF_OK;
    as_elsewhere = as_elsewhere && hf_recursive_mutex_lock_until(&objects.recursive, 0) == HF_OK;
    as_elsewhere = as_elsewhere && hf_recursive_mutex_depth(&objects.recursive) == 3;
    as_elsewhere = as_elsewhere && hf_rwlock_trylock(&objects.rwlock) == HF_OK;
    as_elsewhere = as_elsewhere && hf_rwlock_lock(&objects.rwlock) == HF_DEADLOCK;
    as_elsewhere = as_elsewhere && hf_rwlock_lock_shared(&objects.rwlock) == HF_DEADLOCK;
    as_elsewhere = as_elsewhere && hf_rwlock_unlock(&objects.rwlock) == HF_OK;
    as_elsewhere = as_elsewhere && hf_rwlock_trylock_shared(&objects.rwlock) == HF_OK;
    as_elsewhere = as_elsewhere && hf_semaphore_enter(&objects.semaphore, 2) == HF_OVERFLOW;
    as_elsewhere = as_elsewhere && hf_semaphore_tryenter(&objects.semaphore, 1) == HF_OK;
    return as_elsewhere && hf_condition_wait(&objects.condition, &objects.mutex) == HF_NOT_OWNER;
}

/* ---- In Node ---- */

#ifdef IN_NODE
static bool is_begun;

static void *hold_and_print(void *of)
{
    int at = (int)(intptr_t)of;
    calls[at].hold();
    __atomic_store_n(&is_begun, true, __ATOMIC_RELEASE);
    usleep(3000);
    puts(calls[at].name); /* by the main thread */
    fflush(stdout);
    calls[at].release();
    return NULL;
}

int main(void)
{
    int failures = 0;
    for (int at = 0; at < CALLS; at += 1) {
        init();
        __atomic_store_n(&is_begun, false, __ATOMIC_RELAXED);
        pthread_t thread;
        if (pthread_create(&thread, NULL, hold_and_print, (void *)(intptr_t)at) != 0) {
            abort();
        }
        while (!__atomic_load_n(&is_begun, __ATOMIC_ACQUIRE)) {
            usleep(100);
        }
        failures += calls[at].call() != HF_OK;
        pthread_join(thread, NULL);
    }
    printf("%d calls, %d failures\n", CALLS, failures);
    return failures != 0;
}
#endif
