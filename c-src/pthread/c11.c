/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* types of mutexes */
#endif
#include "wrap.h"

#include <errno.h>
#include <threads.h>

/* C11's mutexes and conditions are pthread's under other names. They are wrapped too, since musl's C11
 * functions read the words of pthread objects. */

_Static_assert(sizeof(mtx_t) == sizeof(pthread_mutex_t) && sizeof(cnd_t) == sizeof(pthread_cond_t),
               "C11's types are pthread's");

static pthread_mutex_t *mutex_of(mtx_t *mutex)
{
    return hf__words_at((uintptr_t)mutex);
}

static pthread_cond_t *cond_of(cnd_t *cond)
{
    return hf__words_at((uintptr_t)cond);
}

static int result_of(int error)
{
    switch (error) {
    case 0:
        return thrd_success;
    case EBUSY:
        return thrd_busy;
    case ETIMEDOUT:
        return thrd_timedout;
    default:
        return thrd_error;
    }
}

int __wrap_mtx_init(mtx_t *mutex, int type);
void __wrap_mtx_destroy(mtx_t *mutex);
int __wrap_mtx_lock(mtx_t *mutex);
int __wrap_mtx_trylock(mtx_t *mutex);
int __wrap_mtx_timedlock(mtx_t *mutex, const struct timespec *at);
int __wrap_mtx_unlock(mtx_t *mutex);
int __wrap_cnd_init(cnd_t *cond);
void __wrap_cnd_destroy(cnd_t *cond);
int __wrap_cnd_wait(cnd_t *cond, mtx_t *mutex);
int __wrap_cnd_timedwait(cnd_t *cond, mtx_t *mutex, const struct timespec *at);
int __wrap_cnd_signal(cnd_t *cond);
int __wrap_cnd_broadcast(cnd_t *cond);

int __wrap_mtx_init(mtx_t *mutex, int type)
{
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes,
                              type & mtx_recursive ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL);
    int error = __wrap_pthread_mutex_init(mutex_of(mutex), &attributes);
    pthread_mutexattr_destroy(&attributes);
    return result_of(error);
}

void __wrap_mtx_destroy(mtx_t *mutex)
{
    __wrap_pthread_mutex_destroy(mutex_of(mutex));
}

int __wrap_mtx_lock(mtx_t *mutex)
{
    return result_of(__wrap_pthread_mutex_lock(mutex_of(mutex)));
}

int __wrap_mtx_trylock(mtx_t *mutex)
{
    return result_of(__wrap_pthread_mutex_trylock(mutex_of(mutex)));
}

int __wrap_mtx_timedlock(mtx_t *mutex, const struct timespec *at)
{
    return result_of(__wrap_pthread_mutex_timedlock(mutex_of(mutex), at));
}

int __wrap_mtx_unlock(mtx_t *mutex)
{
    return result_of(__wrap_pthread_mutex_unlock(mutex_of(mutex)));
}

int __wrap_cnd_init(cnd_t *cond)
{
    return result_of(__wrap_pthread_cond_init(cond_of(cond), NULL));
}

void __wrap_cnd_destroy(cnd_t *cond)
{
    __wrap_pthread_cond_destroy(cond_of(cond));
}

int __wrap_cnd_wait(cnd_t *cond, mtx_t *mutex)
{
    return result_of(__wrap_pthread_cond_wait(cond_of(cond), mutex_of(mutex)));
}

int __wrap_cnd_timedwait(cnd_t *cond, mtx_t *mutex, const struct timespec *at)
{
    return result_of(__wrap_pthread_cond_timedwait(cond_of(cond), mutex_of(mutex), at));
}

int __wrap_cnd_signal(cnd_t *cond)
{
    return result_of(__wrap_pthread_cond_signal(cond_of(cond)));
}

int __wrap_cnd_broadcast(cnd_t *cond)
{
    return result_of(__wrap_pthread_cond_broadcast(cond_of(cond)));
}
