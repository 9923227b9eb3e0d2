/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* sem_clockwait */
#endif
#include "wrap.h"

#include <errno.h>
#include <semaphore.h>
#include <stddef.h>

#include "holdfast/semaphore.h"

/* A gate without its last word, `own`. Emscripten's sem_t has 16 bytes, 4-aligned, of which 12 can be used
 * 8-aligned. An hf_semaphore keeps its maximum in `own`; here all semaphores have the same maximum. */

_Static_assert(sizeof(sem_t) >= sizeof(uint32_t) + offsetof(hf__gate, own),
               "the words without `own` fit, wherever they begin");

#define MOST HF_SEMAPHORE_MOST

static hf__gate *gate_in(sem_t *sem)
{
    return hf__words_in(sem);
}

static int fails_with(int error)
{
    errno = error;
    return -1;
}

int __wrap_sem_init(sem_t *sem, int shared, unsigned value);
int __wrap_sem_destroy(sem_t *sem);
int __wrap_sem_wait(sem_t *sem);
int __wrap_sem_trywait(sem_t *sem);
int __wrap_sem_timedwait(sem_t *sem, const struct timespec *at);
int __wrap_sem_clockwait(sem_t *sem, clockid_t clock, const struct timespec *at);
int __wrap_sem_post(sem_t *sem);
int __wrap_sem_getvalue(sem_t *sem, int *value);
sem_t *__wrap_sem_open(const char *name, int flags, ...);

int __wrap_sem_init(sem_t *sem, int shared, unsigned value)
{
    if (value > MOST) {
        return fails_with(EINVAL);
    }
    if (!hf__pthread_may_be(shared ? PTHREAD_PROCESS_SHARED : PTHREAD_PROCESS_PRIVATE)) {
        return fails_with(ENOSYS);
    }
    hf__gate *gate = gate_in(sem);
    hf__store64_rlx(&gate->word, MOST - value);
    hf__store_rlx(&gate->line, 0);
    return 0;
}

int __wrap_sem_destroy(sem_t *sem)
{
    (void)sem;
    return 0;
}

static bool gets_one(sem_t *sem)
{
    return hf__gate_try_after(gate_in(sem), hf__pthread_id(), 0, 1, MOST) == HF_OK;
}

int __wrap_sem_trywait(sem_t *sem)
{
    return gets_one(sem) ? 0 : fails_with(EAGAIN);
}

/* Waits until the time `at` on `clock` (NULL: no limit). A cancellation point even if a permit is free. */
static int enter(sem_t *sem, clockid_t clock, const struct timespec *at)
{
    pthread_testcancel();
    if (gets_one(sem)) {
        return 0;
    }
    int64_t deadline_ns = HF_FOREVER;
    int error = at == NULL ? 0 : hf__pthread_deadline(clock, at, &deadline_ns);
    if (error) {
        return fails_with(error);
    }
    hf_result result = hf__pthread_enter_cancellably(gate_in(sem), hf__pthread_id(), 1, MOST, deadline_ns);
    return result == HF_OK ? 0 : fails_with(ETIMEDOUT);
}

int __wrap_sem_wait(sem_t *sem)
{
    return enter(sem, CLOCK_REALTIME, NULL);
}

int __wrap_sem_timedwait(sem_t *sem, const struct timespec *at)
{
    return enter(sem, CLOCK_REALTIME, at);
}

/* Only glibc has this function. */
int __wrap_sem_clockwait(sem_t *sem, clockid_t clock, const struct timespec *at)
{
    return enter(sem, clock, at);
}

int __wrap_sem_post(sem_t *sem)
{
    return hf__gate_leave(gate_in(sem), 1, MOST, MOST) ? 0 : fails_with(EOVERFLOW);
}

int __wrap_sem_getvalue(sem_t *sem, int *value)
{
    *value = (int)(MOST - hf__gate_used(gate_in(sem)));
    return 0;
}

/* Not supported: named semaphores are for several processes. */
sem_t *__wrap_sem_open(const char *name, int flags, ...)
{
    (void)name, (void)flags;
    errno = ENOSYS;
    return SEM_FAILED;
}
