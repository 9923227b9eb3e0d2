/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The seam as futex.h promises it, here on Linux. */
#include "futex.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <time.h>

#include "cmocka_with_headers.h"
#include "holdfast/atomic.h"
#include "holdfast/clock.h"
#include "watchdog.h"

enum { ROUNDS = 2000, WAITERS = 4, FOREVER = -1 };

static uint32_t word;

static void wait_returns_at_once_when_the_word_differs(void **unused)
{
    (void)unused;
    uint32_t local = 1;
    assert_int_equal(hf__wait(&local, 0, FOREVER), HF__CHANGED);
}

static void wait_times_out_not_before_its_time(void **unused)
{
    (void)unused;
    uint32_t local = 0;
    assert_int_equal(hf__wait(&local, 0, 0), HF__TIMED_OUT);
    int64_t begin = hf_now_ns();
    assert_int_equal(hf__wait(&local, 0, 3 * HF_MILLISECOND), HF__TIMED_OUT);
    assert_true(hf_now_ns() - begin >= 3 * HF_MILLISECOND);
}

static void wake_with_nobody_waiting_is_no_error(void **unused)
{
    (void)unused;
    uint32_t local = 0;
    hf__wake(&local, 1);
    hf__wake(&local, HF__WAKE_ALL);
    assert_int_equal(local, 0);
}

static void wait_for_change(uint32_t from)
{
    while (hf__load_rlx(&word) == from) {
        hf__wait(&word, from, FOREVER);
    }
    watchdog_progress();
}

static void *answer(void *unused)
{
    (void)unused;
    for (uint32_t round = 0; round < ROUNDS; round += 1) {
        wait_for_change(2 * round);
        hf__add_rlx(&word, 1);
        hf__wake(&word, 1);
    }
    return NULL;
}

/* Without limit, so that a lost wake is a hang. */
static void wake_reaches_the_only_waiter(void **unused)
{
    (void)unused;
    word = 0;
    pthread_t other;
    assert_int_equal(pthread_create(&other, NULL, answer, NULL), 0);
    for (uint32_t round = 0; round < ROUNDS; round += 1) {
        hf__add_rlx(&word, 1);
        hf__wake(&word, 1);
        wait_for_change(2 * round + 1);
    }
    pthread_join(other, NULL);
    assert_int_equal(word, 2 * ROUNDS);
}

static void do_nothing(int signal_number)
{
    (void)signal_number;
}

static void *await_a_signal(void *came_back)
{
    hf__wait_result result = hf__wait(&word, 0, FOREVER);
    hf__store_rlx(came_back, 1);
    return result == HF__WOKEN ? NULL : came_back;
}

/* A program may use signals as it likes: a wait that a signal ends counts as woken. */
static void a_signal_is_a_spurious_wake(void **unused)
{
    (void)unused;
    struct sigaction action = {.sa_handler = do_nothing};
    sigaction(SIGUSR1, &action, NULL);
    word = 0;
    uint32_t came_back = 0;
    pthread_t waiter;
    assert_int_equal(pthread_create(&waiter, NULL, await_a_signal, &came_back), 0);
    /* The first signals may come before the wait. */
    while (hf__load_rlx(&came_back) == 0) {
        pthread_kill(waiter, SIGUSR1);
        sched_yield();
    }
    void *complaint = NULL;
    pthread_join(waiter, &complaint);
    assert_null(complaint);
    watchdog_progress();
}

static void *await_one(void *unused)
{
    (void)unused;
    wait_for_change(0);
    return NULL;
}

static void sleeping_threads_are_counted(void **unused)
{
    (void)unused;
    assert_int_equal(hf__asleep(), 0);
    hf__store_rlx(&word, 0);
    pthread_t waiters[WAITERS];
    for (uint32_t at = 0; at < WAITERS; at += 1) {
        assert_int_equal(pthread_create(&waiters[at], NULL, await_one, NULL), 0);
        while (hf__asleep() != at + 1) {
            sched_yield();
        }
    }
    hf__store_rlx(&word, 1);
    hf__wake(&word, HF__WAKE_ALL);
    for (int at = 0; at < WAITERS; at += 1) {
        pthread_join(waiters[at], NULL);
    }
    assert_int_equal(hf__asleep(), 0);
}

static void wake_all_reaches_everybody(void **unused)
{
    (void)unused;
    for (int round = 0; round < 100; round += 1) {
        hf__store_rlx(&word, 0);
        pthread_t waiters[WAITERS];
        for (int at = 0; at < WAITERS; at += 1) {
            assert_int_equal(pthread_create(&waiters[at], NULL, await_one, NULL), 0);
        }
        hf__store_rlx(&word, 1);
        hf__wake(&word, HF__WAKE_ALL);
        for (int at = 0; at < WAITERS; at += 1) {
            pthread_join(waiters[at], NULL);
        }
    }
}

/* holdfast/result.h: no function of the library sets it. */
static void errno_stays_as_it_was(void **unused)
{
    (void)unused;
    enum { OF_THE_PROGRAM = 12345 };
    uint32_t local = 0;
    errno = OF_THE_PROGRAM;
    assert_int_equal(hf__wait(&local, 1, FOREVER), HF__CHANGED);
    assert_int_equal(hf__wait(&local, 0, 0), HF__TIMED_OUT);
    assert_int_equal(errno, OF_THE_PROGRAM);
    hf__wake(NULL, 1); /* as for memory that was unmapped */
    assert_int_equal(errno, OF_THE_PROGRAM);
}

static void the_clock_counts_nanoseconds_and_never_goes_back(void **unused)
{
    (void)unused;
    enum { LOOKS = 1000, NS_IN_A_SECOND = 1000000000 };
    struct timespec begin;
    struct timespec end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    const int64_t first = hf_now_ns();
    int64_t last = first;
    for (int look = 0; look < LOOKS; look += 1) {
        const int64_t now = hf_now_ns();
        assert_true(now >= last);
        last = now;
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    const int64_t passed =
        (int64_t)(end.tv_sec - begin.tv_sec) * NS_IN_A_SECOND + end.tv_nsec - begin.tv_nsec;
    assert_true(last - first > 0 && last - first <= passed);
    assert_true(HF_FOREVER - last > 0);
    assert_int_equal(1000 * HF_MICROSECOND, HF_MILLISECOND);
    assert_int_equal(1000 * HF_MILLISECOND, NS_IN_A_SECOND);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wait_returns_at_once_when_the_word_differs),
        cmocka_unit_test(wait_times_out_not_before_its_time),
        cmocka_unit_test(wake_with_nobody_waiting_is_no_error),
        cmocka_unit_test(wake_reaches_the_only_waiter),
        cmocka_unit_test(sleeping_threads_are_counted),
        cmocka_unit_test(wake_all_reaches_everybody),
        cmocka_unit_test(a_signal_is_a_spurious_wake),
        cmocka_unit_test(errno_stays_as_it_was),
        cmocka_unit_test(the_clock_counts_nanoseconds_and_never_goes_back),
    };
    watchdog_start(&word, 1);
    int failed = cmocka_run_group_tests_name("futex", tests, NULL, NULL);
    watchdog_stop();
    return failed;
}
