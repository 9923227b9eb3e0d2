/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The order of event loops among themselves: who may claim the place when it is free. */
#include "gate_stage.h"

#include "cmocka_with_headers.h"
#include "futex_spy.h"
#include "senior.h"
#include "watchdog.h"

static hf__token in_line(uint32_t rank)
{
    return HF__TOKEN_IN_LINE | rank << HF__TOKEN_RANK_SHIFT;
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

static void one_that_stands_in_line_is_the_senior(void **unused)
{
    (void)unused;
    assert_int_equal(gate.line, CARL | UINT32_C(1) << HF__TOKEN_RANK_SHIFT);
    ask(DORA, HF__ASYNC, in_line(1));
    assert_true(hf__is_senior(gate.line, CARL));
}

static void one_that_does_not_stand_in_line_yet_is_not(void **unused)
{
    (void)unused;
    ask(DORA, HF__ASYNC, UINT32_C(3) << HF__TOKEN_RANK_SHIFT);
    assert_true(hf__is_senior(gate.line, CARL));
}

static void one_that_has_waited_longer_is_the_senior_in_its_stead(void **unused)
{
    (void)unused;
    ask(DORA, HF__ASYNC, in_line(2));
    assert_true(hf__is_senior(gate.line, DORA));
}

static void a_free_place_is_left_to_the_senior(void **unused)
{
    (void)unused;
    bert_gives_up();
    hf__outcome wait = outcome_of(DORA, HF__ASYNC, in_line(1), DORA);
    assert_int_equal(next_in(wait), HF__WAIT_LINE);
    assert_int_equal((uint32_t)wait, gate.line);
    assert_int_equal(watched_in(wait), hf__senior_number(gate.line));
    assert_true(polls_in(wait));
    assert_int_equal(*turn(), 0);
    assert_int_equal(ask(CARL, HF__ASYNC, in_line(1)), HF__WAIT_TURN);
    assert_int_equal(gate.line, 0);
}

static void one_that_has_waited_longer_need_not_leave_it(void **unused)
{
    (void)unused;
    bert_gives_up();
    assert_int_equal(ask(DORA, HF__ASYNC, in_line(2)), HF__WAIT_TURN);
    assert_true(hf__is_senior(gate.line, CARL));
}

static void one_that_blocks_need_not_leave_it(void **unused)
{
    (void)unused;
    bert_gives_up();
    assert_int_equal(ask(DORA, HF__BLOCKING, OVERTAKEN_ENOUGH), HF__WAIT_TURN);
}

/* All of three are in use, and Carl, who wants two, is the senior. */
static void carl_stands_in_line_for_two_of_three(void)
{
    gate_afresh(NULL);
    gate_capacity = 3;
    pass(ANNA, 3);
    step(BERT, HF__ASYNC, 0, 3);
    step(CARL, HF__ASYNC, in_line(1), 2);
    bert_gives_up();
}

static void one_that_blocks_leaves_it_where_several_pass(void **unused)
{
    (void)unused;
    carl_stands_in_line_for_two_of_three();
    hf__outcome wait = outcome_of(DORA, HF__BLOCKING, OVERTAKEN_ENOUGH, 2);
    assert_int_equal(next_in(wait), HF__WAIT_BESIDE);
    assert_int_equal((uint32_t)wait, *sleepers());
    assert_int_equal(watched_in(wait), hf__senior_number(gate.line));
    assert_true(polls_in(wait));
    assert_int_equal(*turn(), 0);
    assert_int_equal(step(CARL, HF__ASYNC, in_line(1), 2), HF__WAIT_TURN);
}

static void one_that_blocks_takes_it_from_a_senior_that_it_watched(void **unused)
{
    (void)unused;
    carl_stands_in_line_for_two_of_three();
    uint32_t senior = watched_in(outcome_of(DORA, HF__BLOCKING, OVERTAKEN_ENOUGH, 2));
    assert_int_equal(step(DORA, HF__BLOCKING, OVERTAKEN_ENOUGH | senior, 2), HF__WAIT_TURN);
    assert_int_equal(gate.line, 0);
}

static void anna_gives_one_back(void)
{
    leave(1);
}

static void one_that_blocks_leaves_it_once(void **unused)
{
    (void)unused;
    carl_stands_in_line_for_two_of_three();
    futex_spy_at_next_wait(anna_gives_one_back);
    uint32_t token = wait_once(DORA, OVERTAKEN_ENOUGH, -1, 2);
    assert_int_equal(token, HF__WAIT_MORE | OVERTAKEN_ENOUGH | HF__TOKEN_YIELDED);
    pass(ANNA, 1);

    /* Whatever it waits for meanwhile, and whoever is the senior then. */
    step(CARL, HF__ASYNC, in_line(1), 2);
    token = wait_once(DORA, token, -1, 2);
    withdraw(CARL, HF__ASYNC, 0);
    gate.line = ANNA | UINT32_C(3) << HF__TOKEN_RANK_SHIFT;
    assert_int_equal(step(DORA, HF__BLOCKING, token, 2), HF__WAIT_TURN);
    assert_int_equal(gate.line, 0);
}

static void one_that_blocks_for_less_than_the_watch_does_not_leave_it(void **unused)
{
    (void)unused;
    carl_stands_in_line_for_two_of_three();
    wait_once(DORA, OVERTAKEN_ENOUGH, HF_MILLISECOND, 2);
    assert_int_not_equal(*turn(), 0);
    assert_int_equal(gate.line, 0);
}

static void one_that_blocks_leaves_nothing_to_one_that_has_just_come(void **unused)
{
    (void)unused;
    carl_stands_in_line_for_two_of_three();
    gate.line = CARL;
    assert_int_equal(step(DORA, HF__BLOCKING, OVERTAKEN_ENOUGH, 2), HF__WAIT_TURN);
    assert_int_equal(gate.line, CARL);
}

static void one_that_blocks_leaves_nothing_where_one_passes(void **unused)
{
    (void)unused;
    carl_stands_in_line_for_two_of_three();
    gate_capacity = 1;
    assert_int_equal(step(DORA, HF__BLOCKING, OVERTAKEN_ENOUGH, 1), HF__WAIT_TURN);
}

static void one_that_looks_by_timer_can_be_the_senior(void **unused)
{
    (void)unused;
    ask(DORA, HF__POLLING, UINT32_C(2) << HF__TOKEN_RANK_SHIFT);
    assert_true(hf__is_senior(gate.line, DORA));
}

static void a_senior_that_was_watched_is_none_any_more(void **unused)
{
    (void)unused;
    bert_gives_up();
    uint32_t senior = watched_in(outcome_of(DORA, HF__ASYNC, in_line(0), DORA));
    assert_int_equal(ask(DORA, HF__ASYNC, in_line(0) | senior), HF__WAIT_TURN);
    assert_int_equal(gate.line, 0);
}

static void a_senior_that_passes_is_none_any_more(void **unused)
{
    (void)unused;
    bert_gives_up();
    go(ANNA);
    assert_int_equal(ask(CARL, HF__ASYNC, in_line(1)), HF__DONE);
    assert_int_equal(gate.line, 0);
}

static void a_senior_that_gives_up_is_none_any_more(void **unused)
{
    (void)unused;
    withdraw(DORA, HF__ASYNC, 0);
    assert_true(hf__is_senior(gate.line, CARL));
    withdraw(CARL, HF__BLOCKING, 0);
    assert_true(hf__is_senior(gate.line, CARL));
    withdraw(CARL, HF__ASYNC, 0);
    assert_int_equal(gate.line, 0);
}

static void one_whose_thread_has_the_mutex_is_not_the_senior(void **unused)
{
    (void)unused;
    ask(ANNA, HF__ASYNC, in_line(3));
    assert_true(hf__is_senior(gate.line, CARL));
}

static void a_stray_value_holds_nobody_up_for_longer_than_a_dead_one(void **unused)
{
    (void)unused;
    bert_gives_up();
    gate.line = 0xa5a5a5a5;
    hf__outcome wait = outcome_of(DORA, HF__ASYNC, in_line(2), DORA);
    assert_int_equal(next_in(wait), HF__WAIT_LINE);
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
        TEST(one_that_stands_in_line_is_the_senior),
        TEST(one_that_does_not_stand_in_line_yet_is_not),
        TEST(one_that_has_waited_longer_is_the_senior_in_its_stead),
        TEST(a_free_place_is_left_to_the_senior),
        TEST(one_that_has_waited_longer_need_not_leave_it),
        TEST(one_that_blocks_need_not_leave_it),
        TEST(one_that_blocks_leaves_it_where_several_pass),
        TEST(one_that_blocks_takes_it_from_a_senior_that_it_watched),
        TEST(one_that_blocks_leaves_it_once),
        TEST(one_that_blocks_for_less_than_the_watch_does_not_leave_it),
        TEST(one_that_blocks_leaves_nothing_to_one_that_has_just_come),
        TEST(one_that_blocks_leaves_nothing_where_one_passes),
        TEST(one_that_looks_by_timer_can_be_the_senior),
        TEST(a_senior_that_was_watched_is_none_any_more),
        TEST(a_senior_that_passes_is_none_any_more),
        TEST(a_senior_that_gives_up_is_none_any_more),
        TEST(one_whose_thread_has_the_mutex_is_not_the_senior),
        TEST(a_stray_value_holds_nobody_up_for_longer_than_a_dead_one),
    };
    watchdog_start((const uint32_t *)&gate, sizeof gate / sizeof(uint32_t));
    int failed = cmocka_run_group_tests_name("gate seniors", tests, NULL, NULL);
    watchdog_stop();
    return failed;
}
