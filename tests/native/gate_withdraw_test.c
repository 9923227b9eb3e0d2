/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* A waiter withdraws: as the heir or not, after a wake that it may have consumed or not, while the gate is
 * open or closed. */
#include "gate_stage.h"

#include "cmocka_with_headers.h"
#include "futex_spy.h"
#include "watchdog.h"

enum { CAPACITY = 5 };

/* Sleepers and line are both there. */
static void carl_sleeps_and_dora_stands_in_line(void)
{
    ask(CARL, HF__BLOCKING, 0);
    ask(DORA, HF__ASYNC, HF__TOKEN_LISTED);
    futex_spy_reset();
}

static void withdrawing_from_a_closed_gate_frees_the_slot(void **unused)
{
    (void)unused;
    enter(ANNA);
    ask(BERT, HF__ASYNC, 0);
    withdraw(BERT, HF__ASYNC, 0);
    assert_only_in_use(ANNA);
    assert_wakes(0, 1, 0);
    ask(BERT, HF__BLOCKING, OVERTAKEN_ENOUGH);
    withdraw(BERT, HF__BLOCKING, 0);
    assert_int_equal(*turn(), 0);
    assert_wakes(0, 0, 0);
}

static void withdrawing_from_a_closed_gate_wakes_the_async_list_but_no_sleeper(void **unused)
{
    (void)unused;
    enter(ANNA);
    ask(BERT, HF__ASYNC, 0);
    carl_sleeps_and_dora_stands_in_line();
    withdraw(BERT, HF__ASYNC, 0);
    assert_wakes(0, 1, 1);
    assert_int_equal(ask(DORA, HF__ASYNC, 0), HF__WAIT_TURN);
    go(ANNA);
    assert_wakes(1, 1, 0);
}

static void a_reservation_is_given_back(void **unused)
{
    (void)unused;
    enter(ANNA);
    ask(BERT, HF__ASYNC, 0);
    go(ANNA);
    withdraw(BERT, HF__ASYNC, 0);
    assert_gate_is_zero();
    assert_wakes(0, 1, 0);
}

static void a_reservation_is_passed_on_to_sleepers_and_async_list(void **unused)
{
    (void)unused;
    enter(ANNA);
    ask(BERT, HF__POLLING, 0);
    go(ANNA);
    carl_sleeps_and_dora_stands_in_line();
    withdraw(BERT, HF__POLLING, 0);
    assert_wakes(1, 0, 1);
    assert_only_in_use(0);
}

static void a_blocking_heir_passes_its_reservation_on(void **unused)
{
    (void)unused;
    enter(ANNA);
    ask(BERT, HF__BLOCKING, OVERTAKEN_ENOUGH);
    carl_sleeps_and_dora_stands_in_line();
    go(ANNA);
    assert_wakes(0, 1, 0);
    withdraw(BERT, HF__BLOCKING, 0);
    assert_wakes(1, 0, 1);
    assert_only_in_use(0);
}

static void an_heir_that_leaves_lets_in_waiters_that_fit(void **unused)
{
    (void)unused;
    gate_capacity = CAPACITY;
    pass(ANNA, 3);
    step(BERT, HF__ASYNC, 0, 3);
    assert_int_equal(step(CARL, HF__BLOCKING, 0, 1), HF__WAIT_LINE);
    assert_int_equal(step(DORA, HF__ASYNC, HF__TOKEN_LISTED, 2), HF__WAIT_BESIDE);
    withdraw(BERT, HF__ASYNC, 0);
    assert_int_equal(futex_spy_wake_count(sleepers()), 1);
    assert_wakes(1, 1, 1);
    assert_only_in_use(3);
}

static void all_sleepers_are_woken_if_one_wants_more_than_1(void **unused)
{
    (void)unused;
    gate_capacity = CAPACITY;
    pass(ANNA, 3);
    step(BERT, HF__BLOCKING, OVERTAKEN_ENOUGH, 3);
    step(CARL, HF__BLOCKING, 0, 2);
    withdraw(BERT, HF__BLOCKING, 0);
    assert_int_equal(futex_spy_wake_count(sleepers()), HF__WAKE_ALL);
    assert_wakes(1, 0, 0);
}

static void a_consumed_wake_is_passed_on_while_the_gate_is_open(void **unused)
{
    (void)unused;
    withdraw(BERT, HF__BLOCKING, ONCE_OVERTAKEN);
    assert_wakes(1, 0, 0);
    assert_gate_is_zero();
    withdraw(BERT, HF__BLOCKING, OVERTAKEN_ENOUGH);
    assert_wakes(1, 0, 0);
    assert_gate_is_zero();
}

static void a_consumed_wake_is_left_to_the_next_release_while_the_gate_is_closed(void **unused)
{
    (void)unused;
    enter(ANNA);
    withdraw(BERT, HF__BLOCKING, ONCE_OVERTAKEN);
    assert_wakes(0, 0, 0);
    go(ANNA);
    assert_wakes(1, 0, 0);
    assert_gate_is_zero();
}

static void a_wake_to_watch_a_reserved_event_loop_is_passed_on(void **unused)
{
    (void)unused;
    enter(ANNA);
    ask(CARL, HF__ASYNC, 0);
    go(ANNA);
    futex_spy_reset();
    withdraw(BERT, HF__BLOCKING, ONCE_OVERTAKEN);
    assert_wakes(1, 0, 0);
    assert_int_equal(ask(CARL, HF__ASYNC, 0), HF__DONE);
    go(CARL);
    assert_gate_is_zero();
}

static void a_wake_is_left_to_the_next_release_while_the_heir_wants_more_room(void **unused)
{
    (void)unused;
    gate_capacity = CAPACITY;
    pass(ANNA, 3);
    step(CARL, HF__BLOCKING, OVERTAKEN_ENOUGH, 3);
    withdraw(BERT, HF__BLOCKING, ONCE_OVERTAKEN);
    assert_wakes(0, 0, 0);
    leave(3);
    assert_wakes(0, 1, 0);
    assert_int_equal(step(CARL, HF__BLOCKING, OVERTAKEN_ENOUGH, 3), HF__DONE);
    assert_wakes(1, 0, 0);
}

static void an_heir_that_consumed_a_wake_passes_it_on_too(void **unused)
{
    (void)unused;
    enter(ANNA);
    ask(BERT, HF__BLOCKING, OVERTAKEN_ENOUGH);
    withdraw(BERT, HF__BLOCKING, OVERTAKEN_ENOUGH);
    assert_wakes(0, 0, 0);
    assert_int_equal(*turn(), 0);
    go(ANNA);
    assert_wakes(1, 0, 0);
    assert_gate_is_zero();
}

static void a_withdrawal_without_slot_and_wake_changes_nothing(void **unused)
{
    (void)unused;
    gate_capacity = CAPACITY;
    gate_opens_at = 0;
    pass(ANNA, 2);
    step(BERT, HF__BLOCKING, 0, 4);
    uint64_t before = gate.word; /* open, and somebody sleeps */
    withdraw(CARL, HF__BLOCKING, 0);
    withdraw(CARL, HF__ASYNC, 0);
    assert_int_equal(gate.word, before);
    assert_wakes(0, 0, 0);
}

static void a_withdrawal_from_the_async_list_changes_nothing(void **unused)
{
    (void)unused;
    enter(ANNA);
    ask(BERT, HF__ASYNC, 0);
    ask(CARL, HF__ASYNC, HF__TOKEN_LISTED);
    ask(DORA, HF__ASYNC, HF__TOKEN_LISTED);
    uint64_t before = gate.word;
    withdraw(DORA, HF__ASYNC, HF__TOKEN_LISTED);
    assert_int_equal(gate.word, before);
    assert_wakes(0, 0, 0);
}

/* Two queues of one thread are one identity, and so is their place. */
static void giving_back_an_unreserved_slot_wakes_another_queue_of_the_thread(void **unused)
{
    (void)unused;
    enter(ANNA);
    ask(BERT, HF__ASYNC, 0);
    assert_int_equal(ask(BERT, HF__ASYNC, 0), HF__WAIT_TURN);
    withdraw(BERT, HF__ASYNC, 0);
    assert_wakes(0, 1, 0);
    assert_int_equal(ask(BERT, HF__ASYNC, 0), HF__WAIT_TURN);
    go(ANNA);
    assert_wakes(0, 1, 0);
    withdraw(BERT, HF__ASYNC, 0);
    assert_wakes(0, 0, 0);
    assert_int_equal(ask(BERT, HF__ASYNC, 0), HF__DONE);
}

static void a_queue_that_passes_wakes_another_queue_that_shares_its_slot(void **unused)
{
    (void)unused;
    gate_capacity = CAPACITY;
    pass(ANNA, 3);
    step(BERT, HF__ASYNC, 0, 3);
    assert_int_equal(step(BERT, HF__ASYNC, 0, 1), HF__DONE);
    assert_wakes(0, 1, 0);
}

static void the_oldest_async_waiter_that_withdraws_wakes_the_async_list(void **unused)
{
    (void)unused;
    enter(ANNA);
    ask(BERT, HF__ASYNC, 0);
    ask(CARL, HF__ASYNC, HF__TOKEN_LISTED);
    withdraw(CARL, HF__ASYNC, 0);
    assert_wakes(0, 0, 1);
    assert_int_equal(ask(CARL, HF__ASYNC, HF__TOKEN_LISTED), HF__WAIT_LINE);
    assert_int_equal(gate.line, CARL);
}

#define TEST(function) cmocka_unit_test_setup(function, gate_afresh)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(withdrawing_from_a_closed_gate_frees_the_slot),
        TEST(withdrawing_from_a_closed_gate_wakes_the_async_list_but_no_sleeper),
        TEST(a_reservation_is_given_back),
        TEST(a_reservation_is_passed_on_to_sleepers_and_async_list),
        TEST(a_blocking_heir_passes_its_reservation_on),
        TEST(an_heir_that_leaves_lets_in_waiters_that_fit),
        TEST(all_sleepers_are_woken_if_one_wants_more_than_1),
        TEST(a_consumed_wake_is_passed_on_while_the_gate_is_open),
        TEST(a_consumed_wake_is_left_to_the_next_release_while_the_gate_is_closed),
        TEST(a_wake_to_watch_a_reserved_event_loop_is_passed_on),
        TEST(a_wake_is_left_to_the_next_release_while_the_heir_wants_more_room),
        TEST(an_heir_that_consumed_a_wake_passes_it_on_too),
        TEST(a_withdrawal_without_slot_and_wake_changes_nothing),
        TEST(a_withdrawal_from_the_async_list_changes_nothing),
        TEST(giving_back_an_unreserved_slot_wakes_another_queue_of_the_thread),
        TEST(a_queue_that_passes_wakes_another_queue_that_shares_its_slot),
        TEST(the_oldest_async_waiter_that_withdraws_wakes_the_async_list),
    };
    watchdog_start((const uint32_t *)&gate, sizeof gate / sizeof(uint32_t));
    int failed = cmocka_run_group_tests_name("gate withdraw", tests, NULL, NULL);
    watchdog_stop();
    return failed;
}
