/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* An event as one thread sees it, of both kinds. Other waiters are tokens and identities. */
#include <stdbool.h>

#include "event.h"
#include "gate_word.h"

#include "cmocka_with_headers.h"
#include "futex_spy.h"
#include "watchdog.h"

enum { ANNA = 1, BERT = 2 };

#define PLACE ((uint32_t)OUT_OF_PATIENCE << HF__TOKEN_STAGE)
#define NEVER_SET UINT64_C(1) /* an automatic event whose permit is taken */

/* These bits of a manual event's word count its sets. */
#define EPOCHS ((UINT32_MAX >> 1) - 3)

static hf_event event;

static int start_afresh(void **unused)
{
    (void)unused;
    event = (hf_event){0};
    futex_spy_reset();
    return 0;
}

static int start_afresh_with_one_that_resets_by_itself(void **unused)
{
    start_afresh(unused);
    hf_event_init(&event, true);
    return 0;
}

static bool is_let_through(uint32_t token)
{
    return hf__event_step(&event, token) == HF__DONE;
}

static bool passes(uint32_t self, hf__token token)
{
    return hf__gate_step(&event.gate, self, HF__BLOCKING, token, HF__EVENT_CAPACITY, HF__EVENT_CAPACITY) ==
           HF__DONE;
}

static void set_event(void)
{
    hf_event_set(&event);
}

static void set_and_reset_event(void)
{
    hf_event_set(&event);
    hf_event_reset(&event);
}

/* ---- One that stays set until it is reset. ---- */

static void zeroed_memory_is_a_manual_event_that_is_not_set(void **unused)
{
    (void)unused;
    hf_event made;
    hf_event_init(&made, false);
    assert_int_equal(made.gate.word, 0);
    assert_int_equal(made.gate.own, 0);
    assert_false(hf__event_resets_itself(&event));
    assert_false(hf_event_is_set(&event));
    assert_int_equal(hf_event_wait_until(&event, 0), HF_TIMEOUT);
}

static void a_manual_event_stays_set_until_it_is_reset(void **unused)
{
    (void)unused;
    hf_event_set(&event);
    assert_true(hf_event_is_set(&event));
    hf_event_wait(&event);
    hf_event_wait(&event);
    assert_int_equal(hf_event_wait_until(&event, 0), HF_OK);
    assert_true(hf_event_is_set(&event));
    hf_event_reset(&event);
    assert_false(hf_event_is_set(&event));
    assert_int_equal(hf_event_wait_until(&event, 0), HF_TIMEOUT);
    assert_int_equal(futex_spy_waits(), 0);
    assert_int_equal(event.gate.word, 0);
}

static void a_repeated_set_or_reset_changes_nothing(void **unused)
{
    (void)unused;
    hf_event_set(&event);
    hf_event_set(&event);
    assert_true(hf_event_is_set(&event));
    hf_event_reset(&event);
    uint32_t reset = event.gate.own;
    hf_event_reset(&event);
    assert_int_equal(event.gate.own, reset);
    assert_int_equal(futex_spy_wakes(NULL), 0);
}

static void a_set_of_a_set_event_releases_a_wait_that_has_begun(void **unused)
{
    (void)unused;
    hf_event_set(&event);
    uint32_t token = hf__event_begin(&event);
    hf_event_set(&event);
    hf_event_reset(&event);
    assert_int_equal(hf__event_step(&event, token), HF__DONE);
}

static void set_wakes_all_if_the_waiters_flag_is_set(void **unused)
{
    (void)unused;
    uint32_t token = hf__event_begin(&event);
    hf__outcome wait = hf__event_step(&event, token);
    assert_int_equal((wait >> HF__OUTCOME_NEXT) & 3, HF__WAIT_TURN);
    assert_int_equal((uint32_t)wait, event.gate.own);
    assert_int_equal((uint32_t)hf__event_step(&event, token), event.gate.own);
    hf_event_set(&event);
    assert_int_not_equal((uint32_t)wait, event.gate.own);
    assert_int_equal(futex_spy_wakes(&event.gate.own), 1);
    assert_int_equal(futex_spy_wake_count(&event.gate.own), HF__WAKE_ALL);

    hf_event_reset(&event);
    hf_event_set(&event);
    assert_int_equal(futex_spy_wakes(NULL), 1);
}

static void reset_right_after_set_does_not_delay_current_waiters(void **unused)
{
    (void)unused;
    uint32_t anna = hf__event_begin(&event);
    uint32_t bert = hf__event_begin(&event);
    assert_false(is_let_through(anna));
    set_and_reset_event();
    uint32_t carl = hf__event_begin(&event);
    assert_true(is_let_through(anna));
    assert_true(is_let_through(bert));
    assert_false(is_let_through(carl));
}

static void no_set_is_lost_between_the_check_and_the_sleep(void **unused)
{
    (void)unused;
    futex_spy_at_next_wait(set_and_reset_event);
    hf_event_wait(&event);
    assert_int_equal(futex_spy_waits(), 1);
    assert_false(hf_event_is_set(&event));
}

static void the_epoch_wraps_and_touches_nothing_beside_it(void **unused)
{
    (void)unused;
    event.gate.own = EPOCHS;
    uint32_t token = hf__event_begin(&event);
    assert_false(is_let_through(token));
    set_and_reset_event();
    assert_int_equal(event.gate.own, 0);
    assert_true(is_let_through(token));
    assert_false(is_let_through(hf__event_begin(&event)));
}

static void a_wait_does_not_time_out_before_its_deadline(void **unused)
{
    (void)unused;
    int64_t deadline = hf_now_ns() + 5 * HF_MILLISECOND;
    assert_int_equal(hf_event_wait_until(&event, deadline), HF_TIMEOUT);
    assert_true(hf_now_ns() >= deadline);
    hf_event_set(&event);
    assert_int_equal(hf_event_wait_until(&event, deadline), HF_OK);
}

static void every_wait_is_rechecked_within_a_slice(void **unused)
{
    (void)unused;
    uint32_t token = hf__event_begin(&event);
    assert_int_equal(hf__event_wait(&event, token, 0, -1), HF__WAIT_MORE | 1);
    assert_int_equal(futex_spy_timeout_ns(), HF__SLICE_NS);
    assert_ptr_equal(futex_spy_waited_on(), &event.gate.own);
    assert_int_equal(hf__event_wait(&event, token, 0, HF_MICROSECOND), HF__WAIT_MORE);
    assert_int_equal(futex_spy_timeout_ns(), HF_MICROSECOND);
}

/* ---- One that resets by itself. ---- */

static void each_set_lets_one_through(void **unused)
{
    (void)unused;
    assert_true(hf__event_resets_itself(&event));
    assert_false(hf_event_is_set(&event));
    assert_int_equal(hf_event_wait_until(&event, 0), HF_TIMEOUT);
    hf_event_set(&event);
    assert_true(hf_event_is_set(&event));
    hf_event_wait(&event);
    assert_false(hf_event_is_set(&event));
    assert_int_equal(hf_event_wait_until(&event, 0), HF_TIMEOUT);
    assert_int_equal(event.gate.word, NEVER_SET);
    assert_int_equal(futex_spy_waits(), 0);
    assert_int_equal(futex_spy_wakes(NULL), 0);
}

static void two_sets_before_a_wait_count_as_one(void **unused)
{
    (void)unused;
    hf_event_set(&event);
    hf_event_set(&event);
    assert_int_equal(hf_event_wait_until(&event, 0), HF_OK);
    assert_int_equal(hf_event_wait_until(&event, 0), HF_TIMEOUT);
    assert_int_equal(event.gate.word, NEVER_SET);
}

static void reset_takes_the_set_back(void **unused)
{
    (void)unused;
    hf_event_reset(&event);
    assert_int_equal(event.gate.word, NEVER_SET);
    hf_event_set(&event);
    hf_event_reset(&event);
    assert_int_equal(event.gate.word, NEVER_SET);
    assert_int_equal(hf_event_wait_until(&event, 0), HF_TIMEOUT);
    assert_true(hf__event_resets_itself(&event));
}

static void set_wakes_one_sleeper(void **unused)
{
    (void)unused;
    assert_false(passes(ANNA, 0));
    assert_false(passes(BERT, 0));
    hf_event_set(&event);
    assert_int_equal(futex_spy_wakes(hf__low_half(&event.gate.word)), 1);
    assert_int_equal(futex_spy_wake_count(hf__low_half(&event.gate.word)), 1);
    hf_event_set(&event);
    assert_int_equal(futex_spy_wakes(NULL), 1);
    assert_true(passes(ANNA, 0));
    assert_false(passes(BERT, 0));
}

static void a_set_reserved_for_the_heir_goes_to_no_other_thread(void **unused)
{
    (void)unused;
    assert_false(passes(ANNA, PLACE));
    hf_event_set(&event);
    assert_int_equal(hf_event_wait_until(&event, 0), HF_TIMEOUT);
    assert_true(passes(ANNA, PLACE));
    assert_int_equal(hf__gate_used(&event.gate), NEVER_SET);
}

static void reset_withdraws_the_reservation_and_the_heir_stays(void **unused)
{
    (void)unused;
    assert_false(passes(ANNA, PLACE));
    uint64_t claimed = event.gate.word;
    hf_event_set(&event);
    hf_event_reset(&event);
    assert_false(hf_event_is_set(&event));
    assert_int_equal(event.gate.word, claimed);
    assert_false(passes(ANNA, PLACE));

    uint32_t wakes = futex_spy_wakes(hf__high_half(&event.gate.word));
    hf_event_set(&event);
    assert_int_equal(futex_spy_wakes(hf__high_half(&event.gate.word)), wakes + 1);
    assert_false(passes(BERT, 0));
    assert_true(passes(ANNA, PLACE));
}

static void reset_withdraws_a_reservation_for_the_thread_itself(void **unused)
{
    (void)unused;
    uint32_t self = hf_thread_id();
    assert_int_not_equal(
        hf__gate_step(&event.gate, self, HF__ASYNC, 0, HF__EVENT_CAPACITY, HF__EVENT_CAPACITY), HF__DONE);
    hf_event_set(&event);
    hf_event_reset(&event);
    assert_false(hf_event_is_set(&event));
    assert_int_equal(hf_event_wait_until(&event, 0), HF_TIMEOUT);
}

static void a_watcher_does_not_use_a_set_that_was_reset(void **unused)
{
    (void)unused;
    assert_false(passes(ANNA, PLACE));
    hf_event_set(&event);
    hf__outcome step =
        hf__gate_step(&event.gate, BERT, HF__BLOCKING, PLACE, HF__EVENT_CAPACITY, HF__EVENT_CAPACITY);
    uint32_t watched = (uint32_t)(step >> HF__OUTCOME_WATCHED);
    assert_int_not_equal(watched, 0);
    hf_event_reset(&event);
    assert_false(passes(BERT, PLACE | watched));
    hf_event_set(&event);
    assert_true(passes(BERT, PLACE | watched));
}

static void a_wait_for_an_auto_reset_event_ends_with_a_set(void **unused)
{
    (void)unused;
    futex_spy_at_next_wait(set_event);
    hf_event_wait(&event);
    assert_int_equal(futex_spy_waits(), 1);
    assert_int_equal(event.gate.word, NEVER_SET);
}

static void a_wait_for_an_auto_reset_event_times_out_not_before_its_deadline(void **unused)
{
    (void)unused;
    int64_t deadline = hf_now_ns() + 5 * HF_MILLISECOND;
    assert_int_equal(hf_event_wait_until(&event, deadline), HF_TIMEOUT);
    assert_true(hf_now_ns() >= deadline);
    hf_event_set(&event);
    assert_int_equal(hf_event_wait_until(&event, deadline), HF_OK);
    assert_int_equal(event.gate.word, NEVER_SET);
    assert_int_equal(event.gate.line, 0);
}

#define TEST(function) cmocka_unit_test_setup(function, start_afresh)
#define TEST_AUTO(function) cmocka_unit_test_setup(function, start_afresh_with_one_that_resets_by_itself)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(zeroed_memory_is_a_manual_event_that_is_not_set),
        TEST(a_manual_event_stays_set_until_it_is_reset),
        TEST(a_repeated_set_or_reset_changes_nothing),
        TEST(a_set_of_a_set_event_releases_a_wait_that_has_begun),
        TEST(set_wakes_all_if_the_waiters_flag_is_set),
        TEST(reset_right_after_set_does_not_delay_current_waiters),
        TEST(no_set_is_lost_between_the_check_and_the_sleep),
        TEST(the_epoch_wraps_and_touches_nothing_beside_it),
        TEST(a_wait_does_not_time_out_before_its_deadline),
        TEST(every_wait_is_rechecked_within_a_slice),
        TEST_AUTO(each_set_lets_one_through),
        TEST_AUTO(two_sets_before_a_wait_count_as_one),
        TEST_AUTO(reset_takes_the_set_back),
        TEST_AUTO(set_wakes_one_sleeper),
        TEST_AUTO(a_set_reserved_for_the_heir_goes_to_no_other_thread),
        TEST_AUTO(reset_withdraws_the_reservation_and_the_heir_stays),
        TEST_AUTO(reset_withdraws_a_reservation_for_the_thread_itself),
        TEST_AUTO(a_watcher_does_not_use_a_set_that_was_reset),
        TEST_AUTO(a_wait_for_an_auto_reset_event_ends_with_a_set),
        TEST_AUTO(a_wait_for_an_auto_reset_event_times_out_not_before_its_deadline),
    };
    watchdog_start((const uint32_t *)&event, sizeof event / sizeof(uint32_t));
    int failed = cmocka_run_group_tests_name("event", tests, NULL, NULL);
    watchdog_stop();
    return failed;
}
