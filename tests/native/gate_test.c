/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* A gate that one thread passes at a time: the slot, the reservation, the sleepers, the async wait list, the
 * naps. */
#include "gate_stage.h"

#include <string.h>

#include "cmocka_with_headers.h"
#include "futex_spy.h"
#include "watchdog.h"

static void acquiring_writes_the_owner_and_leaving_zero(void **unused)
{
    (void)unused;
    enter(ANNA);
    assert_only_in_use(ANNA);
    assert_false(tries(BERT, BERT));
    go(ANNA);
    assert_gate_is_zero();
    assert_wakes(0, 0, 0);
}

static void leaving_with_more_or_another_owner_than_in_use_is_refused(void **unused)
{
    (void)unused;
    assert_false(hf__gate_leave(&gate, ANNA, ANNA, 0));
    assert_gate_is_zero();
    enter(BERT);
    assert_false(hf__gate_leave(&gate, ANNA, ANNA, 0));
    assert_false(hf__gate_leave(&gate, CARL, CARL, 0));
    assert_only_in_use(BERT);
}

static void leaving_reserves_the_gate_for_the_heir(void **unused)
{
    (void)unused;
    enter(ANNA);
    hf__outcome wait = outcome_of(BERT, HF__ASYNC, 0, BERT);
    assert_int_equal(next_in(wait), HF__WAIT_TURN);
    assert_int_equal((uint32_t)wait, *turn());
    assert_int_equal(watched_in(wait), 0);

    go(ANNA);
    assert_int_not_equal((uint32_t)wait, *turn());
    assert_int_equal(futex_spy_wake_count(turn()), HF__WAKE_ALL);
    assert_wakes(0, 1, 0);
    assert_false(tries(CARL, CARL));

    assert_int_equal(ask(BERT, HF__ASYNC, 0), HF__DONE);
    assert_only_in_use(BERT);
    go(BERT);
    assert_gate_is_zero();
}

static void a_refused_try_returns_the_number_of_the_reservation(void **unused)
{
    (void)unused;
    enter(ANNA);
    assert_int_equal(hf__gate_try_after(&gate, CARL, 0, CARL, gate_capacity), HF__WAIT_MORE);
    ask(BERT, HF__ASYNC, 0);
    go(ANNA);
    uint32_t result = hf__gate_try_after(&gate, CARL, 0, CARL, gate_capacity);
    assert_int_equal(result, HF__WAIT_MORE | BERT);
    assert_int_equal(hf__gate_try_after(&gate, CARL, BERT, CARL, gate_capacity), HF_OK);
    go(CARL);
    assert_gate_is_zero();
}

static void a_thread_overtaken_often_enough_becomes_the_heir(void **unused)
{
    (void)unused;
    enter(ANNA);
    assert_int_equal(ask(BERT, HF__BLOCKING, 0), HF__WAIT_LINE);
    assert_int_equal(ask(BERT, HF__BLOCKING, TWICE_OVERTAKEN), HF__WAIT_LINE);
    assert_int_equal(ask(BERT, HF__BLOCKING, TWICE_OVERTAKEN), HF__WAIT_LINE);
    assert_int_equal(ask(BERT, HF__BLOCKING, OVERTAKEN_ENOUGH), HF__WAIT_TURN);
    go(ANNA);
    assert_false(tries(CARL, CARL));
    assert_int_equal(ask(BERT, HF__BLOCKING, OVERTAKEN_ENOUGH), HF__DONE);
}

static void an_expired_reservation_is_overtaken(void **unused)
{
    (void)unused;
    enter(ANNA);
    ask(BERT, HF__ASYNC, 0);
    go(ANNA);

    hf__outcome wait = outcome_of(CARL, HF__ASYNC, 0, CARL);
    assert_int_equal(next_in(wait), HF__WAIT_LINE);
    assert_int_equal(watched_in(wait), BERT);
    assert_int_equal(ask(CARL, HF__ASYNC, BERT), HF__DONE);

    /* A waiter that came too late waits again, and is served next. */
    assert_int_equal(ask(BERT, HF__ASYNC, 0), HF__WAIT_TURN);
    go(CARL);
    assert_int_equal(ask(BERT, HF__ASYNC, 0), HF__DONE);
    go(BERT);
    assert_gate_is_zero();
}

static void a_gate_in_use_is_not_passed_even_after_a_watch(void **unused)
{
    (void)unused;
    enter(ANNA);
    ask(BERT, HF__ASYNC, 0);
    assert_int_not_equal(ask(CARL, HF__ASYNC, BERT), HF__DONE);
    assert_int_not_equal(ask(DORA, HF__BLOCKING, OVERTAKEN_ENOUGH | BERT), HF__DONE);
    assert_int_equal(hf__gate_used(&gate), ANNA);
    go(ANNA);
    assert_int_equal(ask(BERT, HF__ASYNC, 0), HF__DONE);
}

static void the_reservation_of_a_polling_heir_is_marked_as_long(void **unused)
{
    (void)unused;
    enter(ANNA);
    ask(BERT, HF__POLLING, 0);
    go(ANNA);
    hf__outcome wait = outcome_of(CARL, HF__BLOCKING, 0, CARL);
    assert_int_equal(watched_in(wait), BERT);
    assert_true(polls_in(wait));
    assert_int_equal(ask(BERT, HF__POLLING, 0), HF__DONE);
    assert_false(polls_in(outcome_of(CARL, HF__BLOCKING, 0, CARL)));
}

static void a_blocking_wait_overtakes_an_expired_reservation(void **unused)
{
    (void)unused;
    enter(ANNA);
    ask(BERT, HF__ASYNC, 0);
    go(ANNA);
    int64_t begin = hf_now_ns();
    hf__gate_enter(&gate, CARL, CARL, gate_capacity);
    assert_true(hf_now_ns() - begin >= HF_RESERVATION_NS);
    /* Carl slept while he watched, so his own flag may still be set: the next release clears it. */
    assert_int_equal(hf__gate_used(&gate), CARL);
    go(CARL);
    assert_gate_is_zero();
}

static void leaving_wakes_one_sleeper_and_leaves_zero(void **unused)
{
    (void)unused;
    enter(ANNA);
    hf__outcome wait = outcome_of(BERT, HF__BLOCKING, 0, BERT);
    assert_int_equal(next_in(wait), HF__WAIT_LINE);
    assert_int_equal((uint32_t)wait, *sleepers());
    go(ANNA);
    assert_int_equal(futex_spy_wake_count(sleepers()), 1);
    assert_wakes(1, 0, 0);
    assert_gate_is_zero();
}

static void a_sleeper_waits_only_for_a_value_that_has_its_flag(void **unused)
{
    (void)unused;
    enter(ANNA);
    uint32_t before = *sleepers();
    assert_int_not_equal((uint32_t)outcome_of(BERT, HF__BLOCKING, 0, BERT), before);
}

static void a_woken_sleeper_that_acquires_sets_the_flag_of_the_other_sleepers(void **unused)
{
    (void)unused;
    assert_int_equal(ask(BERT, HF__BLOCKING, ONCE_OVERTAKEN), HF__DONE);
    assert_wakes(0, 0, 0);
    go(BERT);
    assert_wakes(1, 0, 0);
    assert_gate_is_zero();
}

static void a_woken_sleeper_that_acquires_at_its_deadline_sets_the_flag_of_the_others(void **unused)
{
    (void)unused;
    assert_int_equal(wait_once(BERT, ONCE_OVERTAKEN, 0, BERT), HF_OK);
    assert_wakes(0, 0, 0);
    go(BERT);
    assert_wakes(1, 0, 0);
    assert_gate_is_zero();
}

static void a_thread_that_has_not_waited_does_not_set_the_sleepers_flag(void **unused)
{
    (void)unused;
    assert_int_equal(ask(BERT, HF__BLOCKING, 0), HF__DONE);
    go(BERT);
    assert_int_equal(ask(CARL, HF__ASYNC, HF__TOKEN_LISTED), HF__DONE);
    go(CARL);
    assert_wakes(0, 0, 0);
}

static void two_naps_end_the_patience_of_a_thread(void **unused)
{
    (void)unused;
    enter(ANNA);
    uint32_t token = wait_once(BERT, ONCE_OVERTAKEN, -1, BERT);
    int64_t napped_ns = futex_spy_timeout_ns();
    assert_int_equal(token, HF__WAIT_MORE | TWICE_OVERTAKEN);
    token = wait_once(BERT, token, -1, BERT);
    napped_ns += futex_spy_timeout_ns();
    assert_int_equal(napped_ns, HF_PATIENCE_NS);
    assert_int_equal(ask(BERT, HF__BLOCKING, token), HF__WAIT_TURN);
    go(ANNA);
    assert_true(tries(BERT, BERT));
}

static void a_release_wakes_a_sleeper_while_a_thread_naps_for_the_first_time(void **unused)
{
    (void)unused;
    enter(ANNA);
    ask(CARL, HF__BLOCKING, 0);
    assert_int_equal(ask(BERT, HF__BLOCKING, ONCE_OVERTAKEN), HF__WAIT_LINE);
    go(ANNA);
    assert_wakes(1, 0, 0);
}

static void a_release_wakes_nobody_while_a_thread_naps(void **unused)
{
    (void)unused;
    enter(ANNA);
    ask(CARL, HF__BLOCKING, 0);
    assert_int_equal(ask(BERT, HF__BLOCKING, TWICE_OVERTAKEN), HF__WAIT_LINE);
    ask(DORA, HF__BLOCKING, 0);
    go(ANNA);
    assert_wakes(0, 0, 0);
}

static void a_thread_behind_a_napper_sleeps_for_200_ms_then_claims_the_slot(void **unused)
{
    (void)unused;
    enter(ANNA);
    ask(BERT, HF__BLOCKING, TWICE_OVERTAKEN);
    uint32_t token = wait_once(CARL, 0, -1, CARL);
    assert_int_equal(futex_spy_timeout_ns(), 200 * HF_MILLISECOND);
    assert_int_equal(ask(CARL, HF__BLOCKING, token), HF__WAIT_TURN);
}

static void a_thread_woken_spuriously_while_another_naps_sleeps_on_behind_it(void **unused)
{
    (void)unused;
    enter(ANNA);
    ask(BERT, HF__BLOCKING, TWICE_OVERTAKEN);
    wait_once(CARL, ONCE_OVERTAKEN, -1, CARL);
    assert_int_equal(futex_spy_timeout_ns(), 25 * HF_MILLISECOND);
    go(ANNA);
    assert_wakes(0, 0, 0);
}

static void bert_naps(void)
{
    ask(BERT, HF__BLOCKING, TWICE_OVERTAKEN);
}

static void a_thread_whose_patience_ends_while_another_naps_sleeps_on_behind_it(void **unused)
{
    (void)unused;
    enter(ANNA);
    futex_spy_at_next_wait(bert_naps);
    uint32_t token = wait_once(CARL, 0, -1, CARL);
    wait_once(CARL, token, -1, CARL);
    assert_int_equal(futex_spy_timeout_ns(), 200 * HF_MILLISECOND);
    assert_ptr_equal(futex_spy_waited_on(), sleepers());
}

static void a_napper_that_finds_the_gate_open_wakes_the_next_sleeper_when_it_leaves(void **unused)
{
    (void)unused;
    enter(ANNA);
    ask(BERT, HF__BLOCKING, TWICE_OVERTAKEN);
    ask(CARL, HF__BLOCKING, 0);
    go(ANNA);
    assert_int_equal(ask(BERT, HF__BLOCKING, TWICE_OVERTAKEN), HF__DONE);
    assert_wakes(0, 0, 0);
    go(BERT);
    assert_wakes(1, 0, 0);
    assert_gate_is_zero();
}

/* Bert passes as the heir while Carl and Dora sleep, and has Carl woken. */
static void bert_hands_the_nap_to(uint32_t sleepers_found)
{
    enter(ANNA);
    bert_naps();
    ask(CARL, HF__BLOCKING, 0);
    ask(DORA, HF__BLOCKING, 0);
    assert_int_equal(ask(BERT, HF__BLOCKING, TWICE_OVERTAKEN | 1), HF__WAIT_TURN);
    go(ANNA);
    assert_wakes(0, 1, 0);
    futex_spy_finds(sleepers_found);
    assert_int_equal(ask(BERT, HF__BLOCKING, OVERTAKEN_ENOUGH), HF__DONE);
    assert_wakes(1, 0, 0);
}

static void a_thread_that_passes_hands_the_nap_to_the_sleeper_that_it_wakes(void **unused)
{
    (void)unused;
    bert_hands_the_nap_to(1);
    go(BERT);
    assert_wakes(0, 0, 0); /* of several sleepers one is enough */
    enter(ANNA);
    uint32_t token = wait_once(CARL, ONCE_OVERTAKEN, -1, CARL);
    assert_int_equal(futex_spy_timeout_ns(), HF_PATIENCE_NS * 3 / 5);
    assert_int_equal(ask(CARL, HF__BLOCKING, token), HF__WAIT_TURN);
}

static void a_nap_that_finds_no_sleeper_is_taken_back(void **unused)
{
    (void)unused;
    bert_hands_the_nap_to(0);
    go(BERT);
    assert_wakes(1, 0, 0);
    assert_gate_is_zero();
}

static void a_thread_woken_to_nap_that_finds_the_gate_open_wakes_another_when_it_leaves(void **unused)
{
    (void)unused;
    bert_hands_the_nap_to(1);
    go(BERT);
    assert_int_equal(ask(CARL, HF__BLOCKING, ONCE_OVERTAKEN), HF__DONE);
    assert_wakes(0, 0, 0);
    go(CARL);
    assert_wakes(1, 0, 0);
}

static void a_thread_woken_to_nap_that_gives_up_has_another_woken(void **unused)
{
    (void)unused;
    bert_hands_the_nap_to(1);
    withdraw(CARL, HF__BLOCKING, ONCE_OVERTAKEN);
    go(BERT);
    assert_wakes(1, 0, 0);
    assert_gate_is_zero();
}

static void a_napper_that_gives_up_wakes_the_next_sleeper(void **unused)
{
    (void)unused;
    enter(ANNA);
    ask(BERT, HF__BLOCKING, TWICE_OVERTAKEN);
    ask(CARL, HF__BLOCKING, 0);
    go(ANNA);
    withdraw(BERT, HF__BLOCKING, TWICE_OVERTAKEN);
    assert_wakes(1, 0, 0);
    assert_gate_is_zero();
}

static void a_napper_that_becomes_the_heir_wakes_the_next_sleeper_when_it_passes(void **unused)
{
    (void)unused;
    enter(ANNA);
    ask(BERT, HF__BLOCKING, TWICE_OVERTAKEN);
    ask(CARL, HF__BLOCKING, 0);
    assert_int_equal(ask(BERT, HF__BLOCKING, TWICE_OVERTAKEN | 1), HF__WAIT_TURN);
    go(ANNA);
    assert_wakes(0, 1, 0);
    assert_int_equal(ask(BERT, HF__BLOCKING, OVERTAKEN_ENOUGH), HF__DONE);
    assert_wakes(1, 0, 0);
}

static void a_napper_that_has_died_is_replaced_after_a_slice(void **unused)
{
    (void)unused;
    enter(ANNA);
    ask(BERT, HF__BLOCKING, TWICE_OVERTAKEN);
    uint32_t token = wait_once(CARL, 0, -1, CARL);
    ask(DORA, HF__BLOCKING, 0);
    go(ANNA);
    assert_int_equal(ask(CARL, HF__BLOCKING, token), HF__DONE);
    assert_wakes(0, 0, 0);
    go(CARL);
    assert_wakes(1, 0, 0);
    assert_gate_is_zero();
}

static void a_waiter_with_a_time_limit_sleeps_for_an_eighth_of_it_behind_a_napper(void **unused)
{
    (void)unused;
    enter(ANNA);
    ask(BERT, HF__BLOCKING, TWICE_OVERTAKEN);
    wait_once(CARL, 0, 40 * HF_MILLISECOND, CARL);
    assert_int_equal(futex_spy_timeout_ns(), 5 * HF_MILLISECOND);
    wait_once(CARL, 0, 7 * HF_MILLISECOND, CARL);
    assert_int_equal(futex_spy_timeout_ns(), HF_PATIENCE_NS);
    wait_once(CARL, 0, HF_MICROSECOND, CARL);
    assert_int_equal(futex_spy_timeout_ns(), HF_MICROSECOND);
}

static void several_threads_nap_at_a_gate_with_amounts_and_set_no_flag(void **unused)
{
    (void)unused;
    gate_capacity = 3;
    pass(ANNA, 3);
    step(BERT, HF__BLOCKING, ONCE_OVERTAKEN, 1);
    wait_once(CARL, ONCE_OVERTAKEN, -1, 1);
    assert_in_range(futex_spy_timeout_ns(), 1, HF_PATIENCE_NS);
    assert_only_in_use(3);
}

static void a_waiter_that_slept_through_its_patience_becomes_the_heir_at_once(void **unused)
{
    (void)unused;
    enter(ANNA);
    uint32_t token = wait_once(BERT, 0, -1, BERT);
    assert_int_equal(futex_spy_timeout_ns(), 25 * HF_MILLISECOND);
    assert_ptr_equal(futex_spy_waited_on(), sleepers());
    assert_int_equal(token, HF__WAIT_MORE | OVERTAKEN_ENOUGH);

    wait_once(BERT, token, -1, BERT);
    assert_ptr_equal(futex_spy_waited_on(), turn());
    assert_int_equal(futex_spy_timeout_ns(), HF_MILLISECOND);
    assert_false(hf__gate_leave(&gate, BERT, BERT, 0));
    go(ANNA);
    assert_false(tries(CARL, CARL));
    assert_true(tries(BERT, BERT));
}

static void leave_anna(void)
{
    go(ANNA);
}

static void slices_of_a_long_wait_grow_up_to_a_second(void **unused)
{
    static const int64_t SLICES_MS[HF__SLICES_MOST + 1] = {1, 4, 16, 64, 256, 640, 1000};
    for (uint32_t slices = 0; slices <= HF__SLICES_MOST; slices += 1) {
        gate_afresh(unused);
        enter(ANNA);
        futex_spy_at_next_wait(leave_anna);
        wait_once(BERT, HF__WAIT_MORE | OVERTAKEN_ENOUGH | slices, -1, BERT);
        assert_int_equal(futex_spy_timeout_ns(), SLICES_MS[slices] * HF_MILLISECOND);
    }

    gate_afresh(unused);
    enter(ANNA);
    uint32_t token = wait_once(BERT, OVERTAKEN_ENOUGH, -1, BERT);
    assert_int_equal(token, HF__WAIT_MORE | OVERTAKEN_ENOUGH | HF__TOKEN_WAS_HEIR | 1);
    token = wait_once(BERT, token, -1, BERT);
    assert_int_equal(token, HF__WAIT_MORE | OVERTAKEN_ENOUGH | HF__TOKEN_WAS_HEIR | 2);
}

static void a_long_sleeper_watches_a_reservation_as_promptly_as_others(void **unused)
{
    (void)unused;
    const hf__token slept = OVERTAKEN_ENOUGH | HF__SLICES_MOST;
    enter(ANNA);
    assert_int_equal(ask(BERT, HF__BLOCKING, OVERTAKEN_ENOUGH), HF__WAIT_TURN);
    go(ANNA);
    uint32_t token = wait_once(CARL, slept, -1, CARL);
    assert_int_equal(futex_spy_timeout_ns(), HF_RESERVATION_NS);
    assert_int_equal(wait_once(CARL, token, -1, CARL), HF_OK);
}

static void numbers_of_reservations_are_not_taken_for_counts_of_slices(void **unused)
{
    for (uint32_t self = 1; self <= 2 * HF__SLICES_MOST; self += 1) {
        gate_afresh(unused);
        enter(HF_THREAD_JS);
        ask(self, HF__BLOCKING, OVERTAKEN_ENOUGH);
        go(HF_THREAD_JS);
        uint32_t call = watched_in(outcome_of(HF_THREAD_JS + 1, HF__BLOCKING, 0, HF_THREAD_JS + 1));
        assert_true(call > HF__SLICES_MOST);
        assert_int_not_equal(ask(HF_THREAD_JS + 1, HF__BLOCKING, OVERTAKEN_ENOUGH | self % HF__SLICES_MOST),
                             HF__DONE);
        assert_int_equal(ask(HF_THREAD_JS + 1, HF__BLOCKING, OVERTAKEN_ENOUGH | call), HF__DONE);
    }
}

static void no_release_is_lost_between_the_check_and_the_sleep(void **unused)
{
    (void)unused;
    enter(ANNA);
    futex_spy_at_next_wait(leave_anna);
    assert_int_equal(wait_once(BERT, 0, -1, BERT), HF__WAIT_MORE); /* the word had changed: not overtaken */
    assert_int_equal(wait_once(BERT, HF__WAIT_MORE, -1, BERT), HF_OK);
    go(BERT);

    enter(ANNA);
    futex_spy_at_next_wait(leave_anna);
    assert_int_equal(wait_once(CARL, OVERTAKEN_ENOUGH, -1, CARL),
                     HF__WAIT_MORE | OVERTAKEN_ENOUGH | HF__TOKEN_WAS_HEIR);
    assert_int_equal(wait_once(CARL, OVERTAKEN_ENOUGH, -1, CARL), HF_OK);
}

static void a_limit_of_0_acquires_or_gives_up_without_a_wait(void **unused)
{
    (void)unused;
    assert_int_equal(wait_once(BERT, 0, 0, BERT), HF_OK);
    assert_int_equal(wait_once(CARL, 0, 0, CARL), HF_TIMEOUT);
    assert_int_equal(ask(CARL, HF__BLOCKING, OVERTAKEN_ENOUGH), HF__WAIT_TURN);
    assert_int_equal(wait_once(CARL, OVERTAKEN_ENOUGH, 0, CARL), HF_TIMEOUT);
    assert_int_equal(*turn(), 0);
    assert_int_equal(futex_spy_waits(), 0);
    go(BERT);
    assert_gate_is_zero();
}

static void a_wait_ends_with_the_callers_limit(void **unused)
{
    (void)unused;
    enter(ANNA);
    wait_once(BERT, 0, HF_MICROSECOND, BERT);
    assert_int_equal(futex_spy_timeout_ns(), HF_MICROSECOND);
    wait_once(BERT, OVERTAKEN_ENOUGH, 2 * HF_MICROSECOND, BERT);
    assert_int_equal(futex_spy_timeout_ns(), 2 * HF_MICROSECOND);
    wait_once(BERT, 0, INT64_MAX, BERT);
    assert_int_equal(futex_spy_timeout_ns(), HF_PATIENCE_NS);
}

static void a_reservation_expires_only_for_a_watcher_of_its_whole_time(void **unused)
{
    (void)unused;
    enter(ANNA);
    ask(BERT, HF__ASYNC, 0);
    go(ANNA);
    uint32_t token = wait_once(CARL, 0, HF_RESERVATION_NS / 4, CARL);
    assert_int_equal(token & HF_THREAD_MASK, 0);
    token = wait_once(CARL, 0, -1, CARL);
    assert_int_equal(futex_spy_timeout_ns(), HF_RESERVATION_NS);
    assert_int_equal(token & HF_THREAD_MASK, BERT);
    assert_int_equal(wait_once(CARL, token, -1, CARL), HF_OK);
}

static void a_polling_heir_has_a_longer_reservation(void **unused)
{
    (void)unused;
    enter(ANNA);
    ask(BERT, HF__POLLING, 0);
    go(ANNA);
    uint32_t token = wait_once(CARL, ONCE_OVERTAKEN, -1, CARL);
    assert_int_equal(futex_spy_timeout_ns(), HF_POLLED_RESERVATION_NS);
    assert_int_equal(token & HF_THREAD_MASK, BERT);
}

static void a_thread_that_watches_a_reservation_does_not_nap(void **unused)
{
    (void)unused;
    enter(ANNA);
    ask(BERT, HF__ASYNC, 0);
    go(ANNA);
    futex_spy_reset();
    ask(CARL, HF__BLOCKING, ONCE_OVERTAKEN);
    /* The displaced thread may sleep, so the release of the slot wakes it. */
    withdraw(BERT, HF__ASYNC, 0);
    assert_wakes(1, 0, 0);
}

static void the_reservation_of_an_event_loop_keeps_a_sleeper_awake(void **unused)
{
    (void)unused;
    enter(ANNA);
    ask(BERT, HF__BLOCKING, 0);
    ask(CARL, HF__ASYNC, 0);
    go(ANNA);
    assert_wakes(1, 1, 0);
}

static void the_reservation_of_a_blocking_heir_wakes_nobody_else(void **unused)
{
    (void)unused;
    enter(ANNA);
    ask(BERT, HF__BLOCKING, 0);
    ask(CARL, HF__BLOCKING, OVERTAKEN_ENOUGH);
    ask(DORA, HF__ASYNC, HF__TOKEN_LISTED);
    go(ANNA);
    assert_wakes(0, 1, 0);
    /* Carl frees the slot for the async wait list. Sleepers are woken when he leaves. */
    assert_int_equal(ask(CARL, HF__BLOCKING, OVERTAKEN_ENOUGH), HF__DONE);
    assert_wakes(0, 0, 1);
    go(CARL);
    assert_wakes(1, 0, 0);
    assert_only_in_use(0);
}

static void a_blocking_heir_that_acquires_wakes_the_next_waiter(void **unused)
{
    (void)unused;
    enter(ANNA);
    ask(BERT, HF__BLOCKING, OVERTAKEN_ENOUGH);
    ask(CARL, HF__BLOCKING, 0);
    go(ANNA);
    assert_wakes(0, 1, 0);
    assert_int_equal(ask(BERT, HF__BLOCKING, OVERTAKEN_ENOUGH), HF__DONE);
    assert_wakes(1, 0, 0);
    assert_int_equal(ask(CARL, HF__BLOCKING, OVERTAKEN_ENOUGH), HF__WAIT_TURN);
    go(BERT);
    assert_false(tries(DORA, DORA));
}

static void an_event_loop_that_acquires_wakes_its_watchers(void **unused)
{
    (void)unused;
    enter(ANNA);
    ask(BERT, HF__ASYNC, 0);
    ask(CARL, HF__BLOCKING, 0);
    ask(DORA, HF__ASYNC, HF__TOKEN_LISTED);
    go(ANNA);
    assert_wakes(1, 1, 1);
    ask(CARL, HF__BLOCKING, 0);
    ask(DORA, HF__ASYNC, HF__TOKEN_LISTED);
    assert_int_equal(ask(BERT, HF__ASYNC, 0), HF__DONE);
    assert_wakes(1, 0, 1);
    go(BERT);
    assert_wakes(1, 0, 0);
}

static void a_second_event_loop_is_on_the_async_list_and_is_woken_for_the_slot(void **unused)
{
    (void)unused;
    enter(ANNA);
    ask(BERT, HF__ASYNC, 0);
    uint64_t before = gate.word;
    assert_int_equal(ask(CARL, HF__ASYNC, 0), HF__WAIT_LINE);
    assert_int_equal(gate.word, before); /* its entry does not exist yet */
    assert_int_equal(ask(CARL, HF__ASYNC, HF__TOKEN_LISTED), HF__WAIT_LINE);
    go(ANNA);
    assert_int_equal(futex_spy_wake_count(line()), HF__WAKE_ALL);
    assert_wakes(0, 1, 1);
    hf__outcome wait = outcome_of(CARL, HF__ASYNC, 0, CARL);
    assert_int_equal(next_in(wait), HF__WAIT_LINE);
    assert_int_equal(watched_in(wait), BERT);
    assert_int_equal(ask(BERT, HF__ASYNC, 0), HF__DONE);
    assert_int_equal(ask(CARL, HF__ASYNC, 0), HF__WAIT_TURN);
}

/* The next thread passes, leaves, and frees the memory for other uses. */
static void the_memory_is_used_again(void)
{
    ask(BERT, HF__ASYNC, 0);
    go(BERT);
    memset(&gate, 0xa5, sizeof gate);
}

static void after_the_release_only_the_address_is_used(void **unused)
{
    (void)unused;
    enter(ANNA);
    ask(CARL, HF__BLOCKING, 0);
    ask(BERT, HF__ASYNC, 0);
    ask(DORA, HF__ASYNC, HF__TOKEN_LISTED);
    futex_spy_at_next_wake(the_memory_is_used_again);
    go(ANNA);
    assert_wakes(1, 1, 1); /* two of them come after the memory was freed */
    for (size_t at = 0; at < sizeof gate; at += 1) {
        assert_int_equal(((const uint8_t *)&gate)[at], 0xa5);
    }
}

static void the_highest_identity_fits(void **unused)
{
    (void)unused;
    const uint32_t highest = HF_THREAD_MASK;
    enter(highest);
    assert_int_equal(ask(highest - 1, HF__POLLING, 0), HF__WAIT_TURN);
    go(highest);
    uint32_t call = watched_in(outcome_of(highest, HF__ASYNC, 0, highest));
    assert_true(call > HF__SLICES_MOST && call <= HF__NUMBER_MASK);
    assert_int_equal(ask(highest - 1, HF__POLLING, 0), HF__DONE);
    assert_int_equal(ask(highest, HF__ASYNC, 0), HF__WAIT_TURN);
    go(highest - 1);
    assert_int_equal(ask(highest, HF__ASYNC, 0), HF__DONE);
    go(highest);
    assert_gate_is_zero();
}

/* A JavaScript thread that dies, and what is left of it in the gate. */
#define GHOST (HF_THREAD_JS | UINT32_C(7) << HF_THREAD_SLOT_BITS | 3)
#define LEFT (GHOST | HF_THREAD_MARK)

static const hf__outcome TOLD = HF_ABANDONED; /* and no wait */

static void abandon(void)
{
    assert_true(hf__gate_abandon(&gate, GHOST, LEFT));
}

static void only_a_gate_in_use_can_be_abandoned(void **unused)
{
    (void)unused;
    assert_false(hf__gate_abandon(&gate, GHOST, LEFT));
    assert_gate_is_zero();
    enter(BERT);
    assert_false(hf__gate_abandon(&gate, GHOST, LEFT));
    assert_false(hf__gate_abandon(&gate, 0, LEFT));
    assert_only_in_use(BERT);
    assert_wakes(0, 0, 0);
}

static void all_waiters_are_woken_when_a_gate_is_abandoned(void **unused)
{
    (void)unused;
    enter(GHOST);
    ask(BERT, HF__BLOCKING, 0);
    ask(CARL, HF__ASYNC, 0);
    ask(DORA, HF__ASYNC, HF__TOKEN_LISTED);
    uint32_t expected = *sleepers();
    abandon();
    assert_int_not_equal(*sleepers(), expected);
    assert_int_equal(*sleepers(), LEFT); /* no flags: no thread waits now */
    assert_int_equal(futex_spy_wake_count(sleepers()), HF__WAKE_ALL);
    assert_int_equal(futex_spy_wake_count(turn()), HF__WAKE_ALL);
    assert_int_equal(futex_spy_wake_count(line()), HF__WAKE_ALL);
    assert_wakes(1, 1, 1);
}

static void acquiring_an_abandoned_gate_returns_abandoned(void **unused)
{
    (void)unused;
    const hf__kind kinds[] = {HF__BLOCKING, HF__ASYNC, HF__POLLING};
    const hf__token tokens[] = {0, HF__TOKEN_LISTED, HF__AGE_DISPLACES, BERT};
    enter(GHOST);
    abandon();
    futex_spy_reset();
    for (size_t kind = 0; kind < sizeof kinds / sizeof kinds[0]; kind += 1) {
        for (size_t at = 0; at < sizeof tokens / sizeof tokens[0]; at += 1) {
            assert_int_equal(outcome_of(BERT, kinds[kind], tokens[at], BERT), TOLD);
        }
    }
    assert_only_in_use(LEFT);
    assert_int_equal(hf__gate_try_after(&gate, BERT, 0, BERT, gate_capacity), HF_ABANDONED);
    assert_int_equal(wait_once(BERT, 0, -1, BERT), HF_ABANDONED);
    assert_int_equal(wait_once(BERT, 0, HF_MICROSECOND, BERT), HF_ABANDONED);
    assert_int_equal(hf__gate_enter(&gate, BERT, BERT, gate_capacity), HF_ABANDONED);
    assert_int_equal(hf__gate_enter_until(&gate, BERT, BERT, gate_capacity, HF_FOREVER), HF_ABANDONED);
    assert_only_in_use(LEFT);
    assert_int_equal(futex_spy_waits(), 0);
    assert_wakes(0, 0, 0);
}

static void a_waiter_without_time_left_returns_abandoned_too(void **unused)
{
    (void)unused;
    enter(GHOST);
    ask(BERT, HF__BLOCKING, OVERTAKEN_ENOUGH);
    abandon();
    assert_int_equal(wait_once(BERT, OVERTAKEN_ENOUGH, 0, BERT), HF_ABANDONED);
    assert_int_equal(*turn(), 0);
    assert_int_equal(wait_once(BERT, 0, 0, BERT), HF_ABANDONED);
    assert_int_equal(hf__gate_enter_until(&gate, BERT, BERT, gate_capacity, 0), HF_ABANDONED);
}

static void a_waiter_that_returns_abandoned_is_no_longer_the_heir(void **unused)
{
    (void)unused;
    enter(GHOST);
    ask(BERT, HF__BLOCKING, OVERTAKEN_ENOUGH);
    abandon();
    assert_int_equal(wait_once(BERT, OVERTAKEN_ENOUGH, -1, BERT), HF_ABANDONED);
    assert_int_equal(*turn(), 0);

    gate_afresh(unused);
    enter(GHOST);
    ask(BERT, HF__ASYNC, 0);
    abandon();
    assert_int_equal(outcome_of(BERT, HF__ASYNC, 0, BERT), TOLD);
    withdraw(BERT, HF__ASYNC, 0);
    assert_only_in_use(LEFT);
}

static void no_death_is_missed_between_a_probe_and_the_sleep(void **unused)
{
    (void)unused;
    enter(GHOST);
    futex_spy_at_next_wait(abandon);
    assert_int_equal(wait_once(BERT, 0, -1, BERT), HF__WAIT_MORE); /* the word had changed */
    assert_int_equal(wait_once(BERT, HF__WAIT_MORE, -1, BERT), HF_ABANDONED);

    gate_afresh(unused);
    enter(GHOST);
    futex_spy_at_next_wait(abandon);
    assert_int_equal(wait_once(BERT, OVERTAKEN_ENOUGH, -1, BERT),
                     HF__WAIT_MORE | OVERTAKEN_ENOUGH | HF__TOKEN_WAS_HEIR);
    assert_int_equal(wait_once(BERT, OVERTAKEN_ENOUGH, -1, BERT), HF_ABANDONED);

    gate_afresh(unused);
    enter(GHOST);
    hf__outcome wait = outcome_of(BERT, HF__ASYNC, 0, BERT);
    assert_int_equal(next_in(wait), HF__WAIT_TURN);
    abandon();
    assert_int_not_equal((uint32_t)wait, *turn());
}

static void an_event_loop_that_joins_the_async_list_learns_of_the_abandonment(void **unused)
{
    (void)unused;
    enter(GHOST);
    ask(BERT, HF__ASYNC, 0);
    assert_int_equal(ask(CARL, HF__ASYNC, 0), HF__WAIT_LINE);
    abandon(); /* its entry is not known yet */
    assert_int_equal(outcome_of(CARL, HF__ASYNC, HF__TOKEN_LISTED, CARL), TOLD);
}

static void a_thread_can_take_over_an_abandoned_gate(void **unused)
{
    (void)unused;
    enter(GHOST);
    assert_false(hf__gate_take_over(&gate, LEFT, BERT));
    assert_only_in_use(GHOST);
    abandon();
    assert_false(hf__gate_take_over(&gate, LEFT + 1, BERT));
    assert_only_in_use(LEFT);
    assert_true(hf__gate_take_over(&gate, LEFT, BERT));
    assert_false(hf__gate_take_over(&gate, LEFT, CARL));
    assert_only_in_use(BERT);
    assert_false(tries(CARL, CARL));
    go(BERT);
    assert_gate_is_zero();
}

static void later_waiters_wait_for_the_thread_that_took_over(void **unused)
{
    (void)unused;
    enter(GHOST);
    ask(BERT, HF__BLOCKING, 0);
    ask(CARL, HF__ASYNC, 0);
    ask(DORA, HF__ASYNC, HF__TOKEN_LISTED);
    abandon();
    assert_true(hf__gate_take_over(&gate, LEFT, ANNA));
    futex_spy_reset();
    /* The waiters that the abandonment woke come now. */
    assert_int_equal(ask(CARL, HF__ASYNC, 0), HF__WAIT_TURN);
    assert_int_equal(ask(BERT, HF__BLOCKING, TWICE_OVERTAKEN), HF__WAIT_LINE);
    assert_int_equal(ask(BERT, HF__BLOCKING, TWICE_OVERTAKEN | 1), HF__WAIT_LINE);
    assert_int_equal(ask(DORA, HF__ASYNC, HF__TOKEN_LISTED), HF__WAIT_LINE);
    go(ANNA);
    assert_wakes(1, 1, 1);
    assert_false(tries(ANNA, ANNA));
    assert_int_equal(ask(CARL, HF__ASYNC, 0), HF__DONE);
    assert_int_equal(ask(BERT, HF__BLOCKING, OVERTAKEN_ENOUGH), HF__WAIT_TURN);
    go(CARL);
    assert_int_equal(ask(BERT, HF__BLOCKING, OVERTAKEN_ENOUGH), HF__DONE);
    go(BERT);
    assert_only_in_use(0);
}

static void a_repaired_gate_can_be_abandoned_again(void **unused)
{
    (void)unused;
    enter(GHOST);
    ask(BERT, HF__ASYNC, 0);
    abandon();
    assert_true(hf__gate_take_over(&gate, LEFT, ANNA));
    hf__outcome wait = outcome_of(BERT, HF__ASYNC, 0, BERT);
    futex_spy_reset();
    assert_true(hf__gate_abandon(&gate, ANNA, LEFT)); /* her repair failed */
    assert_int_not_equal((uint32_t)wait, *turn());
    assert_int_equal(futex_spy_wake_count(turn()), HF__WAKE_ALL);
    assert_int_equal(outcome_of(BERT, HF__ASYNC, 0, BERT), TOLD);
}

static void amounts_that_only_resemble_a_dead_owner_are_not_abandoned(void **unused)
{
    const uint32_t others[] = {
        ANNA | HF_THREAD_MARK, /* a C thread */
        HF_THREAD_RANDOM | HF_THREAD_MARK | 5,
        HF_THREAD_RANDOM | GHOST, /* drawn at random */
        HF_THREAD_MASK,           /* the same */
        GHOST,
    };
    for (size_t at = 0; at < sizeof others / sizeof others[0]; at += 1) {
        gate_afresh(unused);
        enter(others[at]);
        assert_int_equal(ask(BERT, HF__BLOCKING, 0), HF__WAIT_LINE);
        assert_int_equal(ask(BERT, HF__ASYNC, 0), HF__WAIT_TURN);
        assert_int_equal(hf__gate_try_after(&gate, CARL, 0, CARL, gate_capacity), HF__WAIT_MORE);
        go(others[at]);
        assert_int_equal(ask(BERT, HF__ASYNC, 0), HF__DONE);
    }
    /* At most the capacity, so the amount is no identity. */
    gate_afresh(unused);
    gate_capacity = HF__GATE_MOST;
    pass(ANNA, LEFT);
    assert_int_equal(step(BERT, HF__ASYNC, 0, HF__GATE_MOST), HF__WAIT_TURN);
    assert_int_equal(hf__gate_try_after(&gate, CARL, 0, HF__GATE_MOST, gate_capacity), HF__WAIT_MORE);
    leave(LEFT);
    /* Beside others. */
    gate_afresh(unused);
    gate_capacity = LEFT;
    pass(ANNA, 1);
    pass(BERT, LEFT - 1);
    assert_int_equal(step(BERT, HF__ASYNC, 0, 1), HF__WAIT_TURN);
}

static void an_amount_above_the_capacity_is_an_owner(void **unused)
{
    const uint32_t capacities[] = {HF__GATE_FOR_ONE, 1, LEFT - 1};
    for (size_t at = 0; at < sizeof capacities / sizeof capacities[0]; at += 1) {
        gate_afresh(unused);
        gate_capacity = capacities[at];
        pass(ANNA, GHOST);
        assert_true(hf__gate_abandon(&gate, GHOST, LEFT));
        assert_int_equal(outcome_of(BERT, HF__ASYNC, 0, 1), TOLD);
        assert_int_equal(hf__gate_try_after(&gate, CARL, 0, 1, gate_capacity), HF_ABANDONED);
    }
}

#define TEST(function) cmocka_unit_test_setup(function, gate_afresh)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(acquiring_writes_the_owner_and_leaving_zero),
        TEST(leaving_with_more_or_another_owner_than_in_use_is_refused),
        TEST(leaving_reserves_the_gate_for_the_heir),
        TEST(a_refused_try_returns_the_number_of_the_reservation),
        TEST(a_thread_overtaken_often_enough_becomes_the_heir),
        TEST(an_expired_reservation_is_overtaken),
        TEST(a_gate_in_use_is_not_passed_even_after_a_watch),
        TEST(the_reservation_of_a_polling_heir_is_marked_as_long),
        TEST(a_blocking_wait_overtakes_an_expired_reservation),
        TEST(leaving_wakes_one_sleeper_and_leaves_zero),
        TEST(a_sleeper_waits_only_for_a_value_that_has_its_flag),
        TEST(a_woken_sleeper_that_acquires_sets_the_flag_of_the_other_sleepers),
        TEST(a_woken_sleeper_that_acquires_at_its_deadline_sets_the_flag_of_the_others),
        TEST(a_thread_that_has_not_waited_does_not_set_the_sleepers_flag),
        TEST(two_naps_end_the_patience_of_a_thread),
        TEST(a_release_wakes_a_sleeper_while_a_thread_naps_for_the_first_time),
        TEST(a_release_wakes_nobody_while_a_thread_naps),
        TEST(a_thread_behind_a_napper_sleeps_for_200_ms_then_claims_the_slot),
        TEST(a_thread_woken_spuriously_while_another_naps_sleeps_on_behind_it),
        TEST(a_thread_whose_patience_ends_while_another_naps_sleeps_on_behind_it),
        TEST(a_napper_that_finds_the_gate_open_wakes_the_next_sleeper_when_it_leaves),
        TEST(a_thread_that_passes_hands_the_nap_to_the_sleeper_that_it_wakes),
        TEST(a_nap_that_finds_no_sleeper_is_taken_back),
        TEST(a_thread_woken_to_nap_that_finds_the_gate_open_wakes_another_when_it_leaves),
        TEST(a_thread_woken_to_nap_that_gives_up_has_another_woken),
        TEST(a_napper_that_gives_up_wakes_the_next_sleeper),
        TEST(a_napper_that_becomes_the_heir_wakes_the_next_sleeper_when_it_passes),
        TEST(a_napper_that_has_died_is_replaced_after_a_slice),
        TEST(a_waiter_with_a_time_limit_sleeps_for_an_eighth_of_it_behind_a_napper),
        TEST(several_threads_nap_at_a_gate_with_amounts_and_set_no_flag),
        TEST(a_waiter_that_slept_through_its_patience_becomes_the_heir_at_once),
        TEST(no_release_is_lost_between_the_check_and_the_sleep),
        TEST(slices_of_a_long_wait_grow_up_to_a_second),
        TEST(a_long_sleeper_watches_a_reservation_as_promptly_as_others),
        TEST(numbers_of_reservations_are_not_taken_for_counts_of_slices),
        TEST(a_limit_of_0_acquires_or_gives_up_without_a_wait),
        TEST(a_wait_ends_with_the_callers_limit),
        TEST(a_reservation_expires_only_for_a_watcher_of_its_whole_time),
        TEST(a_polling_heir_has_a_longer_reservation),
        TEST(a_thread_that_watches_a_reservation_does_not_nap),
        TEST(the_reservation_of_an_event_loop_keeps_a_sleeper_awake),
        TEST(the_reservation_of_a_blocking_heir_wakes_nobody_else),
        TEST(a_blocking_heir_that_acquires_wakes_the_next_waiter),
        TEST(an_event_loop_that_acquires_wakes_its_watchers),
        TEST(a_second_event_loop_is_on_the_async_list_and_is_woken_for_the_slot),
        TEST(after_the_release_only_the_address_is_used),
        TEST(the_highest_identity_fits),
        TEST(only_a_gate_in_use_can_be_abandoned),
        TEST(all_waiters_are_woken_when_a_gate_is_abandoned),
        TEST(acquiring_an_abandoned_gate_returns_abandoned),
        TEST(a_waiter_without_time_left_returns_abandoned_too),
        TEST(a_waiter_that_returns_abandoned_is_no_longer_the_heir),
        TEST(no_death_is_missed_between_a_probe_and_the_sleep),
        TEST(an_event_loop_that_joins_the_async_list_learns_of_the_abandonment),
        TEST(a_thread_can_take_over_an_abandoned_gate),
        TEST(later_waiters_wait_for_the_thread_that_took_over),
        TEST(a_repaired_gate_can_be_abandoned_again),
        TEST(amounts_that_only_resemble_a_dead_owner_are_not_abandoned),
        TEST(an_amount_above_the_capacity_is_an_owner),
    };
    watchdog_start((const uint32_t *)&gate, sizeof gate / sizeof(uint32_t));
    int failed = cmocka_run_group_tests_name("gate", tests, NULL, NULL);
    watchdog_stop();
    return failed;
}
