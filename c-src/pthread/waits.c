/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* clock_gettime */
#endif
#include "wrap.h"

#include <errno.h>

#include "../owned.h"
#include "../thread_slots.h"

#ifdef __EMSCRIPTEN__
#include <emscripten/threading.h>
#else
#include "../futex.h"
#endif

static int64_t shorter_of(int64_t one_ns, int64_t other_ns)
{
    return one_ns < other_ns ? one_ns : other_ns;
}

/* ---- Deadlines ---- */

#define NANOSECONDS_IN_A_SECOND INT64_C(1000000000)
/* About 30 years. */
#define MOST_SECONDS INT64_C(1000000000)

/* Emscripten's CLOCK_REALTIME counts in whole ms, and starts them at times of its own: a wait that ended by
 * the other clock would seem too early by this one. */
static int64_t step_of(clockid_t clock)
{
#ifdef __EMSCRIPTEN__
    return clock == CLOCK_REALTIME ? HF_MILLISECOND : 0;
#else
    (void)clock;
    return 0;
#endif
}

/* Those of processor time do not. */
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
        seconds = INT64_MIN; /* the present is no such time that a late one would overflow */
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

/* ---- Who attends to others while it waits, and how it rests meanwhile ---- */

#ifdef __EMSCRIPTEN__
/* The main thread, whether it may block (in Node) or not (on a page): who holds a lock may be waiting for a
 * call that only the main thread can make. */
static bool must_attend(void)
{
    return emscripten_is_main_runtime_thread();
}

/* Emscripten's own wait makes such calls first; on a page it spins, and makes them all the time. */
static bool outlasts(uint32_t *word, uint32_t expected, int64_t limit_ns)
{
    const double ns_in_a_ms = (double)HF_MILLISECOND;
    const int64_t end_ns = hf_now_ns() + limit_ns;
    for (;;) {
        int64_t left_ns = hf__left(end_ns);
        if (left_ns == 0) {
            return true;
        }
        /* As often as Emscripten's own locks. */
        double once_ms = (double)shorter_of(left_ns, HF_MILLISECOND) / ns_in_a_ms;
        if (emscripten_futex_wait(word, expected, once_ms) != -ETIMEDOUT) {
            return false;
        }
    }
}
#else
#ifndef HF_ATTEND
#define HF_ATTEND false /* but in a test */
#endif
static bool must_attend(void)
{
    return HF_ATTEND;
}

static bool outlasts(uint32_t *word, uint32_t expected, int64_t limit_ns)
{
    return hf__wait(word, expected, limit_ns) == HF__TIMED_OUT;
}
#endif

/* ---- Waits ---- */

/* How long to watch what the step says (gate.h), or to rest without a look. */
static int64_t watch_ns(hf__outcome step)
{
    if (hf__next_in(step) == HF__WAIT_BESIDE) {
        return HF_BESIDE_NS;
    }
    if (step >> HF__OUTCOME_WATCHED) {
        return (step >> HF__OUTCOME_POLLS) & 1 ? HF_POLLED_RESERVATION_NS : HF_RESERVATION_NS;
    }
    return HF__SLICE_NS;
}

static hf_result attend_gate(hf__gate *gate, uint32_t self, uint32_t amount, uint32_t capacity,
                             int64_t deadline_ns)
{
    if (hf__gate_try_after(gate, self, 0, amount, capacity) == HF_OK) {
        return HF_OK;
    }
    /* Not patient, as other threads are: it asks for the place at once. */
    const hf__token claims = (hf__token)HF__TOKEN_OVERTAKEN_MAX << HF__TOKEN_OVERTAKEN;
    hf__token token = claims;
    bool in_vain = false;
    for (;;) {
        hf__look_at_owner(gate, capacity, in_vain);
        int64_t left_ns = hf__left(deadline_ns);
        if (left_ns == 0) {
            return (hf_result)hf__gate_wait(gate, self, token, 0, amount, capacity); /* it gives up */
        }
        hf__outcome step = hf__gate_step(gate, self, HF__BLOCKING, token, amount, capacity);
        if (hf__next_in(step) == HF__DONE) {
            if ((uint32_t)step == HF_ABANDONED) {
                hf__gate_withdraw(gate, self, HF__BLOCKING, token, capacity);
            }
            return (hf_result)(uint32_t)step;
        }
        bool is_next = hf__next_in(step) == HF__WAIT_TURN;
        uint32_t *half = is_next ? hf__high_half(&gate->word) : hf__low_half(&gate->word);
        int64_t slice_ns = shorter_of(watch_ns(step), left_ns);
        in_vain = outlasts(half, (uint32_t)step, slice_ns) && slice_ns < left_ns;
        token = claims | (is_next ? HF__TOKEN_WAS_NEXT : token & HF__TOKEN_WAS_NEXT) |
                (in_vain ? (uint32_t)(step >> HF__OUTCOME_WATCHED) : 0);
    }
}

hf_result hf__pthread_enter(hf__gate *gate, uint32_t self, uint32_t amount, uint32_t capacity,
                            int64_t deadline_ns)
{
    return must_attend() ? attend_gate(gate, self, amount, capacity, deadline_ns)
                         : hf__gate_enter_until(gate, self, amount, capacity, deadline_ns);
}

/* What a thread that is cancelled gives back. */
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
    if (must_attend()) {
        return attend_gate(gate, self, amount, capacity, deadline_ns);
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
    if (!must_attend()) {
        return hf__owned_enter_until(gate, self, owner, capacity, deadline_ns);
    }
    hf_result result;
    do {
        result = attend_gate(gate, self, owner, capacity, deadline_ns);
        result = result == HF_ABANDONED ? hf__owned_take_abandoned(gate, owner) : result;
    } while (result == HF_BUSY);
    return result;
}

static hf_result attend_condition(hf_condition *condition, uint32_t token, int64_t deadline_ns)
{
    for (;;) {
        int64_t left_ns = hf__left(deadline_ns);
        if (left_ns == 0) {
            return hf__condition_give_up(condition, token);
        }
        hf__outcome step = hf__condition_step(condition, token);
        if (step == HF__DONE) {
            return HF_OK;
        }
        outlasts(hf__low_half(&condition->word), (uint32_t)step, shorter_of(HF__SLICE_NS, left_ns));
    }
}

hf_result hf__pthread_await(hf_condition *condition, uint32_t token, int64_t deadline_ns)
{
    if (must_attend()) {
        return attend_condition(condition, token, deadline_ns);
    }
    uint32_t result = 0;
    do {
        pthread_testcancel();
        result = hf__condition_wait(condition, token, result, hf__left(deadline_ns));
    } while (result & HF__WAIT_MORE);
    return (hf_result)result;
}

void hf__pthread_await_leaving(hf_condition *condition)
{
    if (!must_attend()) {
        hf_condition_destroy(condition);
        return;
    }
    while (hf_condition_destroy_until(condition, 0) == HF_TIMEOUT) {
        outlasts(&condition->inside, hf__load_rlx(&condition->inside), HF_MILLISECOND);
    }
}

hf_result hf__pthread_stall(int64_t deadline_ns)
{
    uint32_t never_changes = 0;
    int64_t left_ns;
    while ((left_ns = hf__left(deadline_ns)) != 0) {
        outlasts(&never_changes, 0, shorter_of(HF__LONGEST_SLICE_NS, left_ns));
    }
    return HF_TIMEOUT;
}
