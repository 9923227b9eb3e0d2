/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include "families.h"

#include <pthread.h>
#include <semaphore.h>

/* A thread finds out that it is cancelled when a slice of its wait ends. */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t met = PTHREAD_COND_INITIALIZER;
static sem_t permits;
static int waiting;
static int went_on;

static void unlock_it(void *unused)
{
    (void)unused;
    pthread_mutex_unlock(&mutex);
}

static void *wait_for_condition(void *unused)
{
    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(unlock_it, NULL);
    waiting += 1;
    pthread_cond_wait(&met, &mutex);
    went_on += 1;
    pthread_cleanup_pop(1);
    return unused;
}

static void await_waiting(int count)
{
    int seen = 0;
    while (seen != count) {
        pthread_mutex_lock(&mutex);
        seen = waiting;
        pthread_mutex_unlock(&mutex);
        pause_a_little();
    }
}

static void cancel(pthread_t thread)
{
    void *result = NULL;
    CHECK_IS(0, pthread_cancel(thread));
    CHECK_IS(0, pthread_join(thread, &result));
    CHECK(result == PTHREAD_CANCELED);
}

static void a_wait_for_a_condition_is_cancelled(void)
{
    pthread_t cancelled;
    pthread_t other;
    pthread_create(&cancelled, NULL, wait_for_condition, NULL);
    await_waiting(1);
    pthread_create(&other, NULL, wait_for_condition, NULL);
    await_waiting(2);
    cancel(cancelled);
    CHECK_IS(0, pthread_mutex_lock(&mutex)); /* its handler has unlocked it */
    CHECK_IS(0, pthread_mutex_unlock(&mutex));
    CHECK_IS(0, pthread_cond_signal(&met)); /* for the other one */
    CHECK_IS(0, pthread_join(other, NULL));
    CHECK_IS(1, went_on);
    CHECK_IS(0, pthread_cond_destroy(&met));
}

static void *wait_for_permit(void *unused)
{
    __atomic_store_n(&waiting, 0, __ATOMIC_RELAXED);
    sem_wait(&permits);
    return unused;
}

static void a_wait_for_a_semaphore_is_cancelled(void)
{
    pthread_t cancelled;
    pthread_t other;
    int value = -1;
    sem_init(&permits, 0, 0);
    pthread_create(&cancelled, NULL, wait_for_permit, NULL);
    pthread_create(&other, NULL, wait_for_permit, NULL);
    while (__atomic_load_n(&waiting, __ATOMIC_RELAXED)) {
        pause_a_little();
    }
    pause_a_little();
    cancel(cancelled);
    CHECK_IS(0, sem_post(&permits));
    CHECK_IS(0, pthread_join(other, NULL));
    CHECK_IS(0, sem_getvalue(&permits, &value));
    CHECK_IS(0, value);
}

/* AddressSanitizer does not know that a frame may end in pthread_testcancel(). */
#ifdef __SANITIZE_ADDRESS__
static void a_cancelled_thread_takes_no_free_permit(void)
{
}
#else
static void *take_when_cancelled(void *unused)
{
    pthread_cancel(pthread_self());
    sem_wait(&permits);
    return unused;
}

static void *take_in_time_when_cancelled(void *unused)
{
    const struct timespec late = in_ms(CLOCK_REALTIME, MS_IN_A_SECOND);
    pthread_cancel(pthread_self());
    sem_timedwait(&permits, &late);
    return unused;
}

static void a_cancelled_thread_takes_no_free_permit(void)
{
    int value = -1;
    sem_init(&permits, 0, 2);
    CHECK(elsewhere(take_when_cancelled, NULL) == (long)PTHREAD_CANCELED);
    CHECK(elsewhere(take_in_time_when_cancelled, NULL) == (long)PTHREAD_CANCELED);
    CHECK_IS(0, sem_getvalue(&permits, &value));
    CHECK_IS(2, value);
}
#endif

void try_cancellation(void)
{
    a_wait_for_a_condition_is_cancelled();
    a_wait_for_a_semaphore_is_cancelled();
    a_cancelled_thread_takes_no_free_permit();
}
