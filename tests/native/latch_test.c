/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* A latch as one thread sees it. */
#include <stdbool.h>

#include "latch.h"

#include "cmocka_with_headers.h"
#include "futex_spy.h"
#include "watchdog.h"

static hf_latch latch;

static int start_with_3(void **unused)
{
    (void)unused;
    latch = (hf_latch){0};
    hf_latch_init(&latch, 3);
    futex_spy_reset();
    return 0;
}

static bool is_open(void)
{
    return hf__latch_step(&latch) == HF__DONE;
}

static void assert_zero(void)
{
    assert_int_equal(latch.word, 0);
    assert_int_equal(latch.reserved, 0);
}

static void zeroed_memory_is_an_open_latch(void **unused)
{
    (void)unused;
    latch = (hf_latch){0};
    assert_int_equal(hf_latch_count(&latch), 0);
    assert_true(is_open());
    hf_latch_wait(&latch);
    assert_int_equal(hf_latch_wait_until(&latch, 0), HF_OK);
    assert_int_equal(futex_spy_waits(), 0);
    assert_zero();
}

static void a_latch_opens_when_its_count_reaches_0(void **unused)
{
    (void)unused;
    assert_int_equal(hf_latch_count(&latch), 3);
    assert_int_equal(hf_latch_wait_until(&latch, 0), HF_TIMEOUT);
    assert_int_equal(hf_latch_count_down(&latch, 1), HF_OK);
    assert_int_equal(hf_latch_count(&latch), 2);
    assert_int_equal(hf_latch_count_down(&latch, 2), HF_OK);
    assert_int_equal(hf_latch_count(&latch), 0);
    hf_latch_wait(&latch);
    assert_int_equal(hf_latch_wait_until(&latch, 0), HF_OK);
    assert_zero();
}

static void without_waiters_a_latch_makes_no_wake(void **unused)
{
    (void)unused;
    hf_latch_count_down(&latch, 1);
    hf_latch_count_down(&latch, 2);
    assert_int_equal(futex_spy_wakes(NULL), 0);
    assert_zero();
}

static void a_countdown_by_0_or_more_than_the_count_is_refused_and_changes_nothing(void **unused)
{
    (void)unused;
    const uint32_t impossible[] = {0, 4, HF_LATCH_MOST, HF_LATCH_MOST + 1, UINT32_MAX};
    is_open(); /* the word now says that a thread may wait */
    for (size_t at = 0; at < sizeof impossible / sizeof *impossible; at += 1) {
        assert_int_equal(hf_latch_count_down(&latch, impossible[at]), HF_OVERFLOW);
        assert_int_equal(hf_latch_count(&latch), 3);
    }
    assert_int_equal(hf_latch_count_down(&latch, 3), HF_OK);
    assert_int_equal(hf_latch_count_down(&latch, 1), HF_OVERFLOW);
    assert_int_equal(hf_latch_count_down(&latch, 0), HF_OVERFLOW);
    assert_zero();
}

static void the_largest_count_does_not_touch_the_waiters_flag(void **unused)
{
    (void)unused;
    hf_latch_init(&latch, HF_LATCH_MOST);
    assert_false(is_open());
    assert_int_equal(hf_latch_count(&latch), HF_LATCH_MOST);
    assert_int_equal(hf_latch_count_down(&latch, HF_LATCH_MOST - 1), HF_OK);
    assert_int_equal(hf_latch_count(&latch), 1);
    assert_false(is_open());
    assert_int_equal(hf_latch_count_down(&latch, 1), HF_OK);
    assert_true(is_open());
    assert_zero();
}

static void only_the_last_countdown_wakes_and_it_wakes_all(void **unused)
{
    (void)unused;
    hf__outcome wait = hf__latch_step(&latch);
    assert_int_equal((wait >> HF__OUTCOME_NEXT) & 3, HF__WAIT_TURN);
    assert_int_equal((uint32_t)wait, latch.word);
    assert_int_equal((uint32_t)hf__latch_step(&latch), latch.word);
    hf_latch_count_down(&latch, 2);
    assert_int_equal(futex_spy_wakes(NULL), 0);
    hf_latch_count_down(&latch, 1);
    assert_int_equal(futex_spy_wakes(&latch.word), 1);
    assert_int_equal(futex_spy_wake_count(&latch.word), HF__WAKE_ALL);
    assert_true(is_open());
    assert_zero();
}

static void count_the_rest_down(void)
{
    hf_latch_count_down(&latch, 2);
}

static void count_one_down_and_the_rest_at_the_next_wait(void)
{
    hf_latch_count_down(&latch, 1);
    futex_spy_at_next_wait(count_the_rest_down);
}

static void no_countdown_is_lost_between_the_check_and_the_sleep(void **unused)
{
    (void)unused;
    futex_spy_at_next_wait(count_one_down_and_the_rest_at_the_next_wait);
    hf_latch_wait(&latch);
    assert_int_equal(futex_spy_waits(), 2);
    assert_int_equal(futex_spy_timeout_ns(), HF__SLICE_NS); /* no limit shortens the slice */
    assert_zero();
}

static void a_wait_does_not_time_out_before_its_deadline(void **unused)
{
    (void)unused;
    int64_t deadline = hf_now_ns() + 5 * HF_MILLISECOND;
    assert_int_equal(hf_latch_wait_until(&latch, deadline), HF_TIMEOUT);
    assert_true(hf_now_ns() >= deadline);
    assert_int_equal(hf_latch_count(&latch), 3);
    hf_latch_count_down(&latch, 3);
    assert_int_equal(hf_latch_wait_until(&latch, deadline), HF_OK);
    assert_zero();
}

static void every_wait_is_rechecked_within_a_slice(void **unused)
{
    (void)unused;
    assert_int_equal(hf__latch_wait(&latch, 0, -1), HF__WAIT_MORE | 1);
    assert_int_equal(futex_spy_timeout_ns(), HF__SLICE_NS);
    assert_ptr_equal(futex_spy_waited_on(), &latch.word);
    assert_int_equal(hf__latch_wait(&latch, 0, HF_MICROSECOND), HF__WAIT_MORE);
    assert_int_equal(futex_spy_timeout_ns(), HF_MICROSECOND);
}

static void open_latch(void)
{
    hf_latch_count_down(&latch, hf_latch_count(&latch));
}

/* All waits except a gate's share these slices (waiting.h). */
static void slices_of_a_long_wait_double_up_to_a_second(void **unused)
{
    int64_t slice_ns = HF__SLICE_NS;
    for (uint32_t slices = 0; slices <= HF__SLICES_MOST; slices += 1) {
        start_with_3(unused);
        futex_spy_at_next_wait(open_latch);
        assert_int_equal(hf__latch_wait(&latch, slices == 0 ? 0 : HF__WAIT_MORE | slices, -1), HF__WAIT_MORE);
        assert_int_equal(futex_spy_timeout_ns(), slice_ns);
        slice_ns = 2 * slice_ns < HF__LONGEST_SLICE_NS ? 2 * slice_ns : HF__LONGEST_SLICE_NS;
    }
    assert_int_equal(slice_ns, HF__LONGEST_SLICE_NS);
    start_with_3(unused);
    assert_int_equal(hf__latch_wait(&latch, HF__WAIT_MORE | 1, -1), HF__WAIT_MORE | 2);
    assert_int_equal(hf__one_slice_more(HF__SLICES_MOST), HF__SLICES_MOST);
}

static void the_longest_slice_grows_with_the_number_of_threads_that_sleep(void **unused)
{
    (void)unused;
    assert_int_equal(hf__slice_ns(HF__SLICES_MOST), HF__LONGEST_SLICE_NS);
    assert_int_equal(hf__longest_slice_ns(0), HF__LONGEST_SLICE_NS);
    assert_int_equal(hf__longest_slice_ns(500), HF__LONGEST_SLICE_NS);
    assert_int_equal(hf__longest_slice_ns(2000), 4 * HF__LONGEST_SLICE_NS);
    assert_int_equal(hf__longest_slice_ns(UINT32_MAX), UINT32_MAX * HF__WAKE_OF_EACH_NS);
}

static void a_sleeping_thread_wakes_rarely_by_itself(void **unused)
{
    (void)unused;
    assert_int_equal(hf_latch_wait_until(&latch, hf_now_ns() + 40 * HF__SLICE_NS), HF_TIMEOUT);
    assert_in_range(futex_spy_waits(), 1, 8); /* 20, 40, 80, ... ms; some for a signal */
}

#define TEST(function) cmocka_unit_test_setup(function, start_with_3)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(zeroed_memory_is_an_open_latch),
        TEST(a_latch_opens_when_its_count_reaches_0),
        TEST(without_waiters_a_latch_makes_no_wake),
        TEST(a_countdown_by_0_or_more_than_the_count_is_refused_and_changes_nothing),
        TEST(the_largest_count_does_not_touch_the_waiters_flag),
        TEST(only_the_last_countdown_wakes_and_it_wakes_all),
        TEST(no_countdown_is_lost_between_the_check_and_the_sleep),
        TEST(a_wait_does_not_time_out_before_its_deadline),
        TEST(every_wait_is_rechecked_within_a_slice),
        TEST(slices_of_a_long_wait_double_up_to_a_second),
        TEST(the_longest_slice_grows_with_the_number_of_threads_that_sleep),
        TEST(a_sleeping_thread_wakes_rarely_by_itself),
    };
    watchdog_start((const uint32_t *)&latch, sizeof latch / sizeof(uint32_t));
    int failed = cmocka_run_group_tests_name("latch", tests, NULL, NULL);
    watchdog_stop();
    return failed;
}
