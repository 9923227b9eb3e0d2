/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* A waiter has room beside an heir that waits for more; the heir lives or is dead. */
#include "gate_stage.h"

#include "cmocka_with_headers.h"
#include "futex_spy.h"
#include "watchdog.h"

enum { CAPACITY = 5 };

/* One of five is in use, and Bert, the heir, waits for all five. */
static int bert_wants_all(void **unused)
{
    gate_afresh(unused);
    gate_capacity = CAPACITY;
    pass(ANNA, 1);
    step(BERT, HF__BLOCKING, OVERTAKEN_ENOUGH, CAPACITY);
    return 0;
}

static uint32_t place_beside(uint32_t self)
{
    hf__outcome wait = outcome_of(self, HF__BLOCKING, OVERTAKEN_ENOUGH, 1);
    assert_int_equal(next_in(wait), HF__WAIT_BESIDE);
    assert_int_not_equal(watched_in(wait), 0);
    return watched_in(wait);
}

static uint32_t tried(uint32_t self, uint32_t watched)
{
    return hf__gate_try_after(&gate, self, watched, 1, gate_capacity);
}

static void an_heir_that_was_watched_gets_a_reservation(void **unused)
{
    (void)unused;
    uint32_t place = place_beside(CARL);
    hf__outcome wait = outcome_of(CARL, HF__BLOCKING, OVERTAKEN_ENOUGH | place, 1);
    assert_wakes(0, 1, 0);
    assert_int_equal(next_in(wait), HF__WAIT_LINE);
    assert_int_not_equal(watched_in(wait), 0);
    assert_int_not_equal(watched_in(wait), place);
    assert_true(polls_in(wait));
    assert_int_equal(step(CARL, HF__BLOCKING, OVERTAKEN_ENOUGH | watched_in(wait), 1), HF__DONE);
    assert_int_equal(*turn(), 0);
    assert_int_equal(hf__gate_used(&gate), 2);
}

static void a_living_heir_declines_the_reservation_and_keeps_its_slot(void **unused)
{
    (void)unused;
    uint32_t place = place_beside(CARL);
    hf__outcome wait = outcome_of(CARL, HF__BLOCKING, OVERTAKEN_ENOUGH | place, 1);
    assert_int_equal(step(BERT, HF__BLOCKING, OVERTAKEN_ENOUGH, CAPACITY), HF__WAIT_TURN);
    assert_int_equal(step(CARL, HF__BLOCKING, OVERTAKEN_ENOUGH | watched_in(wait), 1), HF__WAIT_BESIDE);
    leave(1);
    assert_false(tries(CARL, 1));
    assert_int_equal(step(BERT, HF__BLOCKING, OVERTAKEN_ENOUGH, CAPACITY), HF__DONE);
    leave(CAPACITY);
    assert_gate_is_zero();
}

static void an_heir_that_was_not_watched_gets_no_reservation(void **unused)
{
    (void)unused;
    uint32_t place = place_beside(CARL);
    place_beside(CARL);
    place_beside(DORA);
    assert_wakes(0, 0, 0);
    /* Carl wants more than there is room for. Bert is not his obstacle, so he watches nothing. */
    hf__outcome wait = outcome_of(CARL, HF__BLOCKING, OVERTAKEN_ENOUGH | place, CAPACITY);
    assert_int_equal(next_in(wait), HF__WAIT_LINE);
    assert_int_equal(watched_in(wait), 0);
    assert_wakes(0, 0, 0);
}

static void a_watch_of_one_heir_does_not_count_for_the_next_heir(void **unused)
{
    (void)unused;
    uint32_t place = place_beside(CARL);
    withdraw(BERT, HF__BLOCKING, 0);
    step(DORA, HF__BLOCKING, OVERTAKEN_ENOUGH, CAPACITY);
    futex_spy_reset();
    assert_int_equal(step(CARL, HF__BLOCKING, OVERTAKEN_ENOUGH | place, 1), HF__WAIT_BESIDE);
    assert_wakes(0, 0, 0);
}

static void a_patient_waiter_watches_no_heir(void **unused)
{
    (void)unused;
    const uint32_t tokens[] = {0, ONCE_OVERTAKEN, TWICE_OVERTAKEN};
    for (size_t at = 0; at < sizeof tokens / sizeof *tokens; at += 1) {
        hf__outcome wait = outcome_of(CARL, HF__BLOCKING, tokens[at], 1);
        assert_int_equal(next_in(wait), HF__WAIT_LINE);
        assert_int_equal(watched_in(wait), tokens[at] == 0 ? 0 : HF__NAPS);
    }
}

static void an_event_loop_watches_and_reserves_too(void **unused)
{
    (void)unused;
    hf__outcome wait = outcome_of(CARL, HF__ASYNC, 0, 1);
    assert_int_equal(next_in(wait), HF__WAIT_BESIDE);
    wait = outcome_of(CARL, HF__ASYNC, watched_in(wait), 1);
    assert_wakes(0, 1, 0);
    assert_int_equal(step(CARL, HF__ASYNC, watched_in(wait), 1), HF__DONE);
}

static void a_try_watches_and_reserves_too(void **unused)
{
    (void)unused;
    uint32_t place = tried(CARL, 0) & HF_THREAD_MASK;
    assert_int_not_equal(place, 0);
    assert_int_equal(tried(CARL, 0) & HF_THREAD_MASK, place);
    assert_wakes(0, 0, 0);
    uint32_t call = tried(CARL, place) & HF_THREAD_MASK;
    assert_wakes(0, 1, 0);
    assert_int_not_equal(call, place);
    assert_int_equal(tried(CARL, place) & HF_THREAD_MASK, call);
    assert_int_equal(tried(CARL, call), HF_OK);
    assert_int_equal(hf__gate_used(&gate), 2);
}

static void a_try_for_which_there_is_no_room_watches_nothing(void **unused)
{
    (void)unused;
    assert_int_equal(hf__gate_try_after(&gate, CARL, 0, CAPACITY, gate_capacity), HF__WAIT_MORE);
}

static void an_unreserved_slot_is_watched_for_the_long_time(void **unused)
{
    (void)unused;
    uint32_t token = wait_once(CARL, HF__WAIT_MORE | OVERTAKEN_ENOUGH, HF_BESIDE_NS / 2, 1);
    assert_int_equal(futex_spy_timeout_ns(), HF_BESIDE_NS / 2);
    assert_int_equal(token & HF_THREAD_MASK, 0);
    token = wait_once(CARL, token, -1, 1);
    assert_int_equal(futex_spy_timeout_ns(), HF_BESIDE_NS);
    assert_int_not_equal(token & HF_THREAD_MASK, 0);
    token = wait_once(CARL, token, -1, 1);
    assert_int_equal(futex_spy_timeout_ns(), HF_POLLED_RESERVATION_NS);
    assert_int_equal(wait_once(CARL, token, -1, 1), HF_OK);
}

static void a_blocking_thread_reserves_at_once_for_its_own_event_loop(void **unused)
{
    (void)unused;
    withdraw(BERT, HF__BLOCKING, 0);
    step(CARL, HF__ASYNC, 0, CAPACITY);
    futex_spy_reset();
    hf__outcome wait = outcome_of(CARL, HF__BLOCKING, 0, 1);
    assert_wakes(0, 1, 0);
    assert_int_equal(next_in(wait), HF__WAIT_LINE);
    assert_false(polls_in(wait));
    assert_int_equal(step(CARL, HF__BLOCKING, watched_in(wait), 1), HF__DONE);
}

static void a_reader_overtakes_a_dead_writer(void **unused)
{
    gate_afresh(unused);
    gate_capacity = HF__GATE_MOST;
    gate_opens_at = 0;
    pass(ANNA, 1);
    step(BERT, HF__ASYNC, 0, HF__GATE_MOST);
    futex_spy_reset();
    hf__outcome wait = outcome_of(CARL, HF__BLOCKING, OVERTAKEN_ENOUGH | place_beside(CARL), 1);
    assert_wakes(0, 1, 0);
    assert_int_equal(step(CARL, HF__BLOCKING, OVERTAKEN_ENOUGH | watched_in(wait), 1), HF__DONE);
    assert_int_equal(hf__gate_used(&gate), 2);
}

#define TEST(function) cmocka_unit_test_setup(function, bert_wants_all)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(an_heir_that_was_watched_gets_a_reservation),
        TEST(a_living_heir_declines_the_reservation_and_keeps_its_slot),
        TEST(an_heir_that_was_not_watched_gets_no_reservation),
        TEST(a_watch_of_one_heir_does_not_count_for_the_next_heir),
        TEST(a_patient_waiter_watches_no_heir),
        TEST(an_event_loop_watches_and_reserves_too),
        TEST(a_try_watches_and_reserves_too),
        TEST(a_try_for_which_there_is_no_room_watches_nothing),
        TEST(an_unreserved_slot_is_watched_for_the_long_time),
        TEST(a_blocking_thread_reserves_at_once_for_its_own_event_loop),
        TEST(a_reader_overtakes_a_dead_writer),
    };
    watchdog_start((const uint32_t *)&gate, sizeof gate / sizeof(uint32_t));
    int failed = cmocka_run_group_tests_name("gate beside", tests, NULL, NULL);
    watchdog_stop();
    return failed;
}
