/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* A gate that several pass together: amounts and capacity, calls that are declined, calls that are watched,
 * and who wakes whom when there is room for more. */
#include "gate_stage.h"

#include "cmocka_with_headers.h"
#include "futex_spy.h"
#include "watchdog.h"

enum { CAPACITY = 5 };

static int five_fit(void **unused)
{
    gate_afresh(unused);
    gate_capacity = CAPACITY;
    return 0;
}

static void several_threads_pass_as_long_as_there_is_room(void **unused)
{
    (void)unused;
    pass(ANNA, 2);
    pass(BERT, 3);
    assert_only_in_use(5);
    assert_false(tries(CARL, 1));
    leave(2);
    assert_false(tries(CARL, 3));
    pass(CARL, 2);
    leave(3);
    leave(2);
    assert_gate_is_zero();
    assert_wakes(0, 0, 0);
}

static void an_empty_gate_lets_any_amount_in(void **unused)
{
    (void)unused;
    pass(ANNA, CAPACITY + 1);
    assert_false(tries(BERT, 1));
    leave(CAPACITY + 1);
    pass(ANNA, HF__GATE_MOST);
    assert_only_in_use(HF__GATE_MOST);
    leave(HF__GATE_MOST);
    assert_gate_is_zero();
}

static void the_largest_amounts_do_not_touch_the_flags(void **unused)
{
    (void)unused;
    gate_capacity = HF__GATE_MOST;
    pass(ANNA, HF__GATE_MOST - 1);
    assert_false(tries(BERT, 2));
    pass(BERT, 1);
    assert_only_in_use(HF__GATE_MOST);
    assert_false(tries(CARL, HF__GATE_MOST));
    leave(HF__GATE_MOST);
    assert_gate_is_zero();
}

static void leaving_is_refused_if_the_amount_in_use_is_out_of_bounds(void **unused)
{
    (void)unused;
    pass(ANNA, 3);
    assert_false(hf__gate_leave(&gate, 4, HF__GATE_MOST, HF__GATE_MOST));
    assert_false(hf__gate_leave(&gate, 1, 2, HF__GATE_MOST));
    assert_only_in_use(3);
    assert_true(hf__gate_leave(&gate, 1, 3, HF__GATE_MOST));
    assert_only_in_use(2);
}

static void an_heir_without_enough_room_declines_and_keeps_its_slot(void **unused)
{
    (void)unused;
    pass(ANNA, 5);
    assert_int_equal(step(BERT, HF__ASYNC, 0, 3), HF__WAIT_TURN);
    leave(1);
    assert_wakes(0, 1, 0);
    assert_int_not_equal(watched_in(outcome_of(CARL, HF__BLOCKING, 0, 1)), 0);

    hf__outcome wait = outcome_of(BERT, HF__ASYNC, 0, 3);
    assert_int_equal(next_in(wait), HF__WAIT_TURN);
    assert_int_equal((uint32_t)wait, *turn());
    assert_int_equal(watched_in(outcome_of(CARL, HF__BLOCKING, 0, 1)), 0);
    assert_false(tries(CARL, 1));

    leave(2);
    assert_int_not_equal((uint32_t)wait, *turn());
    assert_int_equal(futex_spy_wakes(turn()), 1);
    assert_int_equal(step(BERT, HF__ASYNC, 0, 3), HF__DONE);
    assert_int_equal(hf__gate_used(&gate), 5);
}

static void a_second_release_does_not_wake_the_heir_again(void **unused)
{
    (void)unused;
    pass(ANNA, 5);
    step(BERT, HF__BLOCKING, OVERTAKEN_ENOUGH, 2);
    leave(1);
    assert_wakes(0, 1, 0);
    leave(1);
    assert_wakes(0, 0, 0);
    assert_int_equal(step(BERT, HF__BLOCKING, OVERTAKEN_ENOUGH, 2), HF__DONE);
    assert_int_equal(hf__gate_used(&gate), 5);
}

static void no_thread_overtakes_a_waiter_for_many_permits(void **unused)
{
    (void)unused;
    pass(ANNA, 2);
    pass(BERT, 2);
    assert_int_equal(step(CARL, HF__BLOCKING, OVERTAKEN_ENOUGH, CAPACITY), HF__WAIT_TURN);
    assert_false(tries(DORA, 1));
    assert_int_equal(wait_once(DORA, 0, 0, 1), HF_TIMEOUT);
    leave(2);
    assert_false(tries(DORA, 1));
    step(CARL, HF__BLOCKING, OVERTAKEN_ENOUGH, CAPACITY);
    leave(2);
    assert_int_equal(step(CARL, HF__BLOCKING, OVERTAKEN_ENOUGH, CAPACITY), HF__DONE);
    leave(CAPACITY);
    assert_gate_is_zero();
}

static void a_watch_of_one_reservation_does_not_count_for_that_of_a_later_release(void **unused)
{
    (void)unused;
    pass(ANNA, 5);
    step(BERT, HF__ASYNC, 0, 4);
    leave(1);
    uint32_t first = watched_in(outcome_of(CARL, HF__ASYNC, 0, 1));
    assert_int_not_equal(first, 0);
    step(BERT, HF__ASYNC, 0, 4);
    assert_int_not_equal(step(CARL, HF__ASYNC, first, 1), HF__DONE); /* declined: it came in time */
    leave(1);
    hf__outcome second = outcome_of(CARL, HF__ASYNC, first, 1);
    assert_int_not_equal(next_in(second), HF__DONE);
    assert_int_not_equal(watched_in(second), first);
    assert_int_equal(step(CARL, HF__ASYNC, watched_in(second), 1), HF__DONE);
    assert_only_in_use(4);
}

static void a_watch_of_one_heirs_reservation_does_not_count_for_another_heir(void **unused)
{
    (void)unused;
    pass(ANNA, 5);
    step(BERT, HF__ASYNC, 0, 4);
    leave(1);
    uint32_t of_bert = watched_in(outcome_of(DORA, HF__ASYNC, 0, 1));
    withdraw(BERT, HF__ASYNC, 0);
    pass(ANNA, 1);
    step(CARL, HF__ASYNC, 0, 4);
    leave(1);
    assert_int_not_equal(step(DORA, HF__ASYNC, of_bert, 1), HF__DONE);
}

static void a_reservation_has_a_number_whatever_the_identity_of_the_heir(void **unused)
{
    (void)unused;
    const uint32_t used[] = {1, 3, HF__GATE_MOST - 1};
    gate_capacity = HF__GATE_MOST;
    for (size_t at = 0; at < sizeof used / sizeof *used; at += 1) {
        gate.word = 0;
        uint32_t awkward = (used[at] << (HF_THREAD_BITS / 2)) & HF_THREAD_MASK;
        pass(ANNA, HF__GATE_MOST);
        step(awkward, HF__ASYNC, 0, HF__GATE_MOST);
        leave(HF__GATE_MOST - used[at]);
        hf__outcome wait = outcome_of(CARL, HF__BLOCKING, 0, 1);
        assert_int_equal(next_in(wait), HF__WAIT_LINE);
        assert_int_not_equal(watched_in(wait), 0);
        assert_int_equal(step(CARL, HF__BLOCKING, watched_in(wait), 1), HF__DONE);
    }
}

static void a_watcher_without_room_takes_the_slot_of_the_heir(void **unused)
{
    (void)unused;
    pass(ANNA, 5);
    step(BERT, HF__ASYNC, 0, 2);
    leave(2);
    uint32_t call = watched_in(outcome_of(CARL, HF__ASYNC, 0, 4));
    assert_int_equal(step(CARL, HF__ASYNC, call, 4), HF__WAIT_TURN);
    assert_false(tries(BERT, 2));
    leave(3);
    assert_int_equal(step(CARL, HF__ASYNC, 0, 4), HF__DONE);
    assert_only_in_use(4);
}

static void a_napping_thread_leaves_the_slot_that_it_watched(void **unused)
{
    (void)unused;
    pass(ANNA, 5);
    step(BERT, HF__ASYNC, 0, 2);
    leave(2);
    uint32_t call = watched_in(outcome_of(CARL, HF__BLOCKING, 0, 4));
    assert_int_equal(step(CARL, HF__BLOCKING, ONCE_OVERTAKEN | call, 4), HF__WAIT_LINE);
    assert_int_equal(step(BERT, HF__ASYNC, 0, 2), HF__DONE);
    assert_int_equal(hf__gate_used(&gate), 5);
}

static void sleepers_for_an_amount_of_1_are_woken_one_at_a_time(void **unused)
{
    (void)unused;
    pass(ANNA, 5);
    step(BERT, HF__BLOCKING, 0, 1);
    step(CARL, HF__BLOCKING, 0, 1);
    leave(5);
    assert_int_equal(futex_spy_wake_count(sleepers()), 1);
    assert_wakes(1, 0, 0);
}

static void all_sleepers_are_woken_if_one_wants_more_than_1(void **unused)
{
    (void)unused;
    pass(ANNA, 5);
    step(BERT, HF__BLOCKING, 0, 1);
    step(CARL, HF__BLOCKING, 0, 2);
    step(DORA, HF__BLOCKING, 0, 1);
    leave(1);
    assert_int_equal(futex_spy_wake_count(sleepers()), HF__WAKE_ALL);
    assert_wakes(1, 0, 0);
    assert_only_in_use(4);
}

static void a_waiter_whose_amount_is_its_identity_does_not_set_the_large_flag(void **unused)
{
    (void)unused;
    gate_capacity = HF__GATE_FOR_ONE;
    enter(ANNA);
    ask(DORA, HF__BLOCKING, 0);
    go(ANNA);
    assert_int_equal(futex_spy_wake_count(sleepers()), 1);
}

static void a_woken_sleeper_that_leaves_room_wakes_the_next(void **unused)
{
    (void)unused;
    pass(ANNA, 5);
    step(BERT, HF__BLOCKING, 0, 1);
    leave(3);
    assert_wakes(1, 0, 0);
    assert_int_equal(step(BERT, HF__BLOCKING, ONCE_OVERTAKEN, 1), HF__DONE);
    assert_int_equal(futex_spy_wake_count(sleepers()), 1);
    assert_wakes(1, 0, 0);
    assert_only_in_use(3);
    assert_int_equal(step(CARL, HF__BLOCKING, ONCE_OVERTAKEN, 1), HF__DONE);
    assert_wakes(1, 0, 0);

    /* The last for which there is room answers for the others: who leaves wakes them. */
    assert_int_equal(step(DORA, HF__BLOCKING, ONCE_OVERTAKEN, 1), HF__DONE);
    assert_wakes(0, 0, 0);
    leave(1);
    assert_wakes(1, 0, 0);
}

static void a_thread_that_has_not_waited_wakes_nobody_when_it_acquires(void **unused)
{
    (void)unused;
    gate_opens_at = 0;
    pass(ANNA, 3);
    step(BERT, HF__BLOCKING, 0, 4);
    pass(CARL, 1);
    assert_int_equal(wait_once(DORA, 0, -1, 1), HF_OK);
    assert_int_equal(futex_spy_waits(), 0);
    assert_wakes(0, 0, 0);
    leave(1);
    leave(1);
    assert_wakes(0, 0, 0);
    leave(3);
    assert_wakes(1, 0, 0);
}

static void an_heir_that_acquires_and_leaves_room_wakes_sleepers_and_async_list(void **unused)
{
    (void)unused;
    pass(ANNA, 5);
    step(BERT, HF__BLOCKING, OVERTAKEN_ENOUGH, 1);
    step(CARL, HF__BLOCKING, 0, 1);
    step(DORA, HF__ASYNC, HF__TOKEN_LISTED, 1);
    leave(2);
    assert_wakes(0, 1, 0);
    assert_int_equal(step(BERT, HF__BLOCKING, OVERTAKEN_ENOUGH, 1), HF__DONE);
    assert_wakes(1, 0, 1);
    assert_only_in_use(4);
}

static void a_blocking_heir_that_leaves_no_room_wakes_the_async_list_only(void **unused)
{
    (void)unused;
    pass(ANNA, 5);
    step(BERT, HF__BLOCKING, OVERTAKEN_ENOUGH, 2);
    step(CARL, HF__BLOCKING, 0, 1);
    step(DORA, HF__ASYNC, HF__TOKEN_LISTED, 1);
    leave(2);
    futex_spy_reset();
    assert_int_equal(step(BERT, HF__BLOCKING, OVERTAKEN_ENOUGH, 2), HF__DONE);
    assert_wakes(0, 0, 1);
    assert_int_equal(*turn(), 0);
    leave(1);
    assert_wakes(1, 0, 0);
}

static void a_blocking_heir_that_leaves_no_room_wakes_one_sleeper_even_if_one_wants_more_than_1(void **unused)
{
    (void)unused;
    pass(ANNA, 5);
    step(BERT, HF__BLOCKING, OVERTAKEN_ENOUGH, 2);
    step(CARL, HF__BLOCKING, 0, 3);
    leave(2);
    futex_spy_reset();
    assert_int_equal(step(BERT, HF__BLOCKING, OVERTAKEN_ENOUGH, 2), HF__DONE);
    assert_int_equal(futex_spy_wake_count(sleepers()), 1);
    assert_wakes(1, 0, 0);

    /* For a release is for all of them, whoever was woken for the place meanwhile. */
    leave(1);
    assert_int_equal(futex_spy_wake_count(sleepers()), HF__WAKE_ALL);
    assert_wakes(1, 0, 0);
}

static void freeing_the_slot_of_an_event_loop_wakes_sleepers_and_async_list(void **unused)
{
    (void)unused;
    pass(ANNA, 5);
    step(BERT, HF__ASYNC, 0, 3);
    leave(3);
    step(CARL, HF__BLOCKING, 0, 1);
    step(DORA, HF__ASYNC, HF__TOKEN_LISTED, 1);
    futex_spy_reset();
    assert_int_equal(step(BERT, HF__ASYNC, 0, 3), HF__DONE); /* no room is left, but the place */
    assert_wakes(1, 0, 1);
    assert_only_in_use(5);
}

static void overtaking_an_event_loop_wakes_sleepers_and_async_list(void **unused)
{
    (void)unused;
    pass(ANNA, 5);
    step(BERT, HF__ASYNC, 0, 3);
    leave(3);
    uint32_t call = watched_in(outcome_of(CARL, HF__BLOCKING, 0, 3));
    step(DORA, HF__ASYNC, HF__TOKEN_LISTED, 1);
    futex_spy_reset();
    assert_int_equal(step(CARL, HF__BLOCKING, call, 3), HF__DONE);
    assert_wakes(1, 0, 1);
    assert_int_equal(hf__gate_used(&gate), 5);
}

static void a_gate_is_reserved_only_when_few_enough_are_left_inside(void **unused)
{
    (void)unused;
    gate_opens_at = 1;
    pass(ANNA, 2);
    pass(CARL, 2);
    step(BERT, HF__ASYNC, 0, 4);
    step(DORA, HF__BLOCKING, 0, 1);
    leave(2);
    assert_wakes(0, 0, 0);
    leave(1);
    assert_wakes(1, 1, 0);
    leave(1);
    assert_int_equal(step(BERT, HF__ASYNC, 0, 4), HF__DONE);
}

static void a_gate_wakes_waiters_only_when_few_enough_are_left_inside(void **unused)
{
    (void)unused;
    gate_opens_at = 0;
    pass(ANNA, 2);
    step(BERT, HF__BLOCKING, 0, 5);
    leave(1);
    assert_wakes(0, 0, 0);
    leave(1);
    assert_wakes(1, 0, 0);
    assert_gate_is_zero();
}

#define TEST(function) cmocka_unit_test_setup(function, five_fit)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(several_threads_pass_as_long_as_there_is_room),
        TEST(an_empty_gate_lets_any_amount_in),
        TEST(the_largest_amounts_do_not_touch_the_flags),
        TEST(leaving_is_refused_if_the_amount_in_use_is_out_of_bounds),
        TEST(an_heir_without_enough_room_declines_and_keeps_its_slot),
        TEST(a_second_release_does_not_wake_the_heir_again),
        TEST(no_thread_overtakes_a_waiter_for_many_permits),
        TEST(a_watch_of_one_reservation_does_not_count_for_that_of_a_later_release),
        TEST(a_watch_of_one_heirs_reservation_does_not_count_for_another_heir),
        TEST(a_reservation_has_a_number_whatever_the_identity_of_the_heir),
        TEST(a_watcher_without_room_takes_the_slot_of_the_heir),
        TEST(a_napping_thread_leaves_the_slot_that_it_watched),
        TEST(sleepers_for_an_amount_of_1_are_woken_one_at_a_time),
        TEST(all_sleepers_are_woken_if_one_wants_more_than_1),
        TEST(a_waiter_whose_amount_is_its_identity_does_not_set_the_large_flag),
        TEST(a_woken_sleeper_that_leaves_room_wakes_the_next),
        TEST(a_thread_that_has_not_waited_wakes_nobody_when_it_acquires),
        TEST(an_heir_that_acquires_and_leaves_room_wakes_sleepers_and_async_list),
        TEST(a_blocking_heir_that_leaves_no_room_wakes_the_async_list_only),
        TEST(a_blocking_heir_that_leaves_no_room_wakes_one_sleeper_even_if_one_wants_more_than_1),
        TEST(freeing_the_slot_of_an_event_loop_wakes_sleepers_and_async_list),
        TEST(overtaking_an_event_loop_wakes_sleepers_and_async_list),
        TEST(a_gate_is_reserved_only_when_few_enough_are_left_inside),
        TEST(a_gate_wakes_waiters_only_when_few_enough_are_left_inside),
    };
    watchdog_start((const uint32_t *)&gate, sizeof gate / sizeof(uint32_t));
    int failed = cmocka_run_group_tests_name("gate amounts", tests, NULL, NULL);
    watchdog_stop();
    return failed;
}
