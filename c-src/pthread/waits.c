/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* clock_gettime */
#endif
#include "wrap.h"

#include <errno.h>

#include "../futex.h"
#include "../gate_word.h"
#include "../identity.h"
#include "../owned.h"

#ifdef __EMSCRIPTEN__
#include <emscripten/threading.h>
#endif

/* ---- Deadlines ---- */

#define NANOSECONDS_IN_A_SECOND INT64_C(1000000000)
/* About 30 years. */
#define MOST_SECONDS INT64_C(1000000000)

/* Returns the clock's resolution. Emscripten's CLOCK_REALTIME counts whole ms, and they begin at other
 * moments than those of hf_now_ns(). Without this, a wait could end too early by that clock. */
static int64_t step_of(clockid_t clock)
{
#ifdef __EMSCRIPTEN__
    return clock == CLOCK_REALTIME ? HF_MILLISECOND : 0;
#else
    (void)clock;
    return 0;
#endif
}

/* Returns whether the clock runs during a wait: clocks of processor time stand still. */
static bool runs_in_a_wait(clockid_t clock)
{
    return clock != CLOCK_PROCESS_CPUTIME_ID && clock != CLOCK_THREAD_CPUTIME_ID;
}

int hf__pthread_deadline(clockid_t clock, const struct timespec *at, int64_t *deadline_ns)
{
    struct timespec now;
    bool is_bad = at->tv_nsec < 0 || at->tv_nsec >= NANOSECONDS_IN_A_SECOND || !runs_in_a_wait(clock);
    if (is_bad || clock_gettime(clock, &now) != 0) {
        return EINVAL;
    }
    int64_t seconds;
    if (__builtin_sub_overflow((int64_t)at->tv_sec, (int64_t)now.tv_sec, &seconds)) {
        seconds = INT64_MIN; /* only a difference to the past overflows */
    }
    if (seconds > MOST_SECONDS) {
        *deadline_ns = HF_FOREVER;
    } else if (seconds < -MOST_SECONDS) {
        *deadline_ns = 0;
    } else {
        int64_t left_ns = seconds * NANOSECONDS_IN_A_SECOND + (at->tv_nsec - now.tv_nsec);
        *deadline_ns = hf_now_ns() + left_ns + step_of(clock);
    }
    return 0;
}

/* Returns whether the caller is a main thread, which must not wait for long: a page stands still meanwhile.
 */
static bool is_in_a_hurry(void)
{
#ifdef __EMSCRIPTEN__
    return emscripten_is_main_runtime_thread();
#elif defined(HF_IN_A_HURRY)
    return true; /* a test makes each thread behave as the main thread */
#else
    return false;
#endif
}

/* ---- Waits ---- */

/* Enters as hf__gate_enter_until, but claims the slot at once, without patience. */
static hf_result enter_in_a_hurry(hf__gate *gate, uint32_t self, uint32_t amount, uint32_t capacity,
                                  int64_t deadline_ns)
{
    uint32_t result = (uint32_t)OUT_OF_PATIENCE << HF__TOKEN_STAGE;
    do {
        hf__gate_probe_owner(gate, capacity, result & HF__NUMBER_MASK); /* after a slice without a wake */
        result = hf__gate_wait(gate, self, result, hf__left(deadline_ns), amount, capacity);
    } while (result & HF__WAIT_MORE);
    return (hf_result)result;
}

hf_result hf__pthread_enter(hf__gate *gate, uint32_t self, uint32_t amount, uint32_t capacity,
                            int64_t deadline_ns)
{
    return is_in_a_hurry() ? enter_in_a_hurry(gate, self, amount, capacity, deadline_ns)
                           : hf__gate_enter_until(gate, self, amount, capacity, deadline_ns);
}

/* A wait which a cancelled thread must withdraw. */
typedef struct gate_wait {
    hf__gate *gate;
    uint32_t self;
    uint32_t capacity;
    hf__token token;
} gate_wait;

static void withdraw(void *argument)
{
    gate_wait *wait = argument;
    hf__gate_withdraw(wait->gate, wait->self, HF__BLOCKING, wait->token, wait->capacity);
}

hf_result hf__pthread_enter_cancellably(hf__gate *gate, uint32_t self, uint32_t amount, uint32_t capacity,
                                        int64_t deadline_ns)
{
    if (is_in_a_hurry()) {
        return enter_in_a_hurry(gate, self, amount, capacity, deadline_ns);
    }
    gate_wait wait = {.gate = gate, .self = self, .capacity = capacity};
    pthread_cleanup_push(withdraw, &wait);
    do {
        pthread_testcancel();
        wait.token = hf__gate_wait(gate, self, wait.token, hf__left(deadline_ns), amount, capacity);
    } while (wait.token & HF__WAIT_MORE);
    pthread_cleanup_pop(0);
    return (hf_result)wait.token;
}

hf_result hf__pthread_own(hf__gate *gate, uint32_t self, uint32_t owner, uint32_t capacity,
                          int64_t deadline_ns)
{
    if (!is_in_a_hurry()) {
        return hf__owned_enter_until(gate, self, owner, capacity, deadline_ns, NULL);
    }
    hf_result result;
    do {
        result = enter_in_a_hurry(gate, self, owner, capacity, deadline_ns);
        result = result == HF_ABANDONED ? hf__owned_take_abandoned(gate, owner) : result;
    } while (result == HF_BUSY);
    return result;
}

hf_result hf__pthread_await(hf_condition *condition, uint32_t token, int64_t deadline_ns)
{
    uint32_t result = 0;
    do {
        pthread_testcancel();
        result = hf__condition_wait(condition, token, result, hf__left(deadline_ns));
    } while (result & HF__WAIT_MORE);
    return (hf_result)result;
}

hf_result hf__pthread_stall(int64_t deadline_ns)
{
    uint32_t never_changes = 0;
    int64_t left_ns;
    while ((left_ns = hf__left(deadline_ns)) != 0) {
        hf__wait(&never_changes, 0, left_ns < HF__LONGEST_SLICE_NS ? left_ns : HF__LONGEST_SLICE_NS);
    }
    return HF_TIMEOUT;
}
