/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* What is the mutex's own, seen by one thread; the algorithm is the gate's (gate_test.c). Other threads are
 * identities that are passed in. */
#include "gate.h"
#include "holdfast/mutex.h"

#include "cmocka_with_headers.h"
#include "futex_spy.h"
#include "watchdog.h"

enum { ANNA = 1, BERT = 2 };

static hf_mutex mutex;

static int start_afresh(void **unused)
{
    (void)unused;
    mutex = (hf_mutex){0};
    futex_spy_reset();
    return 0;
}

static hf__outcome step(uint32_t self)
{
    return hf__gate_step(&mutex.gate, self, HF__ASYNC, 0, self, HF__GATE_FOR_ONE);
}

static void assert_zero(void)
{
    assert_int_equal(mutex.gate.word, 0);
    assert_int_equal(mutex.gate.line, 0);
    assert_int_equal(mutex.gate.own, 0);
}

static void lock_writes_the_owner_and_unlock_zero(void **unused)
{
    (void)unused;
    assert_int_equal(hf_mutex_lock(&mutex), HF_OK);
    assert_int_equal(mutex.gate.word, hf_thread_id());
    assert_true(hf_mutex_is_mine(&mutex));
    assert_int_equal(hf_mutex_unlock(&mutex), HF_OK);
    assert_false(hf_mutex_is_mine(&mutex));
    assert_zero();
}

static void lock_and_unlock_without_contention_never_wait_and_never_wake(void **unused)
{
    (void)unused;
    for (int round = 0; round < 1000; round += 1) {
        assert_int_equal(hf_mutex_lock(&mutex), HF_OK);
        assert_int_equal(hf_mutex_unlock(&mutex), HF_OK);
        assert_int_equal(hf_mutex_trylock(&mutex), HF_OK);
        assert_int_equal(hf_mutex_unlock(&mutex), HF_OK);
        assert_int_equal(hf_mutex_lock_until(&mutex, 0), HF_OK);
        assert_int_equal(hf_mutex_unlock(&mutex), HF_OK);
    }
    assert_int_equal(futex_spy_waits(), 0);
    assert_int_equal(futex_spy_wakes(NULL), 0);
    assert_zero();
}

static void unlock_by_another_is_refused_and_changes_nothing(void **unused)
{
    (void)unused;
    assert_int_equal(hf__mutex_unlock(&mutex, ANNA), HF_NOT_OWNER);
    assert_zero();
    assert_int_equal(hf__mutex_lock(&mutex, ANNA), HF_OK);
    assert_int_equal(hf__mutex_unlock(&mutex, BERT), HF_NOT_OWNER);
    assert_int_equal(mutex.gate.word, ANNA);
}

static void unlock_of_a_lock_that_is_only_reserved_is_refused(void **unused)
{
    (void)unused;
    hf__mutex_lock(&mutex, ANNA);
    step(BERT);
    hf__mutex_unlock(&mutex, ANNA);
    uint64_t before = mutex.gate.word;
    assert_int_equal(hf__mutex_unlock(&mutex, BERT), HF_NOT_OWNER);
    assert_false(hf__mutex_is_held_by(&mutex, BERT));
    assert_int_equal(mutex.gate.word, before);
}

static void lock_by_the_owner_is_a_deadlock(void **unused)
{
    (void)unused;
    hf_mutex_lock(&mutex);
    assert_int_equal(hf_mutex_lock(&mutex), HF_DEADLOCK);
    assert_int_equal(hf_mutex_lock_until(&mutex, 0), HF_DEADLOCK);
    assert_int_equal(hf_mutex_lock_until(&mutex, hf_now_ns() + HF_MILLISECOND), HF_DEADLOCK);
    assert_int_equal(hf_mutex_trylock(&mutex), HF_BUSY);
    assert_true(hf_mutex_is_mine(&mutex));
    assert_int_equal(futex_spy_waits(), 0);
    assert_int_equal(hf_mutex_unlock(&mutex), HF_OK);
    assert_zero();
}

static void trylock_of_a_held_lock_is_busy(void **unused)
{
    (void)unused;
    hf__mutex_lock(&mutex, ANNA);
    assert_int_equal(hf__mutex_trylock(&mutex, BERT), HF_BUSY);
    assert_int_equal(mutex.gate.word, ANNA);
    assert_int_equal(futex_spy_waits(), 0);
}

static void lock_until_a_past_deadline_takes_a_free_lock_or_leaves_at_once(void **unused)
{
    (void)unused;
    int64_t past = hf_now_ns() - 1;
    hf__mutex_lock(&mutex, ANNA);
    assert_int_equal(hf_mutex_lock_until(&mutex, past), HF_TIMEOUT);
    assert_int_equal(hf_mutex_lock_until(&mutex, INT64_MIN / 2), HF_TIMEOUT);
    assert_int_equal(futex_spy_waits(), 0);
    hf__mutex_unlock(&mutex, ANNA);
    assert_zero();
    assert_int_equal(hf_mutex_lock_until(&mutex, past), HF_OK);
}

static void lock_until_times_out_not_before_its_deadline(void **unused)
{
    (void)unused;
    hf__mutex_lock(&mutex, ANNA);
    int64_t deadline = hf_now_ns() + 5 * HF_MILLISECOND;
    assert_int_equal(hf_mutex_lock_until(&mutex, deadline), HF_TIMEOUT);
    assert_true(hf_now_ns() >= deadline);
    assert_true(hf__mutex_is_held_by(&mutex, ANNA));
    assert_int_equal(hf__mutex_unlock(&mutex, ANNA), HF_OK);
    assert_zero();
}

static void a_thread_that_sleeps_seldom_looks(void **unused)
{
    (void)unused;
    hf__mutex_lock(&mutex, ANNA);
    assert_int_equal(hf_mutex_lock_until(&mutex, hf_now_ns() + 800 * HF_MILLISECOND), HF_TIMEOUT);
    assert_in_range(futex_spy_waits(), 1, 10); /* 1, 20, 40, 80, ... ms; some for a signal */
}

static void
trylock_of_a_reserved_lock_is_busy_even_for_the_thread_of_the_event_loop_that_is_next(void **unused)
{
    (void)unused;
    hf__mutex_lock(&mutex, ANNA);
    step(BERT);
    hf__mutex_unlock(&mutex, ANNA);
    assert_int_equal(hf_mutex_trylock(&mutex), HF_BUSY);
    assert_int_equal(hf__mutex_trylock(&mutex, BERT), HF_BUSY);
    assert_int_equal(step(BERT), HF__DONE);
    assert_int_equal(hf__mutex_unlock(&mutex, BERT), HF_OK);
    assert_zero();
}

static void unlock_anna(void)
{
    hf__mutex_unlock(&mutex, ANNA);
}

static void lock_waits_until_the_lock_is_free(void **unused)
{
    (void)unused;
    hf__mutex_lock(&mutex, ANNA);
    futex_spy_at_next_wait(unlock_anna);
    assert_int_equal(hf_mutex_lock(&mutex), HF_OK);
    assert_int_equal(futex_spy_waits(), 1);
    assert_int_equal(hf_mutex_unlock(&mutex), HF_OK);

    hf__mutex_lock(&mutex, ANNA);
    futex_spy_at_next_wait(unlock_anna);
    assert_int_equal(hf_mutex_lock_until(&mutex, HF_FOREVER), HF_OK);
    assert_int_equal(futex_spy_waits(), 2);
    assert_int_equal(hf_mutex_unlock(&mutex), HF_OK);
    assert_zero();
}

static void the_highest_identity_fits(void **unused)
{
    (void)unused;
    const uint32_t highest = HF_THREAD_MASK;
    assert_int_equal(hf__mutex_lock(&mutex, highest), HF_OK);
    assert_int_equal(hf__mutex_unlock(&mutex, highest - 1), HF_NOT_OWNER);
    step(highest - 1);
    assert_true(hf__mutex_is_held_by(&mutex, highest));
    assert_false(hf__mutex_is_held_by(&mutex, highest - 1));
    assert_int_equal(hf__mutex_lock(&mutex, highest), HF_DEADLOCK);
    assert_int_equal(hf__mutex_unlock(&mutex, highest), HF_OK);
    assert_int_equal(step(highest - 1), HF__DONE);
    assert_int_equal(hf__mutex_unlock(&mutex, highest - 1), HF_OK);
    assert_zero();
}

#define TEST(function) cmocka_unit_test_setup(function, start_afresh)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(lock_writes_the_owner_and_unlock_zero),
        TEST(lock_and_unlock_without_contention_never_wait_and_never_wake),
        TEST(unlock_by_another_is_refused_and_changes_nothing),
        TEST(unlock_of_a_lock_that_is_only_reserved_is_refused),
        TEST(lock_by_the_owner_is_a_deadlock),
        TEST(trylock_of_a_held_lock_is_busy),
        TEST(lock_until_a_past_deadline_takes_a_free_lock_or_leaves_at_once),
        TEST(lock_until_times_out_not_before_its_deadline),
        TEST(a_thread_that_sleeps_seldom_looks),
        TEST(trylock_of_a_reserved_lock_is_busy_even_for_the_thread_of_the_event_loop_that_is_next),
        TEST(lock_waits_until_the_lock_is_free),
        TEST(the_highest_identity_fits),
    };
    watchdog_start((const uint32_t *)&mutex, sizeof mutex / sizeof(uint32_t));
    int failed = cmocka_run_group_tests_name("mutex", tests, NULL, NULL);
    watchdog_stop();
    return failed;
}
