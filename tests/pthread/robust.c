/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include "families.h"

#include <errno.h>
#include <pthread.h>
#include <stdint.h>

#include <holdfast/thread.h>

static pthread_mutex_t mutex;

static void *lock_and_die(void *times)
{
    int error = 0;
    for (intptr_t left = (intptr_t)times; left > 0 && error == 0; left -= 1) {
        error = pthread_mutex_lock(&mutex);
    }
    return (void *)(intptr_t)error;
}

static void *lock_it(void *unused)
{
    (void)unused;
    return (void *)(intptr_t)pthread_mutex_lock(&mutex);
}

static void *lock_for_a_while(void *unused)
{
    (void)unused;
    struct timespec soon = in_ms(CLOCK_REALTIME, SOON_MS);
    return (void *)(intptr_t)pthread_mutex_timedlock(&mutex, &soon);
}

static void *try_it(void *unused)
{
    (void)unused;
    return (void *)(intptr_t)pthread_mutex_trylock(&mutex);
}

static void make(int type, int robust)
{
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, type);
    CHECK_IS(0, pthread_mutexattr_setrobust(&attributes, robust));
    CHECK_IS(0, pthread_mutex_init(&mutex, &attributes));
}

static void the_next_owner_is_told(int type)
{
    make(type, PTHREAD_MUTEX_ROBUST);
    CHECK_IS(EINVAL, pthread_mutex_consistent(&mutex));
    CHECK_IS(0, elsewhere(lock_and_die, (void *)(intptr_t)(type == PTHREAD_MUTEX_RECURSIVE ? 2 : 1)));
    CHECK_IS(EOWNERDEAD, pthread_mutex_lock(&mutex));
    CHECK_IS(EBUSY, elsewhere(try_it, NULL));
    CHECK_IS(0, pthread_mutex_consistent(&mutex));
    CHECK_IS(EINVAL, pthread_mutex_consistent(&mutex));
    CHECK_IS(0, pthread_mutex_unlock(&mutex));
    CHECK_IS(EPERM, pthread_mutex_unlock(&mutex));
    CHECK_IS(0, pthread_mutex_lock(&mutex));
    CHECK_IS(0, pthread_mutex_unlock(&mutex));
}

static void nobody_gets_it_if_that_one_does_not_repair_it(void)
{
    make(PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_ROBUST);
    elsewhere(lock_and_die, (void *)1);
    CHECK_IS(EOWNERDEAD, pthread_mutex_trylock(&mutex));
    CHECK_IS(0, pthread_mutex_unlock(&mutex));
    CHECK_IS(ENOTRECOVERABLE, pthread_mutex_lock(&mutex));
    CHECK_IS(ENOTRECOVERABLE, elsewhere(lock_it, NULL));
    CHECK_IS(ENOTRECOVERABLE, pthread_mutex_trylock(&mutex));
    CHECK_IS(EPERM, pthread_mutex_unlock(&mutex));
}

/* POSIX allows only the destroy of such a mutex. */
static void what_nobody_holds_may_be_destroyed(void)
{
    CHECK_IS(0, pthread_mutex_destroy(&mutex)); /* the mutex that no thread can lock */
    make(PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_ROBUST);
    elsewhere(lock_and_die, (void *)1);
    CHECK_IS(0, pthread_mutex_destroy(&mutex));
    make(PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_ROBUST);
    elsewhere(lock_and_die, (void *)1);
    CHECK_IS(EOWNERDEAD, pthread_mutex_lock(&mutex));
    CHECK_IS(EBUSY, pthread_mutex_destroy(&mutex));
    CHECK_IS(0, pthread_mutex_unlock(&mutex));
    CHECK_IS(0, pthread_mutex_destroy(&mutex));
}

static void *wait_for_it(void *unused)
{
    int error = (int)(intptr_t)lock_it(unused);
    if (error == EOWNERDEAD) {
        pthread_mutex_consistent(&mutex);
        pthread_mutex_unlock(&mutex);
    }
    return (void *)(intptr_t)error;
}

static bool is_held;

static void *lock_and_die_later(void *unused)
{
    pthread_mutex_lock(&mutex);
    __atomic_store_n(&is_held, true, __ATOMIC_RELAXED);
    for (int part = 0; part < SOON_MS; part += 1) {
        pause_a_little();
    }
    return unused;
}

static void who_waits_already_is_told_too(void)
{
    pthread_t holder;
    pthread_t waiter;
    void *error;
    make(PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_ROBUST);
    pthread_create(&holder, NULL, lock_and_die_later, NULL);
    while (!__atomic_load_n(&is_held, __ATOMIC_RELAXED)) {
        pause_a_little();
    }
    pthread_create(&waiter, NULL, wait_for_it, NULL);
    pthread_join(waiter, &error);
    pthread_join(holder, NULL);
    CHECK_IS(EOWNERDEAD, (long)(intptr_t)error);
}

static void other_mutexes_stay_locked(void)
{
    make(PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_STALLED);
    elsewhere(lock_and_die, (void *)1);
    CHECK_IS(EBUSY, pthread_mutex_trylock(&mutex));
    CHECK_IS(ETIMEDOUT, elsewhere(lock_for_a_while, NULL));
    CHECK_IS(EPERM, pthread_mutex_unlock(&mutex));
}

void try_robust(void)
{
    CHECK(hf_threads() != NULL);
    the_next_owner_is_told(PTHREAD_MUTEX_NORMAL);
    the_next_owner_is_told(PTHREAD_MUTEX_RECURSIVE);
    nobody_gets_it_if_that_one_does_not_repair_it();
    what_nobody_holds_may_be_destroyed();
    who_waits_already_is_told_too();
    other_mutexes_stay_locked();
}
