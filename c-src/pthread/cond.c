/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* clocks of conditions */
#endif
#include "wrap.h"

#include <errno.h>
#include <string.h>

#include "../inside.h"

/* A pthread_cond_t holds an hf_condition, followed by the clock of its deadlines. A static initialiser leaves
 * 0 there: CLOCK_REALTIME. */

_Static_assert(CLOCK_REALTIME == 0, "a static initialiser is all zero");
_Static_assert(sizeof(pthread_cond_t) >= sizeof(uint32_t) + sizeof(hf_condition) + sizeof(uint32_t),
               "the clock is behind the hf_condition, wherever that begins");

static hf_condition *condition_in(pthread_cond_t *cond)
{
    return hf__words_in(cond);
}

static uint32_t *clock_of(pthread_cond_t *cond)
{
    return hf__words_at((uintptr_t)cond + sizeof *cond - sizeof(uint32_t));
}

int __wrap_pthread_cond_init(pthread_cond_t *cond, const pthread_condattr_t *attributes)
{
    clockid_t clock = CLOCK_REALTIME;
    int shared = PTHREAD_PROCESS_PRIVATE;
    if (attributes != NULL) {
        pthread_condattr_getclock(attributes, &clock);
        pthread_condattr_getpshared(attributes, &shared);
    }
    if (!hf__pthread_may_be(shared)) {
        return ENOTSUP;
    }
    memset(cond, 0, sizeof *cond);
    hf__store_rlx(clock_of(cond), (uint32_t)clock);
    return 0;
}

int __wrap_pthread_cond_destroy(pthread_cond_t *cond)
{
    hf_condition_destroy(condition_in(cond));
    return 0;
}

typedef struct cond_wait {
    hf_condition *condition;
    pthread_mutex_t *mutex;
    uint32_t token;
} cond_wait;

/* Returns 0 with the mutex held, or the error of its lock. */
static int get_mutex_back(const cond_wait *wait)
{
    int locked = __wrap_pthread_mutex_trylock(wait->mutex);
    hf__condition_pass_on(wait->condition);
    hf__inside_leave(&wait->condition->inside);
    return locked == EBUSY ? __wrap_pthread_mutex_lock(wait->mutex) : locked;
}

static void be_cancelled(void *argument)
{
    const cond_wait *wait = argument;
    if (hf__condition_give_up(wait->condition, wait->token) == HF_OK) {
        hf_condition_notify(wait->condition, 1); /* passes the notify on to a living thread */
    }
    get_mutex_back(wait);
}

/* Makes the steps of hf_condition_wait_until, and can be cancelled. */
static int wait_until(pthread_cond_t *cond, pthread_mutex_t *mutex, int64_t deadline_ns)
{
    uint32_t depth = hf__pthread_depth(mutex);
    if (depth != 1) {
        return depth == 0 ? EPERM : EDEADLK; /* one unlock of a nested lock would not free the mutex */
    }
    pthread_testcancel();
    hf_condition *condition = condition_in(cond);
    cond_wait wait = {.condition = condition, .mutex = mutex, .token = hf__condition_begin(condition)};
    if (wait.token == HF__CONDITION_FULL) {
        return EAGAIN;
    }
    hf__inside_enter(&condition->inside);
    __wrap_pthread_mutex_unlock(mutex);
    hf_result result;
    pthread_cleanup_push(be_cancelled, &wait);
    result = hf__pthread_await(condition, wait.token, deadline_ns);
    pthread_cleanup_pop(0);
    int error = get_mutex_back(&wait);
    if (error) {
        return error;
    }
    return result == HF_OK ? 0 : ETIMEDOUT;
}

static int wait_at(pthread_cond_t *cond, pthread_mutex_t *mutex, clockid_t clock, const struct timespec *at)
{
    int64_t deadline_ns;
    int error = hf__pthread_deadline(clock, at, &deadline_ns);
    return error ? error : wait_until(cond, mutex, deadline_ns);
}

int __wrap_pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex)
{
    return wait_until(cond, mutex, HF_FOREVER);
}

int __wrap_pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex, const struct timespec *at)
{
    return wait_at(cond, mutex, (clockid_t)hf__load_rlx(clock_of(cond)), at);
}

/* Only glibc has this function. */
int __wrap_pthread_cond_clockwait(pthread_cond_t *cond, pthread_mutex_t *mutex, clockid_t clock,
                                  const struct timespec *at);

int __wrap_pthread_cond_clockwait(pthread_cond_t *cond, pthread_mutex_t *mutex, clockid_t clock,
                                  const struct timespec *at)
{
    return wait_at(cond, mutex, clock, at);
}

int __wrap_pthread_cond_signal(pthread_cond_t *cond)
{
    hf_condition_notify(condition_in(cond), 1);
    return 0;
}

int __wrap_pthread_cond_broadcast(pthread_cond_t *cond)
{
    hf_condition_notify(condition_in(cond), HF_CONDITION_ALL);
    return 0;
}

int __wrap___pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex, const struct timespec *at);

/* musl's pthread_cond_wait calls this without a time. */
int __wrap___pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex, const struct timespec *at)
{
    return at == NULL ? __wrap_pthread_cond_wait(cond, mutex)
                      : __wrap_pthread_cond_timedwait(cond, mutex, at);
}

int __wrap___private_cond_signal(pthread_cond_t *cond, int count);

int __wrap___private_cond_signal(pthread_cond_t *cond, int count)
{
    hf_condition_notify(condition_in(cond), count < 0 ? HF_CONDITION_ALL : (uint32_t)count);
    return 0;
}
