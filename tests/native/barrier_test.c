/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* A barrier as one thread sees it. Other arrivals are tokens: this thread plays all the parts. */
#include <stdbool.h>

#include "barrier.h"
#include "inside.h"

#include "cmocka_with_headers.h"
#include "futex_spy.h"
#include "watchdog.h"

#define PARTY (UINT64_C(1) << 32)
#define ARRIVAL (UINT64_C(1) << 48)

static hf_barrier barrier;

static int start_with_3(void **unused)
{
    (void)unused;
    barrier = (hf_barrier){0};
    hf_barrier_init(&barrier, 3);
    futex_spy_reset();
    return 0;
}

static uint32_t arrive(void)
{
    uint64_t token = hf__barrier_arrive(&barrier);
    assert_int_equal(token & HF__BARRIER_LAST, 0);
    return (uint32_t)token;
}

static void arrive_as_the_last(void)
{
    assert_true(hf__barrier_arrive(&barrier) & HF__BARRIER_LAST);
}

static bool is_over(uint32_t round)
{
    return hf__barrier_step(&barrier, round) == HF__DONE;
}

/* Checks that no thread has arrived in the round. SLEEPS may be set by a thread that gave up. */
static void assert_at_rest_in(uint32_t round)
{
    assert_int_equal(barrier.word & INT32_MAX, round);
    assert_int_equal(barrier.word / ARRIVAL, 0);
    assert_int_equal(barrier.inside, 0);
}

static void zeroed_memory_is_a_barrier_of_one(void **unused)
{
    (void)unused;
    barrier = (hf_barrier){0};
    for (uint32_t round = 0; round < 3; round += 1) {
        assert_at_rest_in(round);
        assert_true(hf_barrier_arrive_and_wait(&barrier));
    }
    assert_int_equal(hf_barrier_arrive_and_wait_until(&barrier, 0), HF_DONE);
    assert_int_equal(futex_spy_waits(), 0);
    assert_int_equal(futex_spy_wakes(NULL), 0);
}

static void the_last_arrival_lets_its_whole_round_through(void **unused)
{
    (void)unused;
    for (uint32_t round = 0; round < 3; round += 1) {
        uint32_t first = arrive();
        uint32_t second = arrive();
        assert_false(is_over(first));
        assert_false(is_over(second));
        arrive_as_the_last();
        assert_true(is_over(first));
        assert_true(is_over(second));
        assert_at_rest_in(round + 1);
    }
}

static void only_the_last_arrival_wakes_and_it_wakes_all(void **unused)
{
    (void)unused;
    uint32_t first = arrive();
    hf__outcome wait = hf__barrier_step(&barrier, first);
    assert_int_equal((wait >> HF__OUTCOME_NEXT) & 3, HF__WAIT_TURN);
    assert_int_equal((uint32_t)wait, *hf__low_half(&barrier.word));
    arrive();
    assert_int_equal((uint32_t)wait, *hf__low_half(&barrier.word));
    assert_int_equal(futex_spy_wakes(NULL), 0);
    arrive_as_the_last();
    assert_int_not_equal((uint32_t)wait, *hf__low_half(&barrier.word));
    assert_int_equal(futex_spy_wakes(hf__low_half(&barrier.word)), 1);
    assert_int_equal(futex_spy_wake_count(hf__low_half(&barrier.word)), HF__WAKE_ALL);
}

static void without_sleepers_the_last_arrival_wakes_nobody(void **unused)
{
    (void)unused;
    uint32_t first = arrive();
    arrive();
    assert_int_equal(hf_barrier_wait_until(&barrier, first, 0), HF_TIMEOUT);
    arrive_as_the_last();
    assert_int_equal(futex_spy_wakes(NULL), 0);
    hf__barrier_step(&barrier, arrive());
    arrive();
    arrive_as_the_last();
    assert_int_equal(futex_spy_wakes(NULL), 1);
    arrive();
    arrive();
    arrive_as_the_last();
    assert_int_equal(futex_spy_wakes(NULL), 1);
}

static void a_fast_thread_waits_for_the_others_of_its_round(void **unused)
{
    (void)unused;
    uint32_t slow = arrive();
    arrive();
    arrive_as_the_last();
    uint32_t ahead = arrive();
    assert_false(is_over(ahead));
    assert_true(is_over(slow)); /* the slow thread checks now */
    arrive();
    assert_false(is_over(ahead));
    arrive_as_the_last();
    assert_true(is_over(ahead));
    assert_at_rest_in(2);
}

static void a_thread_that_gives_up_withdraws_its_arrival(void **unused)
{
    (void)unused;
    uint32_t first = arrive();
    uint32_t second = arrive();
    assert_int_equal(hf__barrier_give_up(&barrier, second), HF_TIMEOUT);
    arrive();
    assert_false(is_over(first));
    arrive_as_the_last();
    assert_true(is_over(first));
    assert_at_rest_in(1);
    assert_int_equal(futex_spy_wakes(NULL), 1);
}

static void giving_up_after_the_end_of_the_round_returns_ok(void **unused)
{
    (void)unused;
    uint32_t first = arrive();
    arrive();
    arrive_as_the_last();
    arrive();
    uint64_t before = barrier.word;
    assert_int_equal(hf__barrier_give_up(&barrier, first), HF_OK);
    assert_int_equal(hf__barrier_wait(&barrier, first, 0, 0), HF_OK);
    assert_int_equal(hf__barrier_wait(&barrier, first, HF__WAIT_MORE, -1), HF_OK);
    assert_int_equal(barrier.word, before);
    assert_int_equal(futex_spy_waits(), 0);
}

static void the_round_wraps_and_touches_nothing_beside_it(void **unused)
{
    (void)unused;
    barrier.word += INT32_MAX;
    uint32_t first = arrive();
    assert_int_equal(first, INT32_MAX);
    uint32_t second = arrive();
    assert_int_equal(hf__barrier_give_up(&barrier, second), HF_TIMEOUT);
    arrive();
    assert_false(is_over(first));
    arrive_as_the_last();
    assert_true(is_over(first));
    assert_at_rest_in(0);
    assert_int_equal(hf__barrier_give_up(&barrier, first), HF_OK);
    assert_false(is_over(arrive()));
}

static void the_most_parties_fit(void **unused)
{
    (void)unused;
    hf_barrier_init(&barrier, HF_BARRIER_MOST);
    barrier.word += (HF_BARRIER_MOST - 2) * ARRIVAL + INT32_MAX;
    uint32_t last_but_one = arrive();
    assert_false(is_over(last_but_one));
    arrive_as_the_last();
    assert_true(is_over(last_but_one));
    assert_at_rest_in(0);
}

static void the_others_arrive(void)
{
    arrive();
    arrive_as_the_last();
}

static void arrive_and_wait_waits_for_the_others(void **unused)
{
    (void)unused;
    futex_spy_at_next_wait(the_others_arrive);
    assert_false(hf_barrier_arrive_and_wait(&barrier));
    assert_int_equal(futex_spy_waits(), 1);
    assert_at_rest_in(1);
    futex_spy_at_next_wait(the_others_arrive);
    assert_int_equal(hf_barrier_arrive_and_wait_until(&barrier, HF_FOREVER), HF_OK);
    assert_int_equal(futex_spy_waits(), 2);
    assert_at_rest_in(2);
}

static void the_last_arrival_does_not_wait_and_returns_done(void **unused)
{
    (void)unused;
    arrive();
    arrive();
    assert_true(hf_barrier_arrive_and_wait(&barrier));
    arrive();
    arrive();
    assert_int_equal(hf_barrier_arrive_and_wait_until(&barrier, 0), HF_DONE);
    assert_int_equal(futex_spy_waits(), 0);
    assert_at_rest_in(2);
}

static void a_past_deadline_takes_the_arrival_back_at_once(void **unused)
{
    (void)unused;
    arrive();
    uint64_t before = barrier.word;
    assert_int_equal(hf_barrier_arrive_and_wait_until(&barrier, hf_now_ns() - 1), HF_TIMEOUT);
    assert_int_equal(hf_barrier_arrive_and_wait_until(&barrier, INT64_MIN / 2), HF_TIMEOUT);
    assert_int_equal(barrier.word, before);
    assert_int_equal(futex_spy_waits(), 0);
}

static void a_wait_does_not_time_out_before_its_deadline(void **unused)
{
    (void)unused;
    int64_t deadline = hf_now_ns() + 5 * HF_MILLISECOND;
    assert_int_equal(hf_barrier_arrive_and_wait_until(&barrier, deadline), HF_TIMEOUT);
    assert_true(hf_now_ns() >= deadline);
    assert_at_rest_in(0);
}

static void every_wait_is_rechecked_within_a_slice(void **unused)
{
    (void)unused;
    uint32_t round = arrive();
    uint32_t looked = hf__barrier_wait(&barrier, round, 0, -1);
    assert_int_equal(looked, HF__WAIT_MORE);
    assert_int_equal(futex_spy_waits(), 0);
    assert_int_equal(hf__barrier_wait(&barrier, round, looked, -1), HF__WAIT_MORE | 1);
    assert_int_equal(futex_spy_timeout_ns(), HF__SLICE_NS);
    assert_ptr_equal(futex_spy_waited_on(), hf__low_half(&barrier.word));
    assert_int_equal(hf__barrier_wait(&barrier, round, looked, HF_MICROSECOND), HF__WAIT_MORE);
    assert_int_equal(futex_spy_timeout_ns(), HF_MICROSECOND);
}

static uint32_t pause_in_sleep;

static void note_the_pause(void)
{
    pause_in_sleep = barrier.pause;
    the_others_arrive();
}

/* Returns whether an arrival's spin failed, and so began a pause. */
static bool looks_in_vain_in_a_round(void)
{
    uint32_t before = barrier.pause;
    futex_spy_at_next_wait(note_the_pause);
    hf_barrier_arrive_and_wait(&barrier);
    return pause_in_sleep != before;
}

/* Returns how many rounds skip the spin before one spins again. */
static uint32_t rounds_without_looks(void)
{
    uint32_t rounds = 0;
    while (!looks_in_vain_in_a_round() && rounds < 1000) {
        rounds += 1;
    }
    return rounds;
}

static void unsuccessful_spins_make_longer_and_longer_pauses(void **unused)
{
    (void)unused;
    static const uint32_t expected[] = {0, 0, 2, 6, 14, 30, 62, 126, 254, 254};
    for (size_t at = 0; at < sizeof expected / sizeof *expected; at += 1) {
        assert_int_equal(rounds_without_looks(), expected[at]);
    }
}

static void a_round_without_unsuccessful_spins_halves_the_next_pause(void **unused)
{
    (void)unused;
    for (int look = 0; look < 5; look += 1) {
        rounds_without_looks();
    }
    for (int round = 0; round < 30 + 1; round += 1) {
        arrive();
        the_others_arrive();
    }
    assert_int_equal(rounds_without_looks(), 0);
    assert_int_equal(rounds_without_looks(), 30);
}

static void a_wait_with_a_token_spins_too(void **unused)
{
    (void)unused;
    uint32_t round = arrive();
    assert_int_equal(hf_barrier_wait_until(&barrier, round, 0), HF_TIMEOUT);
    assert_int_equal(barrier.pause, 0);
    futex_spy_at_next_wait(note_the_pause);
    hf_barrier_wait(&barrier, round);
    assert_int_not_equal(pause_in_sleep, 0);
}

static void a_continued_wait_does_not_spin_again(void **unused)
{
    (void)unused;
    uint32_t round = arrive();
    hf__barrier_wait(&barrier, round, 0, HF_MICROSECOND);
    barrier.pause = 0;
    hf__barrier_wait(&barrier, round, HF__WAIT_MORE, HF_MICROSECOND);
    assert_int_equal(hf__barrier_wait(&barrier, round, 0, 0), HF_TIMEOUT);
    assert_int_equal(barrier.pause, 0);
}

static void look_who_is_inside(void)
{
    assert_int_equal(barrier.inside, 1);
}

static void look_who_is_inside_and_arrive(void)
{
    look_who_is_inside();
    the_others_arrive();
}

static void a_thread_counts_as_inside_before_it_arrives(void **unused)
{
    (void)unused;
    futex_spy_at_next_wait(look_who_is_inside_and_arrive);
    assert_false(hf_barrier_arrive_and_wait(&barrier));
    assert_at_rest_in(1);
    assert_int_equal(hf_barrier_arrive_and_wait_until(&barrier, 0), HF_TIMEOUT);
    assert_at_rest_in(1);
    arrive();
    arrive();
    futex_spy_at_next_wake(look_who_is_inside);
    assert_true(hf_barrier_arrive_and_wait(&barrier));
    assert_at_rest_in(2);
    assert_int_equal(futex_spy_wakes(&barrier.inside), 0);
}

static void a_barrier_with_nobody_inside_can_be_destroyed_at_once(void **unused)
{
    (void)unused;
    hf_barrier_destroy(&barrier);
    assert_int_equal(hf_barrier_destroy_until(&barrier, 0), HF_OK);
    assert_int_equal(futex_spy_waits(), 0);
    assert_at_rest_in(0);
}

static void one_leaves(void)
{
    hf__inside_leave(&barrier.inside);
}

static void one_leaves_and_one_stays(void)
{
    one_leaves();
    assert_int_equal(futex_spy_wakes(NULL), 0);
    futex_spy_at_next_wait(one_leaves);
}

static void destroy_waits_for_all_waiters_inside(void **unused)
{
    (void)unused;
    hf__inside_enter(&barrier.inside);
    hf__inside_enter(&barrier.inside);
    futex_spy_at_next_wait(one_leaves_and_one_stays);
    hf_barrier_destroy(&barrier);
    assert_int_equal(futex_spy_waits(), 2);
    assert_ptr_equal(futex_spy_waited_on(), &barrier.inside);
    assert_int_equal(futex_spy_timeout_ns(), HF__SLICE_NS);
    assert_int_equal(futex_spy_wakes(&barrier.inside), 1);
    assert_at_rest_in(0);
}

static void destroy_until_gives_up_at_its_deadline(void **unused)
{
    (void)unused;
    hf__inside_enter(&barrier.inside);
    int64_t deadline = hf_now_ns() + 5 * HF_MILLISECOND;
    assert_int_equal(hf_barrier_destroy_until(&barrier, deadline), HF_TIMEOUT);
    assert_true(hf_now_ns() >= deadline);
    assert_int_equal(barrier.inside, 1);
    one_leaves();
    assert_int_equal(futex_spy_wakes(NULL), 0);
    assert_int_equal(hf_barrier_destroy_until(&barrier, 0), HF_OK);
}

static void arrive_returns_a_token_to_wait_with(void **unused)
{
    (void)unused;
    hf_barrier_token token = hf_barrier_arrive(&barrier, NULL);
    assert_int_equal(hf_barrier_wait_until(&barrier, token, hf_now_ns() + HF_MILLISECOND), HF_TIMEOUT);
    assert_int_equal(hf_barrier_wait_until(&barrier, token, 0), HF_TIMEOUT);
    futex_spy_at_next_wait(look_who_is_inside_and_arrive);
    hf_barrier_wait(&barrier, token);
    assert_int_equal(futex_spy_timeout_ns(), HF__SLICE_NS); /* no limit shortens the slice */
    assert_at_rest_in(1);
    futex_spy_reset();
    assert_int_equal(hf_barrier_wait_until(&barrier, token, 0), HF_OK);
    hf_barrier_wait(&barrier, token);
    assert_int_equal(futex_spy_waits(), 0);
}

static void the_token_of_the_last_arrival_names_a_round_that_is_over(void **unused)
{
    (void)unused;
    barrier.word += INT32_MAX;
    uint32_t first = arrive();
    arrive();
    assert_false(is_over(first));
    hf_barrier_token token = hf_barrier_arrive(&barrier, NULL);
    assert_at_rest_in(0);
    assert_int_equal(hf_barrier_wait_until(&barrier, token, 0), HF_OK);
    assert_int_equal(futex_spy_wakes(hf__low_half(&barrier.word)), 1);
}

static void a_dropped_party_counts_as_arrived_and_is_not_waited_for_later(void **unused)
{
    (void)unused;
    uint32_t first = arrive();
    hf_barrier_arrive_and_drop(&barrier, NULL);
    assert_false(is_over(first));
    assert_int_equal(futex_spy_wakes(NULL), 0);
    arrive_as_the_last();
    assert_true(is_over(first));
    assert_at_rest_in(1);
    uint32_t second = arrive();
    assert_false(is_over(second));
    hf_barrier_arrive_and_drop(&barrier, NULL);
    assert_true(is_over(second));
    assert_int_equal(futex_spy_wakes(hf__low_half(&barrier.word)), 2);
    assert_at_rest_in(2);
    arrive_as_the_last();
    hf_barrier_arrive_and_drop(&barrier, NULL);
    arrive_as_the_last();
    assert_at_rest_in(5);
    assert_int_equal(barrier.word, 5);
}

static uint32_t waiter;
static int completions;
static void (*meanwhile)(void);

static void complete(void *argument)
{
    assert_ptr_equal(argument, &barrier);
    assert_false(is_over(waiter));
    assert_int_equal(futex_spy_wakes(NULL), 0);
    completions += 1;
    if (meanwhile) {
        meanwhile();
    }
}

static const hf_barrier_completion completion = {.run = complete, .argument = &barrier};

static void start_a_round(void)
{
    futex_spy_reset();
    completions = 0;
    waiter = arrive();
    hf_barrier_arrive(&barrier, &completion);
    assert_int_equal(completions, 0);
}

static void the_last_thread_runs_the_completion_before_any_thread_is_let_through(void **unused)
{
    (void)unused;
    start_a_round();
    assert_true(hf_barrier_arrive_and_wait_with(&barrier, &completion));
    assert_int_equal(completions, 1);
    assert_true(is_over(waiter));

    start_a_round();
    hf_barrier_token token = hf_barrier_arrive(&barrier, &completion);
    assert_int_equal(completions, 1);
    hf_barrier_wait(&barrier, token);

    start_a_round();
    hf_barrier_arrive_and_drop(&barrier, &completion);
    assert_int_equal(completions, 1);
    assert_true(is_over(waiter));
    assert_at_rest_in(3);

    completions = 0;
    waiter = arrive();
    futex_spy_reset();
    assert_true(hf_barrier_arrive_and_wait_with(&barrier, &completion));
    assert_int_equal(completions, 1);
}

static void the_waiter_gives_up(void)
{
    meanwhile = NULL;
    assert_int_equal(hf__barrier_give_up(&barrier, waiter), HF_TIMEOUT);
}

static void a_thread_that_gives_up_during_the_completion_keeps_the_round_open(void **unused)
{
    (void)unused;
    start_a_round();
    meanwhile = the_waiter_gives_up;
    hf_barrier_arrive(&barrier, &completion);
    assert_int_equal(completions, 1);
    assert_false(is_over(waiter));
    hf_barrier_arrive(&barrier, &completion);
    assert_int_equal(completions, 2);
    assert_at_rest_in(1);
}

#define TEST(function) cmocka_unit_test_setup(function, start_with_3)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(zeroed_memory_is_a_barrier_of_one),
        TEST(the_last_arrival_lets_its_whole_round_through),
        TEST(only_the_last_arrival_wakes_and_it_wakes_all),
        TEST(without_sleepers_the_last_arrival_wakes_nobody),
        TEST(a_fast_thread_waits_for_the_others_of_its_round),
        TEST(a_thread_that_gives_up_withdraws_its_arrival),
        TEST(giving_up_after_the_end_of_the_round_returns_ok),
        TEST(the_round_wraps_and_touches_nothing_beside_it),
        TEST(the_most_parties_fit),
        TEST(arrive_and_wait_waits_for_the_others),
        TEST(the_last_arrival_does_not_wait_and_returns_done),
        TEST(a_past_deadline_takes_the_arrival_back_at_once),
        TEST(a_wait_does_not_time_out_before_its_deadline),
        TEST(every_wait_is_rechecked_within_a_slice),
        TEST(unsuccessful_spins_make_longer_and_longer_pauses),
        TEST(a_round_without_unsuccessful_spins_halves_the_next_pause),
        TEST(a_wait_with_a_token_spins_too),
        TEST(a_continued_wait_does_not_spin_again),
        TEST(a_thread_counts_as_inside_before_it_arrives),
        TEST(a_barrier_with_nobody_inside_can_be_destroyed_at_once),
        TEST(destroy_waits_for_all_waiters_inside),
        TEST(destroy_until_gives_up_at_its_deadline),
        TEST(arrive_returns_a_token_to_wait_with),
        TEST(the_token_of_the_last_arrival_names_a_round_that_is_over),
        TEST(a_dropped_party_counts_as_arrived_and_is_not_waited_for_later),
        TEST(the_last_thread_runs_the_completion_before_any_thread_is_let_through),
        TEST(a_thread_that_gives_up_during_the_completion_keeps_the_round_open),
    };
    watchdog_start((const uint32_t *)&barrier, sizeof barrier / sizeof(uint32_t));
    int failed = cmocka_run_group_tests_name("barrier", tests, NULL, NULL);
    watchdog_stop();
    return failed;
}
