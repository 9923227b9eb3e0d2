/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* locks of readers and writers */
#endif
#include "../rwlock.h"
#include "wrap.h"

#include <errno.h>
#include <string.h>

/* Counts the locks that this thread holds to read. POSIX lets a reader lock once more. If such a reader
 * waited behind a writer, the writer would wait for it in turn. So a thread that holds any lock to read joins
 * the readers at once (hf__gate_join). */
static __thread uint32_t reads;

_Static_assert(sizeof(pthread_rwlock_t) >= sizeof(uint32_t) + sizeof(hf_rwlock),
               "an hf_rwlock fits, wherever it begins");

static hf_rwlock *rwlock_in(pthread_rwlock_t *rwlock)
{
    return hf__words_in(rwlock);
}

int __wrap_pthread_rwlock_init(pthread_rwlock_t *rwlock, const pthread_rwlockattr_t *attributes);
int __wrap_pthread_rwlock_destroy(pthread_rwlock_t *rwlock);
int __wrap_pthread_rwlock_rdlock(pthread_rwlock_t *rwlock);
int __wrap_pthread_rwlock_timedrdlock(pthread_rwlock_t *rwlock, const struct timespec *at);
int __wrap_pthread_rwlock_clockrdlock(pthread_rwlock_t *rwlock, clockid_t clock, const struct timespec *at);
int __wrap_pthread_rwlock_tryrdlock(pthread_rwlock_t *rwlock);
int __wrap_pthread_rwlock_wrlock(pthread_rwlock_t *rwlock);
int __wrap_pthread_rwlock_timedwrlock(pthread_rwlock_t *rwlock, const struct timespec *at);
int __wrap_pthread_rwlock_clockwrlock(pthread_rwlock_t *rwlock, clockid_t clock, const struct timespec *at);
int __wrap_pthread_rwlock_trywrlock(pthread_rwlock_t *rwlock);
int __wrap_pthread_rwlock_unlock(pthread_rwlock_t *rwlock);

int __wrap_pthread_rwlock_init(pthread_rwlock_t *rwlock, const pthread_rwlockattr_t *attributes)
{
    int shared = PTHREAD_PROCESS_PRIVATE;
    if (attributes != NULL) {
        pthread_rwlockattr_getpshared(attributes, &shared);
    }
    if (!hf__pthread_may_be(shared)) {
        return ENOTSUP;
    }
    memset(rwlock, 0, sizeof *rwlock);
    return 0;
}

int __wrap_pthread_rwlock_destroy(pthread_rwlock_t *rwlock)
{
    (void)rwlock; /* a locked one too, as in musl and glibc: programs rely on that */
    return 0;
}

/* Returns the error of a wait that has ended. */
static int error_of(hf_result result, int64_t deadline_ns)
{
    switch (result) {
    case HF_OK:
        return 0;
    case HF_DEADLOCK:
        return EDEADLK;
    case HF_ABANDONED:
        hf__pthread_stall(deadline_ns); /* POSIX has no robust rwlocks */
        return ETIMEDOUT;
    default:
        return ETIMEDOUT;
    }
}

static int began_to_read(int error)
{
    reads += error == 0;
    return error;
}

static bool joins(hf__gate *gate)
{
    return reads != 0 && hf__gate_join(gate, HF__SHARED, HF__RWLOCK_CAPACITY);
}

/* Locks the rwlock to read, or gives up at the time `at` on `clock` (NULL: no limit). */
static int read_lock(pthread_rwlock_t *rwlock, clockid_t clock, const struct timespec *at)
{
    hf__gate *gate = &rwlock_in(rwlock)->gate;
    uint32_t self = hf__pthread_id();
    if (joins(gate) || hf__gate_try_after(gate, self, 0, HF__SHARED, HF__RWLOCK_CAPACITY) == HF_OK) {
        return began_to_read(0);
    }
    if (hf__owned_is_mine(gate, hf__rwlock_writer(self))) {
        return EDEADLK;
    }
    int64_t deadline_ns = HF_FOREVER;
    int error = at == NULL ? 0 : hf__pthread_deadline(clock, at, &deadline_ns);
    if (error) {
        return error;
    }
    hf_result result = hf__pthread_enter(gate, self, HF__SHARED, HF__RWLOCK_CAPACITY, deadline_ns);
    return began_to_read(error_of(result, deadline_ns));
}

int __wrap_pthread_rwlock_rdlock(pthread_rwlock_t *rwlock)
{
    return read_lock(rwlock, CLOCK_REALTIME, NULL);
}

int __wrap_pthread_rwlock_timedrdlock(pthread_rwlock_t *rwlock, const struct timespec *at)
{
    return read_lock(rwlock, CLOCK_REALTIME, at);
}

int __wrap_pthread_rwlock_clockrdlock(pthread_rwlock_t *rwlock, clockid_t clock, const struct timespec *at)
{
    return read_lock(rwlock, clock, at);
}

int __wrap_pthread_rwlock_tryrdlock(pthread_rwlock_t *rwlock)
{
    hf__gate *gate = &rwlock_in(rwlock)->gate;
    uint32_t self = hf__pthread_id();
    bool is_done = joins(gate) || hf__gate_try_after(gate, self, 0, HF__SHARED, HF__RWLOCK_CAPACITY) == HF_OK;
    return began_to_read(is_done ? 0 : EBUSY);
}

static int write_lock(pthread_rwlock_t *rwlock, clockid_t clock, const struct timespec *at)
{
    hf__gate *gate = &rwlock_in(rwlock)->gate;
    uint32_t self = hf__pthread_id();
    uint32_t writer = hf__rwlock_writer(self);
    if (hf__gate_try_after(gate, self, 0, writer, HF__RWLOCK_CAPACITY) == HF_OK) {
        return 0;
    }
    if (hf__owned_is_mine(gate, writer)) {
        return EDEADLK;
    }
    int64_t deadline_ns = HF_FOREVER;
    int error = at == NULL ? 0 : hf__pthread_deadline(clock, at, &deadline_ns);
    if (error) {
        return error;
    }
    hf_result result = hf__pthread_own(gate, self, writer, HF__RWLOCK_CAPACITY, deadline_ns);
    if (result == HF_ABANDONED) {
        hf__owned_leave(gate, writer, 0); /* abandoned again */
    }
    return error_of(result, deadline_ns);
}

int __wrap_pthread_rwlock_wrlock(pthread_rwlock_t *rwlock)
{
    return write_lock(rwlock, CLOCK_REALTIME, NULL);
}

int __wrap_pthread_rwlock_timedwrlock(pthread_rwlock_t *rwlock, const struct timespec *at)
{
    return write_lock(rwlock, CLOCK_REALTIME, at);
}

int __wrap_pthread_rwlock_clockwrlock(pthread_rwlock_t *rwlock, clockid_t clock, const struct timespec *at)
{
    return write_lock(rwlock, clock, at);
}

int __wrap_pthread_rwlock_trywrlock(pthread_rwlock_t *rwlock)
{
    uint32_t self = hf__pthread_id();
    uint32_t writer = hf__rwlock_writer(self);
    uint32_t result = hf__gate_try_after(&rwlock_in(rwlock)->gate, self, 0, writer, HF__RWLOCK_CAPACITY);
    return result == HF_OK ? 0 : EBUSY;
}

int __wrap_pthread_rwlock_unlock(pthread_rwlock_t *rwlock)
{
    hf_rwlock *words = rwlock_in(rwlock);
    uint32_t writer = hf__rwlock_writer(hf__pthread_id());
    if (hf__owned_is_by(&words->gate, writer)) {
        return hf__owned_leave(&words->gate, writer, 0) == HF_OK ? 0 : EPERM;
    }
    if (hf__rwlock_release(words, HF__SHARED) != HF_OK) {
        return EPERM;
    }
    reads -= reads != 0; /* not below 0: the lock may be another thread's, though POSIX forbids that */
    return 0;
}

int __wrap___pthread_rwlock_rdlock(pthread_rwlock_t *rwlock) HF__ALSO_CALLED(__wrap_pthread_rwlock_rdlock);
int __wrap___pthread_rwlock_timedrdlock(pthread_rwlock_t *rwlock, const struct timespec *at)
    HF__ALSO_CALLED(__wrap_pthread_rwlock_timedrdlock);
int __wrap___pthread_rwlock_tryrdlock(pthread_rwlock_t *rwlock)
    HF__ALSO_CALLED(__wrap_pthread_rwlock_tryrdlock);
int __wrap___pthread_rwlock_wrlock(pthread_rwlock_t *rwlock) HF__ALSO_CALLED(__wrap_pthread_rwlock_wrlock);
int __wrap___pthread_rwlock_timedwrlock(pthread_rwlock_t *rwlock, const struct timespec *at)
    HF__ALSO_CALLED(__wrap_pthread_rwlock_timedwrlock);
int __wrap___pthread_rwlock_trywrlock(pthread_rwlock_t *rwlock)
    HF__ALSO_CALLED(__wrap_pthread_rwlock_trywrlock);
int __wrap___pthread_rwlock_unlock(pthread_rwlock_t *rwlock) HF__ALSO_CALLED(__wrap_pthread_rwlock_unlock);
