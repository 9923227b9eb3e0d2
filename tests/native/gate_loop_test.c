/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* A thread whose event loop waits, and that blocks or tries itself: the place of the one is not the other's.
 */
#include "gate_stage.h"

#include "cmocka_with_headers.h"
#include "futex_spy.h"
#include "watchdog.h"

enum { CAPACITY = 5 };

static void a_try_does_not_use_the_reservation_of_its_own_event_loop(void **unused)
{
    (void)unused;
    enter(ANNA);
    ask(BERT, HF__ASYNC, 0);
    go(ANNA);
    assert_false(tries(BERT, BERT));
    assert_int_equal(ask(BERT, HF__ASYNC, 0), HF__DONE);
    go(BERT);
    assert_gate_is_zero();
}

static void a_blocking_thread_watches_the_reservation_of_its_own_event_loop(void **unused)
{
    (void)unused;
    enter(ANNA);
    ask(BERT, HF__ASYNC, 0);
    go(ANNA);
    uint32_t call = watched_in(outcome_of(BERT, HF__BLOCKING, 0, BERT));
    assert_int_not_equal(call, 0);
    assert_int_equal(ask(BERT, HF__BLOCKING, 0), HF__WAIT_LINE);
    assert_int_equal(ask(BERT, HF__BLOCKING, call), HF__DONE);
    assert_int_equal(*turn(), 0);
    go(BERT);
    assert_gate_is_zero();
}

static void other_waiters_watch_the_reservation_of_an_event_loop_whose_thread_blocks(void **unused)
{
    (void)unused;
    enter(ANNA);
    ask(BERT, HF__ASYNC, 0);
    ask(BERT, HF__BLOCKING, 0);
    ask(CARL, HF__BLOCKING, 0);
    go(ANNA);
    uint32_t call = watched_in(outcome_of(CARL, HF__BLOCKING, 0, CARL));
    ask(BERT, HF__BLOCKING, 0); /* looks again, and takes nothing back */
    assert_int_equal(ask(CARL, HF__BLOCKING, call), HF__DONE);
}

static void a_thread_that_blocks_behind_its_own_event_loop_sets_the_sleepers_flag(void **unused)
{
    (void)unused;
    enter(ANNA);
    ask(BERT, HF__ASYNC, 0);
    assert_int_equal(ask(BERT, HF__BLOCKING, OVERTAKEN_ENOUGH), HF__WAIT_LINE);
    go(ANNA);
    assert_wakes(1, 1, 0);
}

static void a_thread_that_gives_up_leaves_the_slot_to_its_event_loop(void **unused)
{
    (void)unused;
    enter(ANNA);
    ask(BERT, HF__ASYNC, 0);
    withdraw(BERT, HF__BLOCKING, 0);
    go(ANNA);
    assert_false(tries(CARL, CARL));
    assert_int_equal(ask(BERT, HF__ASYNC, 0), HF__DONE);
}

static void an_event_loop_that_gives_up_leaves_the_slot_to_its_thread(void **unused)
{
    (void)unused;
    enter(ANNA);
    ask(BERT, HF__BLOCKING, OVERTAKEN_ENOUGH);
    withdraw(BERT, HF__ASYNC, 0);
    go(ANNA);
    assert_false(tries(CARL, CARL));
    assert_int_equal(ask(BERT, HF__BLOCKING, OVERTAKEN_ENOUGH), HF__DONE);
}

static void an_event_loop_does_not_use_the_reservation_of_its_thread(void **unused)
{
    (void)unused;
    gate_capacity = CAPACITY;
    pass(ANNA, CAPACITY);
    step(BERT, HF__BLOCKING, OVERTAKEN_ENOUGH, 1);
    leave(1);
    step(BERT, HF__ASYNC, 0, 3);
    assert_int_not_equal(watched_in(outcome_of(CARL, HF__BLOCKING, 0, 1)), 0);
}

static void an_event_loop_does_not_become_the_heir_of_a_mutex_that_its_thread_holds(void **unused)
{
    (void)unused;
    enter(ANNA);
    assert_int_equal(ask(ANNA, HF__ASYNC, 0), HF__WAIT_LINE);
    assert_int_equal(ask(ANNA, HF__POLLING, HF__TOKEN_LISTED), HF__WAIT_LINE);
    assert_int_equal(*turn(), 0);
    assert_int_equal(ask(BERT, HF__ASYNC, 0), HF__WAIT_TURN);
    go(ANNA);
    assert_false(tries(ANNA, ANNA));
    assert_int_equal(ask(BERT, HF__ASYNC, 0), HF__DONE);
}

static void an_event_loop_behind_its_own_thread_is_woken_when_the_thread_releases(void **unused)
{
    (void)unused;
    enter(ANNA);
    ask(ANNA, HF__ASYNC, HF__TOKEN_LISTED);
    go(ANNA);
    assert_wakes(0, 0, 1);
    assert_int_equal(ask(ANNA, HF__ASYNC, 0), HF__DONE);
}

static void a_number_of_permits_that_equals_an_identity_is_not_taken_for_an_owner(void **unused)
{
    (void)unused;
    gate_capacity = CAPACITY;
    pass(ANNA, BERT);
    assert_int_equal(step(BERT, HF__ASYNC, 0, CAPACITY), HF__WAIT_TURN);
}

#define TEST(function) cmocka_unit_test_setup(function, gate_afresh)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_try_does_not_use_the_reservation_of_its_own_event_loop),
        TEST(a_blocking_thread_watches_the_reservation_of_its_own_event_loop),
        TEST(other_waiters_watch_the_reservation_of_an_event_loop_whose_thread_blocks),
        TEST(a_thread_that_blocks_behind_its_own_event_loop_sets_the_sleepers_flag),
        TEST(a_thread_that_gives_up_leaves_the_slot_to_its_event_loop),
        TEST(an_event_loop_that_gives_up_leaves_the_slot_to_its_thread),
        TEST(an_event_loop_does_not_use_the_reservation_of_its_thread),
        TEST(an_event_loop_does_not_become_the_heir_of_a_mutex_that_its_thread_holds),
        TEST(an_event_loop_behind_its_own_thread_is_woken_when_the_thread_releases),
        TEST(a_number_of_permits_that_equals_an_identity_is_not_taken_for_an_owner),
    };
    watchdog_start((const uint32_t *)&gate, sizeof gate / sizeof(uint32_t));
    int failed = cmocka_run_group_tests_name("gate and event loops", tests, NULL, NULL);
    watchdog_stop();
    return failed;
}
