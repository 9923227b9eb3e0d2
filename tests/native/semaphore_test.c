/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* A semaphore as one thread sees it; the algorithm is the gate's (models/specification). */
#include "gate.h"
#include "gate_word.h"
#include "holdfast/semaphore.h"

#include "cmocka_with_headers.h"
#include "futex_spy.h"
#include "watchdog.h"

enum { ANNA = 1, SEATS = 5 };

#define PLACE ((uint32_t)OUT_OF_PATIENCE << HF__TOKEN_STAGE)

static hf_semaphore semaphore;

static int start_afresh(void **unused)
{
    (void)unused;
    semaphore = (hf_semaphore){0};
    futex_spy_reset();
    return 0;
}

static int start_with_seats(void **unused)
{
    start_afresh(unused);
    hf_semaphore_init(&semaphore, SEATS, SEATS);
    return 0;
}

static void assert_all_are_free(void)
{
    assert_int_equal(semaphore.gate.word, 0);
    assert_int_equal(semaphore.gate.line, 0);
    assert_int_equal(hf_semaphore_value(&semaphore), hf_semaphore_max(&semaphore));
}

/* Another thread waits, as the heir. */
static hf__outcome step_anna(uint32_t permits)
{
    return hf__gate_step(&semaphore.gate, ANNA, HF__BLOCKING, PLACE, permits, hf_semaphore_max(&semaphore));
}

static void zero_is_a_binary_semaphore_that_is_free(void **unused)
{
    (void)unused;
    assert_int_equal(hf_semaphore_max(&semaphore), 1);
    assert_int_equal(hf_semaphore_value(&semaphore), 1);
    assert_int_equal(hf_semaphore_enter(&semaphore, 1), HF_OK);
    assert_int_equal(hf_semaphore_value(&semaphore), 0);
    assert_int_equal(hf_semaphore_tryenter(&semaphore, 1), HF_BUSY);
    assert_int_equal(hf_semaphore_leave(&semaphore, 1), HF_OK);
    assert_all_are_free();
}

static void init_sets_the_free_permits_and_the_maximum(void **unused)
{
    (void)unused;
    const uint32_t numbers[][2] = {{0, 1},
                                   {1, 1},
                                   {0, SEATS},
                                   {2, SEATS},
                                   {0, HF_SEMAPHORE_MOST},
                                   {1, HF_SEMAPHORE_MOST},
                                   {HF_SEMAPHORE_MOST, HF_SEMAPHORE_MOST}};
    for (size_t at = 0; at < sizeof numbers / sizeof *numbers; at += 1) {
        hf_semaphore_init(&semaphore, numbers[at][0], numbers[at][1]);
        assert_int_equal(hf_semaphore_value(&semaphore), numbers[at][0]);
        assert_int_equal(hf_semaphore_max(&semaphore), numbers[at][1]);
    }
}

static void without_contention_no_call_waits_or_wakes(void **unused)
{
    (void)unused;
    for (int round = 0; round < 1000; round += 1) {
        assert_int_equal(hf_semaphore_enter(&semaphore, 2), HF_OK);
        assert_int_equal(hf_semaphore_tryenter(&semaphore, 1), HF_OK);
        assert_int_equal(hf_semaphore_enter_until(&semaphore, 2, 0), HF_OK);
        assert_int_equal(hf_semaphore_leave(&semaphore, SEATS), HF_OK);
    }
    assert_int_equal(futex_spy_waits(), 0);
    assert_int_equal(futex_spy_wakes(NULL), 0);
    assert_all_are_free();
}

static void permits_are_counted(void **unused)
{
    (void)unused;
    assert_int_equal(hf_semaphore_enter(&semaphore, 3), HF_OK);
    assert_int_equal(hf_semaphore_value(&semaphore), 2);
    assert_int_equal(hf_semaphore_tryenter(&semaphore, 3), HF_BUSY);
    assert_int_equal(hf_semaphore_tryenter(&semaphore, 2), HF_OK);
    assert_int_equal(hf_semaphore_value(&semaphore), 0);
    assert_int_equal(hf_semaphore_tryenter(&semaphore, 1), HF_BUSY);
    assert_int_equal(hf_semaphore_leave(&semaphore, 4), HF_OK);
    assert_int_equal(hf_semaphore_leave(&semaphore, 1), HF_OK);
    assert_all_are_free();
}

static void taking_0_or_too_many_is_refused(void **unused)
{
    (void)unused;
    const uint32_t impossible[] = {0, SEATS + 1, HF_SEMAPHORE_MOST, HF_SEMAPHORE_MOST + 1, UINT32_MAX};
    for (size_t at = 0; at < sizeof impossible / sizeof *impossible; at += 1) {
        assert_int_equal(hf_semaphore_enter(&semaphore, impossible[at]), HF_OVERFLOW);
        assert_int_equal(hf_semaphore_tryenter(&semaphore, impossible[at]), HF_OVERFLOW);
        assert_int_equal(hf_semaphore_enter_until(&semaphore, impossible[at], HF_FOREVER), HF_OVERFLOW);
    }
    assert_all_are_free();
}

static void returning_0_or_more_than_the_maximum_is_refused(void **unused)
{
    (void)unused;
    assert_int_equal(hf_semaphore_leave(&semaphore, 1), HF_OVERFLOW);
    hf_semaphore_enter(&semaphore, 2);
    const uint32_t impossible[] = {0, 3, HF_SEMAPHORE_MOST, HF_SEMAPHORE_MOST + 1, UINT32_MAX};
    for (size_t at = 0; at < sizeof impossible / sizeof *impossible; at += 1) {
        assert_int_equal(hf_semaphore_leave(&semaphore, impossible[at]), HF_OVERFLOW);
    }
    assert_int_equal(hf_semaphore_value(&semaphore), 3);
    assert_int_equal(hf_semaphore_leave(&semaphore, 2), HF_OK);
    assert_all_are_free();
}

static void leave_adds_permits_up_to_the_maximum(void **unused)
{
    (void)unused;
    hf_semaphore_init(&semaphore, 0, SEATS);
    assert_int_equal(hf_semaphore_leave(&semaphore, 3), HF_OK);
    assert_int_equal(hf_semaphore_value(&semaphore), 3);
    assert_int_equal(hf_semaphore_leave(&semaphore, 3), HF_OVERFLOW);
    assert_int_equal(hf_semaphore_leave(&semaphore, 2), HF_OK);
    assert_all_are_free();
}

static void the_most_permits_can_be_taken_together_and_one_by_one(void **unused)
{
    (void)unused;
    hf_semaphore_init(&semaphore, HF_SEMAPHORE_MOST, HF_SEMAPHORE_MOST);
    assert_int_equal(hf_semaphore_enter(&semaphore, HF_SEMAPHORE_MOST - 1), HF_OK);
    assert_int_equal(hf_semaphore_tryenter(&semaphore, 2), HF_BUSY);
    assert_int_equal(hf_semaphore_enter(&semaphore, 1), HF_OK);
    assert_int_equal(hf_semaphore_value(&semaphore), 0);
    assert_int_equal(hf_semaphore_tryenter(&semaphore, HF_SEMAPHORE_MOST), HF_BUSY);
    assert_int_equal(hf_semaphore_leave(&semaphore, HF_SEMAPHORE_MOST), HF_OK);
    assert_int_equal(hf_semaphore_enter(&semaphore, HF_SEMAPHORE_MOST), HF_OK);
    assert_int_equal(hf_semaphore_leave(&semaphore, HF_SEMAPHORE_MOST), HF_OK);
    assert_all_are_free();
}

static void leave_one(void)
{
    hf_semaphore_leave(&semaphore, 1);
}

static void leave_one_and_one_more_at_the_next_wait(void)
{
    leave_one();
    futex_spy_at_next_wait(leave_one);
}

static void enter_waits_until_enough_permits_are_free(void **unused)
{
    (void)unused;
    hf_semaphore_enter(&semaphore, 4);
    futex_spy_at_next_wait(leave_one_and_one_more_at_the_next_wait);
    assert_int_equal(hf_semaphore_enter(&semaphore, 3), HF_OK);
    assert_int_equal(futex_spy_waits(), 2);
    assert_int_equal(hf_semaphore_value(&semaphore), 0);
    assert_int_equal(hf_semaphore_leave(&semaphore, SEATS), HF_OK);
    assert_all_are_free();
}

static void each_leave_wakes_one_waiter_even_if_others_stay(void **unused)
{
    (void)unused;
    hf_semaphore_enter(&semaphore, SEATS);
    hf__gate_step(&semaphore.gate, ANNA, HF__BLOCKING, 0, 1, SEATS);
    assert_int_equal(hf_semaphore_leave(&semaphore, 1), HF_OK);
    assert_int_equal(futex_spy_wakes(hf__low_half(&semaphore.gate.word)), 1);
    assert_int_equal(hf_semaphore_leave(&semaphore, 1), HF_OK);
    assert_int_equal(futex_spy_wakes(NULL), 1);
    hf_semaphore_leave(&semaphore, SEATS - 2);
    assert_all_are_free();
}

static void a_permit_may_be_given_back_by_another_thread(void **unused)
{
    (void)unused;
    assert_int_equal(step_anna(2), HF__DONE);
    assert_int_equal(hf_semaphore_leave(&semaphore, 2), HF_OK);
    assert_all_are_free();
}

static void reserved_permits_count_as_free_but_cannot_be_entered(void **unused)
{
    (void)unused;
    hf_semaphore_enter(&semaphore, SEATS);
    step_anna(3);
    hf_semaphore_leave(&semaphore, 2);
    assert_int_equal(hf_semaphore_value(&semaphore), 2);
    assert_int_equal(hf_semaphore_tryenter(&semaphore, 1), HF_BUSY);
    assert_int_not_equal(step_anna(3), HF__DONE);
    hf_semaphore_leave(&semaphore, 1);
    assert_int_equal(hf_semaphore_tryenter(&semaphore, 1), HF_BUSY);
    assert_int_equal(step_anna(3), HF__DONE);
    hf_semaphore_leave(&semaphore, SEATS);
    assert_all_are_free();
}

static void enter_until_a_past_deadline_takes_free_permits_or_leaves_at_once(void **unused)
{
    (void)unused;
    int64_t past = hf_now_ns() - 1;
    assert_int_equal(hf_semaphore_enter_until(&semaphore, 3, past), HF_OK);
    assert_int_equal(hf_semaphore_enter_until(&semaphore, 3, past), HF_TIMEOUT);
    assert_int_equal(hf_semaphore_enter_until(&semaphore, 3, INT64_MIN / 2), HF_TIMEOUT);
    assert_int_equal(futex_spy_waits(), 0);
    assert_int_equal(hf_semaphore_value(&semaphore), 2);
    hf_semaphore_leave(&semaphore, 3);
    assert_all_are_free();
}

static void enter_until_does_not_time_out_before_its_deadline_and_takes_nothing(void **unused)
{
    (void)unused;
    hf_semaphore_enter(&semaphore, 3);
    int64_t deadline = hf_now_ns() + 5 * HF_MILLISECOND;
    assert_int_equal(hf_semaphore_enter_until(&semaphore, 3, deadline), HF_TIMEOUT);
    assert_true(hf_now_ns() >= deadline);
    assert_int_equal(hf_semaphore_value(&semaphore), 2);
    assert_int_equal(hf_semaphore_tryenter(&semaphore, 2),
                     HF_OK); /* the thread that gave up has left no reservation */
    hf_semaphore_leave(&semaphore, SEATS);
    assert_all_are_free();
}

#define TEST(function) cmocka_unit_test_setup(function, start_with_seats)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(zero_is_a_binary_semaphore_that_is_free, start_afresh),
        TEST(init_sets_the_free_permits_and_the_maximum),
        TEST(without_contention_no_call_waits_or_wakes),
        TEST(permits_are_counted),
        TEST(taking_0_or_too_many_is_refused),
        TEST(returning_0_or_more_than_the_maximum_is_refused),
        TEST(leave_adds_permits_up_to_the_maximum),
        TEST(the_most_permits_can_be_taken_together_and_one_by_one),
        TEST(enter_waits_until_enough_permits_are_free),
        TEST(each_leave_wakes_one_waiter_even_if_others_stay),
        TEST(a_permit_may_be_given_back_by_another_thread),
        TEST(reserved_permits_count_as_free_but_cannot_be_entered),
        TEST(enter_until_a_past_deadline_takes_free_permits_or_leaves_at_once),
        TEST(enter_until_does_not_time_out_before_its_deadline_and_takes_nothing),
    };
    watchdog_start((const uint32_t *)&semaphore, sizeof semaphore / sizeof(uint32_t));
    int failed = cmocka_run_group_tests_name("semaphore", tests, NULL, NULL);
    watchdog_stop();
    return failed;
}
