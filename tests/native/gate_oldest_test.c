/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The order of event loops among themselves: who may claim the place when it is free. */
#include "gate_stage.h"

#include "cmocka_with_headers.h"
#include "futex_spy.h"
#include "gate_async.h"
#include "watchdog.h"

static hf__token in_line(uint32_t rank)
{
    return HF__TOKEN_LISTED | rank << HF__TOKEN_AGE_SHIFT;
}

/* Anna is inside, Bert is next, and Carl stands in line. */
static int carl_stands_in_line(void **unused)
{
    gate_afresh(unused);
    enter(ANNA);
    ask(BERT, HF__ASYNC, 0);
    ask(CARL, HF__ASYNC, in_line(1));
    return 0;
}

static void bert_gives_up(void)
{
    withdraw(BERT, HF__ASYNC, 0);
    futex_spy_reset();
}

static void a_waiter_on_the_async_list_can_be_the_oldest(void **unused)
{
    (void)unused;
    assert_int_equal(gate.line, CARL | UINT32_C(1) << HF__TOKEN_AGE_SHIFT);
    ask(DORA, HF__ASYNC, in_line(1));
    assert_true(hf__is_oldest(gate.line, CARL));
}

static void a_waiter_that_is_not_on_the_async_list_yet_is_not_the_oldest(void **unused)
{
    (void)unused;
    ask(DORA, HF__ASYNC, UINT32_C(3) << HF__TOKEN_AGE_SHIFT);
    assert_true(hf__is_oldest(gate.line, CARL));
}

static void an_async_waiter_of_a_higher_age_class_replaces_the_oldest(void **unused)
{
    (void)unused;
    ask(DORA, HF__ASYNC, in_line(2));
    assert_true(hf__is_oldest(gate.line, DORA));
}

static void a_free_slot_is_left_to_the_oldest_async_waiter(void **unused)
{
    (void)unused;
    bert_gives_up();
    hf__outcome wait = outcome_of(DORA, HF__ASYNC, in_line(1), DORA);
    assert_int_equal(next_in(wait), HF__WAIT_BESIDE);
    assert_int_equal((uint32_t)wait, gate.line);
    assert_int_equal(watched_in(wait), hf__oldest_number(gate.line));
    assert_true(polls_in(wait));
    assert_int_equal(*turn(), 0);
    assert_int_equal(ask(CARL, HF__ASYNC, in_line(1)), HF__WAIT_TURN);
    assert_int_equal(gate.line, 0);
}

static void an_async_waiter_of_a_higher_age_class_may_claim_a_free_slot(void **unused)
{
    (void)unused;
    bert_gives_up();
    assert_int_equal(ask(DORA, HF__ASYNC, in_line(2)), HF__WAIT_TURN);
    assert_true(hf__is_oldest(gate.line, CARL));
}

static void a_blocking_thread_may_claim_a_free_slot(void **unused)
{
    (void)unused;
    bert_gives_up();
    assert_int_equal(ask(DORA, HF__BLOCKING, OVERTAKEN_ENOUGH), HF__WAIT_TURN);
}

/* Anna is inside, and Bert blocks and is next. */
static void bert_blocks_and_is_next(void)
{
    gate_afresh(NULL);
    enter(ANNA);
    ask(BERT, HF__BLOCKING, OVERTAKEN_ENOUGH);
    assert_wakes(0, 0, 0);
}

static void an_event_loop_that_waited_for_long_displaces_a_blocking_heir(void **unused)
{
    (void)unused;
    bert_blocks_and_is_next();
    assert_int_equal(ask(CARL, HF__ASYNC, in_line(2)), HF__WAIT_TURN);
    assert_wakes(0, 0, 0);
    go(ANNA);
    assert_wakes(1, 1, 1); /* both may sleep on the upper half */
    assert_int_equal(ask(BERT, HF__BLOCKING, OVERTAKEN_ENOUGH), HF__WAIT_LINE);
    assert_int_equal(ask(CARL, HF__ASYNC, in_line(2)), HF__DONE);
}

static void an_event_loop_that_has_not_waited_for_long_joins_the_async_list(void **unused)
{
    (void)unused;
    bert_blocks_and_is_next();
    assert_int_equal(ask(CARL, HF__ASYNC, in_line(1)), HF__WAIT_LINE);
    assert_int_equal(ask(CARL, HF__BLOCKING, OVERTAKEN_ENOUGH), HF__WAIT_LINE);
    go(ANNA);
    assert_int_equal(ask(BERT, HF__BLOCKING, OVERTAKEN_ENOUGH), HF__DONE);
}

static void an_event_loop_is_not_displaced(void **unused)
{
    (void)unused;
    assert_int_equal(ask(DORA, HF__ASYNC, in_line(3)), HF__WAIT_LINE);
}

static void an_heir_with_a_reservation_is_not_displaced(void **unused)
{
    (void)unused;
    bert_blocks_and_is_next();
    go(ANNA);
    assert_int_equal(ask(CARL, HF__ASYNC, in_line(2)), HF__WAIT_LINE);
}

static void anna_goes(void)
{
    go(ANNA);
}

static void carl_displaces_bert_and_passes(void)
{
    ask(CARL, HF__ASYNC, in_line(2));
    go(ANNA);
    ask(CARL, HF__ASYNC, in_line(2));
}

static void an_heir_is_displaced_only_once_in_a_wait(void **unused)
{
    (void)unused;
    bert_blocks_and_is_next();
    futex_spy_at_next_wait(carl_displaces_bert_and_passes);
    uint32_t token = wait_once(BERT, OVERTAKEN_ENOUGH, -1, BERT);
    assert_int_equal(token, HF__WAIT_MORE | OVERTAKEN_ENOUGH | HF__TOKEN_WAS_HEIR);
    assert_int_equal(ask(BERT, HF__BLOCKING, token), HF__WAIT_TURN);
    assert_int_equal(ask(DORA, HF__ASYNC, in_line(3)), HF__WAIT_LINE);
    go(CARL);
    assert_int_equal(ask(BERT, HF__BLOCKING, token), HF__DONE);
}

static void an_heir_that_claimed_after_an_event_loop_passed_is_not_displaced(void **unused)
{
    (void)unused;
    bert_gives_up();
    go(ANNA);
    assert_int_equal(ask(CARL, HF__ASYNC, in_line(1)), HF__DONE);
    assert_int_equal(ask(BERT, HF__BLOCKING, OVERTAKEN_ENOUGH), HF__WAIT_TURN);
    assert_int_equal(ask(DORA, HF__ASYNC, in_line(3)), HF__WAIT_LINE);
    go(CARL);
    assert_int_equal(ask(BERT, HF__BLOCKING, OVERTAKEN_ENOUGH), HF__DONE);
}

static void the_token_says_was_heir_only_after_the_waiter_was_the_heir(void **unused)
{
    (void)unused;
    futex_spy_at_next_wait(anna_goes);
    uint32_t token = wait_once(DORA, OVERTAKEN_ENOUGH, -1, DORA);
    assert_int_equal(token, HF__WAIT_MORE | OVERTAKEN_ENOUGH);
}

static void a_waiter_that_fits_beside_the_heir_passes(void **unused)
{
    (void)unused;
    gate_afresh(NULL);
    gate_capacity = 3;
    pass(ANNA, 1);
    step(BERT, HF__BLOCKING, OVERTAKEN_ENOUGH, 3);
    assert_int_equal(step(CARL, HF__ASYNC, in_line(2), 1), HF__DONE);
    assert_wakes(1, 1, 1);
    assert_int_equal(step(BERT, HF__BLOCKING, OVERTAKEN_ENOUGH | HF__TOKEN_WAS_HEIR, 3), HF__WAIT_TURN);
    assert_int_equal(step(DORA, HF__ASYNC, in_line(3), 1), HF__WAIT_BESIDE);
}

static void the_oldest_async_waiter_displaces_an_heir_before_others_do(void **unused)
{
    (void)unused;
    bert_blocks_and_is_next();
    gate.line = CARL | UINT32_C(3) << HF__TOKEN_AGE_SHIFT;
    hf__outcome wait = outcome_of(DORA, HF__ASYNC, in_line(3), DORA);
    assert_int_equal(next_in(wait), HF__WAIT_BESIDE);
    assert_int_equal(watched_in(wait), hf__oldest_number(gate.line));
    assert_true(polls_in(wait));
    assert_int_equal(ask(DORA, HF__ASYNC, in_line(3) | watched_in(wait)), HF__WAIT_TURN);
    assert_int_equal(gate.line, 0);
}

static void a_polling_event_loop_can_be_the_oldest_async_waiter(void **unused)
{
    (void)unused;
    ask(DORA, HF__POLLING, UINT32_C(2) << HF__TOKEN_AGE_SHIFT);
    assert_true(hf__is_oldest(gate.line, DORA));
}

static void the_oldest_async_waiter_loses_its_place_when_another_watched_it(void **unused)
{
    (void)unused;
    bert_gives_up();
    uint32_t oldest = watched_in(outcome_of(DORA, HF__ASYNC, in_line(0), DORA));
    assert_int_equal(ask(DORA, HF__ASYNC, in_line(0) | oldest), HF__WAIT_TURN);
    assert_int_equal(gate.line, 0);
}

static void the_oldest_async_waiter_leaves_its_place_when_it_acquires(void **unused)
{
    (void)unused;
    bert_gives_up();
    go(ANNA);
    assert_int_equal(ask(CARL, HF__ASYNC, in_line(1)), HF__DONE);
    assert_int_equal(gate.line, 0);
}

static void the_oldest_async_waiter_leaves_its_place_when_it_gives_up(void **unused)
{
    (void)unused;
    withdraw(DORA, HF__ASYNC, 0);
    assert_true(hf__is_oldest(gate.line, CARL));
    withdraw(CARL, HF__BLOCKING, 0);
    assert_true(hf__is_oldest(gate.line, CARL));
    withdraw(CARL, HF__ASYNC, 0);
    assert_int_equal(gate.line, 0);
}

static void an_event_loop_whose_thread_holds_the_mutex_is_not_the_oldest(void **unused)
{
    (void)unused;
    ask(ANNA, HF__ASYNC, in_line(3));
    assert_true(hf__is_oldest(gate.line, CARL));
}

static void a_stray_oldest_value_delays_others_as_a_dead_waiter_does(void **unused)
{
    (void)unused;
    bert_gives_up();
    gate.line = 0xa5a5a5a5;
    hf__outcome wait = outcome_of(DORA, HF__ASYNC, in_line(2), DORA);
    assert_int_equal(next_in(wait), HF__WAIT_BESIDE);
    gate.line = UINT32_C(1) << HF_THREAD_BITS;
    wait = outcome_of(DORA, HF__ASYNC, in_line(0), DORA);
    assert_int_not_equal(watched_in(wait), 0);
    assert_int_equal(ask(DORA, HF__ASYNC, in_line(0) | watched_in(wait)), HF__WAIT_TURN);
    assert_int_equal(gate.line, 0);
}

#define TEST(function) cmocka_unit_test_setup(function, carl_stands_in_line)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_waiter_on_the_async_list_can_be_the_oldest),
        TEST(a_waiter_that_is_not_on_the_async_list_yet_is_not_the_oldest),
        TEST(an_async_waiter_of_a_higher_age_class_replaces_the_oldest),
        TEST(a_free_slot_is_left_to_the_oldest_async_waiter),
        TEST(an_async_waiter_of_a_higher_age_class_may_claim_a_free_slot),
        TEST(a_blocking_thread_may_claim_a_free_slot),
        TEST(an_event_loop_that_waited_for_long_displaces_a_blocking_heir),
        TEST(an_event_loop_that_has_not_waited_for_long_joins_the_async_list),
        TEST(an_event_loop_is_not_displaced),
        TEST(an_heir_with_a_reservation_is_not_displaced),
        TEST(an_heir_is_displaced_only_once_in_a_wait),
        TEST(an_heir_that_claimed_after_an_event_loop_passed_is_not_displaced),
        TEST(the_token_says_was_heir_only_after_the_waiter_was_the_heir),
        TEST(a_waiter_that_fits_beside_the_heir_passes),
        TEST(the_oldest_async_waiter_displaces_an_heir_before_others_do),
        TEST(a_polling_event_loop_can_be_the_oldest_async_waiter),
        TEST(the_oldest_async_waiter_loses_its_place_when_another_watched_it),
        TEST(the_oldest_async_waiter_leaves_its_place_when_it_acquires),
        TEST(the_oldest_async_waiter_leaves_its_place_when_it_gives_up),
        TEST(an_event_loop_whose_thread_holds_the_mutex_is_not_the_oldest),
        TEST(a_stray_oldest_value_delays_others_as_a_dead_waiter_does),
    };
    watchdog_start((const uint32_t *)&gate, sizeof gate / sizeof(uint32_t));
    int failed = cmocka_run_group_tests_name("gate the oldest", tests, NULL, NULL);
    watchdog_stop();
    return failed;
}
