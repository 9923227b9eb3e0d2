/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* A once as one thread sees it. The other thread is an identity that holds its mutex. */
#include <stdbool.h>

#include "gate.h"
#include "holdfast/once.h"

#include "cmocka_with_headers.h"
#include "futex_spy.h"
#include "watchdog.h"

enum { ANNA = 1 };

static hf_once once;

static int start_afresh(void **unused)
{
    (void)unused;
    once = (hf_once){0};
    futex_spy_reset();
    return 0;
}

/* No thread runs it. */
static void assert_at_rest(bool is_done)
{
    assert_int_equal(once.mutex.gate.word, 0);
    assert_int_equal(once.mutex.gate.line, 0);
    assert_int_equal(once.mutex.gate.own, 0);
    assert_int_equal(once.done, is_done);
    assert_int_equal(once.reserved, 0);
}

static void a_once_runs_once(void **unused)
{
    (void)unused;
    assert_false(hf_once_is_done(&once));
    assert_int_equal(hf_once_begin(&once), HF_OK);
    assert_false(hf_once_is_done(&once));
    assert_int_equal(hf_once_end(&once, true), HF_OK);
    assert_true(hf_once_is_done(&once));
    assert_int_equal(hf_once_begin(&once), HF_DONE);
    assert_int_equal(hf_once_begin_until(&once, 0), HF_DONE);
    assert_int_equal(futex_spy_waits(), 0);
    assert_int_equal(futex_spy_wakes(NULL), 0);
    assert_at_rest(true);
}

static void after_a_failure_the_next_caller_tries(void **unused)
{
    (void)unused;
    for (int tries = 0; tries < 3; tries += 1) {
        assert_int_equal(hf_once_begin(&once), HF_OK);
        assert_int_equal(hf_once_end(&once, false), HF_OK);
        assert_at_rest(false);
    }
    assert_int_equal(hf_once_begin_until(&once, 0), HF_OK);
    assert_int_equal(hf_once_end(&once, true), HF_OK);
    assert_int_equal(hf_once_begin(&once), HF_DONE);
    assert_at_rest(true);
}

static void a_nested_begin_of_a_once_is_a_deadlock(void **unused)
{
    (void)unused;
    hf_once_begin(&once);
    assert_int_equal(hf_once_begin(&once), HF_DEADLOCK);
    assert_int_equal(hf_once_begin_until(&once, hf_now_ns() + HF_MILLISECOND), HF_DEADLOCK);
    assert_int_equal(futex_spy_waits(), 0);
    assert_int_equal(hf_once_end(&once, true), HF_OK);
    assert_at_rest(true);
}

static void only_the_runner_ends_a_once(void **unused)
{
    (void)unused;
    assert_int_equal(hf_once_end(&once, true), HF_NOT_OWNER);
    assert_at_rest(false);
    hf__mutex_lock(&once.mutex, ANNA);
    assert_int_equal(hf_once_end(&once, true), HF_NOT_OWNER);
    assert_false(hf_once_is_done(&once));
    assert_true(hf__mutex_is_held_by(&once.mutex, ANNA));
    hf__mutex_unlock(&once.mutex, ANNA);

    hf_once_begin(&once);
    hf_once_end(&once, true);
    assert_int_equal(hf_once_end(&once, false), HF_NOT_OWNER);
    assert_at_rest(true);
}

static void anna_has_failed(void)
{
    hf__mutex_unlock(&once.mutex, ANNA);
}

static void anna_has_done_it(void)
{
    hf__store_rel(&once.done, true);
    hf__mutex_unlock(&once.mutex, ANNA);
}

static void a_waiter_for_another_runner_finds_the_work_done(void **unused)
{
    (void)unused;
    hf__mutex_lock(&once.mutex, ANNA);
    futex_spy_at_next_wait(anna_has_done_it);
    assert_int_equal(hf_once_begin(&once), HF_DONE);
    assert_int_equal(futex_spy_waits(), 1);
    assert_int_equal(futex_spy_timeout_ns(), 25 * HF_MILLISECOND); /* no limit shortens it */
    assert_at_rest(true);
}

static void a_waiter_for_a_failing_runner_tries(void **unused)
{
    (void)unused;
    hf__mutex_lock(&once.mutex, ANNA);
    futex_spy_at_next_wait(anna_has_failed);
    assert_int_equal(hf_once_begin(&once), HF_OK);
    assert_int_equal(futex_spy_waits(), 1);
    assert_int_equal(hf_once_end(&once, false), HF_OK);
    assert_at_rest(false);
}

static void assert_done(void)
{
    assert_true(hf_once_is_done(&once));
}

static void a_waiter_woken_at_the_end_finds_the_work_done(void **unused)
{
    (void)unused;
    hf_once_begin(&once);
    hf__gate_step(&once.mutex.gate, ANNA, HF__BLOCKING, 0, ANNA, HF__GATE_FOR_ONE);
    futex_spy_at_next_wake(assert_done);
    assert_int_equal(hf_once_end(&once, true), HF_OK);
    assert_int_equal(futex_spy_wakes(NULL), 1);
    assert_at_rest(true);
}

static void a_wait_for_another_runner_does_not_time_out_before_its_deadline(void **unused)
{
    (void)unused;
    hf__mutex_lock(&once.mutex, ANNA);
    assert_int_equal(hf_once_begin_until(&once, 0), HF_TIMEOUT);
    assert_int_equal(futex_spy_waits(), 0);
    int64_t deadline = hf_now_ns() + 5 * HF_MILLISECOND;
    assert_int_equal(hf_once_begin_until(&once, deadline), HF_TIMEOUT);
    assert_true(hf_now_ns() >= deadline);
    hf__mutex_unlock(&once.mutex, ANNA);
    assert_at_rest(false);
}

/* A JavaScript thread that has begun it and died. */
#define GHOST (HF_THREAD_JS | UINT32_C(7) << HF_THREAD_SLOT_BITS | 3)

static void ghost_is_found_dead(void)
{
    assert_true(hf__gate_abandon(&once.mutex.gate, GHOST, GHOST | HF_THREAD_MARK));
}

static void ghost_dies(bool is_done)
{
    assert_int_equal(hf__mutex_lock(&once.mutex, GHOST), HF_OK);
    once.done = is_done;
    ghost_is_found_dead();
}

static void after_the_death_of_the_runner_the_next_caller_tries(void **unused)
{
    (void)unused;
    ghost_dies(false);
    assert_int_equal(hf_once_begin(&once), HF_OK);
    assert_false(hf_once_is_done(&once));
    assert_int_equal(once.mutex.gate.word, hf_thread_id()); /* nothing is left of the dead one */
    assert_int_equal(hf_once_end(&once, false), HF_OK);
    assert_at_rest(false);

    ghost_dies(false);
    assert_int_equal(hf_once_begin_until(&once, 0), HF_OK);
    assert_int_equal(hf_once_end(&once, true), HF_OK);
    assert_int_equal(hf_once_begin(&once), HF_DONE);
    assert_at_rest(true);
    assert_int_equal(futex_spy_waits(), 0);
}

static void a_waiter_for_a_dying_runner_tries(void **unused)
{
    (void)unused;
    hf__mutex_lock(&once.mutex, GHOST);
    futex_spy_at_next_wait(ghost_is_found_dead);
    assert_int_equal(hf_once_begin(&once), HF_OK);
    assert_int_equal(futex_spy_waits(), 1);
    assert_int_equal(hf_once_end(&once, true), HF_OK);
    assert_at_rest(true);
}

static void ghost_has_done_it_and_is_found_dead(void)
{
    hf__store_rel(&once.done, true);
    ghost_is_found_dead();
}

static void a_once_stays_done_after_the_death_of_its_runner(void **unused)
{
    (void)unused;
    ghost_dies(true);
    assert_int_equal(hf_once_begin(&once), HF_DONE);

    start_afresh(unused);
    hf__mutex_lock(&once.mutex, GHOST);
    futex_spy_at_next_wait(ghost_has_done_it_and_is_found_dead);
    assert_int_equal(hf_once_begin(&once), HF_DONE);
    assert_at_rest(true);
}

#define TEST(function) cmocka_unit_test_setup(function, start_afresh)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_once_runs_once),
        TEST(after_a_failure_the_next_caller_tries),
        TEST(a_nested_begin_of_a_once_is_a_deadlock),
        TEST(only_the_runner_ends_a_once),
        TEST(a_waiter_for_another_runner_finds_the_work_done),
        TEST(a_waiter_for_a_failing_runner_tries),
        TEST(a_waiter_woken_at_the_end_finds_the_work_done),
        TEST(a_wait_for_another_runner_does_not_time_out_before_its_deadline),
        TEST(after_the_death_of_the_runner_the_next_caller_tries),
        TEST(a_waiter_for_a_dying_runner_tries),
        TEST(a_once_stays_done_after_the_death_of_its_runner),
    };
    watchdog_start((const uint32_t *)&once, sizeof once / sizeof(uint32_t));
    int failed = cmocka_run_group_tests_name("once", tests, NULL, NULL);
    watchdog_stop();
    return failed;
}
