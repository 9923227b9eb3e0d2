/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

#include "holdfast/thread.h"

#include <pthread.h>

#include "cmocka_with_headers.h"

enum { THREADS = 64 };

static uint32_t ids[THREADS + 1];

/* An identity may be given again once its thread has ended, so all must live at one time. */
static pthread_barrier_t all_alive;

static void *store_id(void *place)
{
    *(uint32_t *)place = hf_thread_id();
    pthread_barrier_wait(&all_alive);
    return NULL;
}

static void an_identity_stays_the_same(void **unused)
{
    (void)unused;
    assert_int_equal(hf_thread_id(), hf_thread_id());
}

static void identities_of_living_threads_differ_and_are_in_range(void **unused)
{
    (void)unused;
    pthread_t threads[THREADS];
    ids[THREADS] = hf_thread_id();
    assert_int_equal(pthread_barrier_init(&all_alive, NULL, THREADS), 0);
    for (int at = 0; at < THREADS; at += 1) {
        assert_int_equal(pthread_create(&threads[at], NULL, store_id, &ids[at]), 0);
    }
    for (int at = 0; at < THREADS; at += 1) {
        pthread_join(threads[at], NULL);
    }
    pthread_barrier_destroy(&all_alive);

    for (int at = 0; at <= THREADS; at += 1) {
        assert_int_not_equal(ids[at], 0);
        assert_true(ids[at] < HF_THREAD_JS);
        for (int other = 0; other < at; other += 1) {
            assert_int_not_equal(ids[at], ids[other]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_identity_stays_the_same),
        cmocka_unit_test(identities_of_living_threads_differ_and_are_in_range),
    };
    return cmocka_run_group_tests_name("thread", tests, NULL, NULL);
}
