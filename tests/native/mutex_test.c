/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* What one thread can see of a mutex. Identities are passed in, so one thread plays all the parts, and
 * every interleaving here is the one that is written down. */
#include "mutex_step.h"

#include "cmocka_with_headers.h"
#include "futex_spy.h"

enum { ANNA = 1, BERT = 2, CARL = 3, DORA = 4 };

#define ONCE_OVERTAKEN (UINT32_C(1) << HF__TOKEN_OVERTAKEN)

static hf_mutex mutex;

static uint32_t *state(void)
{
    return (uint32_t *)&mutex.word;
}

static uint32_t *turn(void)
{
    return (uint32_t *)&mutex.word + 1;
}

static int start_afresh(void **unused)
{
    (void)unused;
    mutex = (hf_mutex){0};
    futex_spy_reset();
    return 0;
}

static hf__mutex_next next_of(hf__mutex_outcome outcome)
{
    return (hf__mutex_next)((outcome >> HF__OUTCOME_NEXT) & 3);
}

static uint32_t watched_of(hf__mutex_outcome outcome)
{
    return (uint32_t)(outcome >> HF__OUTCOME_WATCHED);
}

static hf__mutex_next step(uint32_t self, hf__mutex_kind kind, hf__mutex_token token)
{
    return next_of(hf__mutex_step(&mutex, self, kind, token));
}

static void assert_zero(void)
{
    assert_int_equal(mutex.word, 0);
    assert_int_equal(mutex.line, 0);
    assert_int_equal(mutex.generation, 0);
}

static void lock_writes_the_owner_and_unlock_zero(void **unused)
{
    (void)unused;
    assert_int_equal(hf_mutex_lock(&mutex), HF_OK);
    assert_int_equal(mutex.word, hf_thread_id());
    assert_true(hf_mutex_is_mine(&mutex));
    assert_int_equal(hf_mutex_unlock(&mutex), HF_OK);
    assert_false(hf_mutex_is_mine(&mutex));
    assert_zero();
}

static void lock_and_unlock_without_contention_never_wait_and_never_wake(void **unused)
{
    (void)unused;
    for (int round = 0; round < 1000; round += 1) {
        assert_int_equal(hf_mutex_lock(&mutex), HF_OK);
        assert_int_equal(hf_mutex_unlock(&mutex), HF_OK);
        assert_int_equal(hf_mutex_trylock(&mutex), HF_OK);
        assert_int_equal(hf_mutex_unlock(&mutex), HF_OK);
        assert_int_equal(hf_mutex_lock_until(&mutex, 0), HF_OK);
        assert_int_equal(hf_mutex_unlock(&mutex), HF_OK);
    }
    assert_int_equal(futex_spy_waits(), 0);
    assert_int_equal(futex_spy_wakes(NULL), 0);
    assert_zero();
}

static void unlock_by_another_is_refused_and_changes_nothing(void **unused)
{
    (void)unused;
    assert_int_equal(hf__mutex_unlock(&mutex, ANNA), HF_NOT_OWNER);
    assert_zero();
    assert_int_equal(hf__mutex_lock(&mutex, ANNA), HF_OK);
    assert_int_equal(hf__mutex_unlock(&mutex, BERT), HF_NOT_OWNER);
    assert_int_equal(mutex.word, ANNA);
}

static void unlock_of_a_lock_that_is_only_reserved_is_refused(void **unused)
{
    (void)unused;
    hf__mutex_lock(&mutex, ANNA);
    step(BERT, HF__ASYNC, 0);
    hf__mutex_unlock(&mutex, ANNA);
    uint64_t before = mutex.word;
    assert_int_equal(hf__mutex_unlock(&mutex, BERT), HF_NOT_OWNER);
    assert_false(hf__mutex_is_held_by(&mutex, BERT));
    assert_int_equal(mutex.word, before);
}

static void lock_by_the_owner_is_a_deadlock(void **unused)
{
    (void)unused;
    hf_mutex_lock(&mutex);
    assert_int_equal(hf_mutex_lock(&mutex), HF_DEADLOCK);
    assert_int_equal(hf_mutex_lock_until(&mutex, 0), HF_DEADLOCK);
    assert_int_equal(hf_mutex_lock_until(&mutex, hf_now_ns() + HF_MILLISECOND), HF_DEADLOCK);
    assert_int_equal(hf_mutex_trylock(&mutex), HF_BUSY);
    assert_true(hf_mutex_is_mine(&mutex));
    assert_int_equal(futex_spy_waits(), 0);
    assert_int_equal(hf_mutex_unlock(&mutex), HF_OK);
    assert_zero();
}

static void trylock_of_a_held_lock_is_busy(void **unused)
{
    (void)unused;
    hf__mutex_lock(&mutex, ANNA);
    assert_int_equal(hf__mutex_trylock(&mutex, BERT), HF_BUSY);
    assert_int_equal(mutex.word, ANNA);
    assert_int_equal(futex_spy_waits(), 0);
}

static void lock_until_a_past_deadline_takes_a_free_lock_or_leaves_at_once(void **unused)
{
    (void)unused;
    int64_t past = hf_now_ns() - 1;
    hf__mutex_lock(&mutex, ANNA);
    assert_int_equal(hf_mutex_lock_until(&mutex, past), HF_TIMEOUT);
    assert_int_equal(hf_mutex_lock_until(&mutex, INT64_MIN / 2), HF_TIMEOUT);
    assert_int_equal(futex_spy_waits(), 0);
    hf__mutex_unlock(&mutex, ANNA);
    assert_zero();
    assert_int_equal(hf_mutex_lock_until(&mutex, past), HF_OK);
}

static void lock_until_times_out_not_before_its_deadline(void **unused)
{
    (void)unused;
    hf__mutex_lock(&mutex, ANNA);
    int64_t deadline = hf_now_ns() + 5 * HF_MILLISECOND;
    assert_int_equal(hf_mutex_lock_until(&mutex, deadline), HF_TIMEOUT);
    assert_true(hf_now_ns() >= deadline);
    assert_true(hf__mutex_is_held_by(&mutex, ANNA));
    assert_int_equal(hf__mutex_unlock(&mutex, ANNA), HF_OK);
    assert_zero();
}

static void release_reserves_the_lock_for_the_successor(void **unused)
{
    (void)unused;
    hf__mutex_lock(&mutex, ANNA);
    hf__mutex_outcome wait = hf__mutex_step(&mutex, BERT, HF__ASYNC, 0);
    assert_int_equal(next_of(wait), HF__MUTEX_WAIT_TURN);
    assert_int_equal((uint32_t)wait, *turn());
    assert_int_equal(watched_of(wait), 0);

    hf__mutex_unlock(&mutex, ANNA);
    assert_int_not_equal((uint32_t)wait, *turn());
    assert_int_equal(futex_spy_wakes(turn()), 1);
    assert_int_equal(hf__mutex_trylock(&mutex, CARL), HF_BUSY);

    assert_int_equal(step(BERT, HF__ASYNC, 0), HF__MUTEX_TAKEN);
    assert_true(hf__mutex_is_held_by(&mutex, BERT));
    hf__mutex_unlock(&mutex, BERT);
    assert_zero();
}

static void trylock_takes_up_the_callers_own_reservation(void **unused)
{
    (void)unused;
    hf__mutex_lock(&mutex, ANNA);
    step(BERT, HF__ASYNC, 0);
    hf__mutex_unlock(&mutex, ANNA);
    assert_int_equal(hf__mutex_trylock(&mutex, BERT), HF_OK);
    hf__mutex_unlock(&mutex, BERT);
    assert_zero();
}

static void a_thread_overtaken_often_enough_becomes_the_successor(void **unused)
{
    (void)unused;
    hf__mutex_lock(&mutex, ANNA);
    assert_int_equal(step(BERT, HF__BLOCKING, 0), HF__MUTEX_WAIT_QUEUE);
    hf__mutex_token enough = (hf__mutex_token)HF__TOKEN_OVERTAKEN_MAX << HF__TOKEN_OVERTAKEN;
    assert_int_equal(step(BERT, HF__BLOCKING, enough), HF__MUTEX_WAIT_TURN);
    hf__mutex_unlock(&mutex, ANNA);
    assert_int_equal(hf__mutex_trylock(&mutex, CARL), HF_BUSY);
    assert_int_equal(step(BERT, HF__BLOCKING, enough), HF__MUTEX_TAKEN);
}

static void a_reservation_that_outlasts_its_time_is_taken_away(void **unused)
{
    (void)unused;
    hf__mutex_lock(&mutex, ANNA);
    step(BERT, HF__ASYNC, 0);
    hf__mutex_unlock(&mutex, ANNA);

    hf__mutex_outcome wait = hf__mutex_step(&mutex, CARL, HF__ASYNC, 0);
    assert_int_equal(next_of(wait), HF__MUTEX_WAIT_TURN);
    assert_int_equal(watched_of(wait), BERT);
    assert_int_equal(step(CARL, HF__ASYNC, BERT), HF__MUTEX_TAKEN);

    /* The one that came too late waits again, and is served next. */
    assert_int_equal(step(BERT, HF__ASYNC, 0), HF__MUTEX_WAIT_TURN);
    hf__mutex_unlock(&mutex, CARL);
    assert_int_equal(step(BERT, HF__ASYNC, 0), HF__MUTEX_TAKEN);
    hf__mutex_unlock(&mutex, BERT);
    assert_zero();
}

static void a_held_lock_is_never_taken_away(void **unused)
{
    (void)unused;
    hf__mutex_lock(&mutex, ANNA);
    assert_int_not_equal(step(BERT, HF__ASYNC, ANNA), HF__MUTEX_TAKEN);
    assert_int_not_equal(step(CARL, HF__BLOCKING, ANNA), HF__MUTEX_TAKEN);
    assert_true(hf__mutex_is_held_by(&mutex, ANNA));
}

static void a_reservation_for_a_polling_successor_says_so(void **unused)
{
    (void)unused;
    hf__mutex_lock(&mutex, ANNA);
    step(BERT, HF__POLLING, 0);
    hf__mutex_unlock(&mutex, ANNA);
    hf__mutex_outcome wait = hf__mutex_step(&mutex, CARL, HF__BLOCKING, 0);
    assert_int_equal(watched_of(wait), BERT);
    assert_int_equal((wait >> HF__OUTCOME_POLLS) & 1, 1);
    assert_int_equal(step(BERT, HF__POLLING, 0), HF__MUTEX_TAKEN);
    wait = hf__mutex_step(&mutex, CARL, HF__BLOCKING, 0);
    assert_int_equal((wait >> HF__OUTCOME_POLLS) & 1, 0);
}

static void a_blocking_wait_takes_an_abandoned_reservation_away(void **unused)
{
    (void)unused;
    hf__mutex_lock(&mutex, ANNA);
    step(BERT, HF__ASYNC, 0);
    hf__mutex_unlock(&mutex, ANNA);
    int64_t begin = hf_now_ns();
    assert_int_equal(hf__mutex_lock(&mutex, CARL), HF_OK);
    assert_true(hf_now_ns() - begin >= HF_MUTEX_RESERVATION_NS);
    hf__mutex_unlock(&mutex, CARL);
}

static void unlock_wakes_one_sleeper_and_leaves_zero(void **unused)
{
    (void)unused;
    hf__mutex_lock(&mutex, ANNA);
    hf__mutex_outcome wait = hf__mutex_step(&mutex, BERT, HF__BLOCKING, 0);
    assert_int_equal(next_of(wait), HF__MUTEX_WAIT_QUEUE);
    assert_int_equal((uint32_t)wait, *state());
    hf__mutex_unlock(&mutex, ANNA);
    assert_int_equal(futex_spy_wakes(state()), 1);
    assert_int_equal(futex_spy_wakes(NULL), 1);
    assert_zero();
}

static void a_woken_sleeper_that_takes_the_lock_answers_for_the_others(void **unused)
{
    (void)unused;
    assert_int_equal(step(BERT, HF__BLOCKING, ONCE_OVERTAKEN), HF__MUTEX_TAKEN);
    hf__mutex_unlock(&mutex, BERT);
    assert_int_equal(futex_spy_wakes(state()), 1);
    assert_zero();
}

static void a_woken_sleeper_that_takes_the_lock_at_its_deadline_answers_too(void **unused)
{
    (void)unused;
    assert_int_equal(hf__mutex_give_up(&mutex, BERT, ONCE_OVERTAKEN), HF_OK);
    hf__mutex_unlock(&mutex, BERT);
    assert_int_equal(futex_spy_wakes(state()), 1);
    assert_zero();
}

static void a_woken_sleeper_that_leaves_passes_the_wake_on(void **unused)
{
    (void)unused;
    hf__mutex_withdraw(&mutex, BERT, HF__BLOCKING, ONCE_OVERTAKEN);
    assert_int_equal(futex_spy_wakes(state()), 1);
    assert_zero();

    futex_spy_reset();
    hf__mutex_lock(&mutex, ANNA);
    hf__mutex_withdraw(&mutex, BERT, HF__BLOCKING, ONCE_OVERTAKEN);
    assert_int_equal(futex_spy_wakes(NULL), 0);
    hf__mutex_unlock(&mutex, ANNA);
    assert_int_equal(futex_spy_wakes(state()), 1);
    assert_zero();
}

static void a_thread_that_blocks_in_the_place_of_its_event_loop_does_not_nap(void **unused)
{
    (void)unused;
    hf__mutex_lock(&mutex, ANNA);
    assert_int_equal(step(BERT, HF__ASYNC, 0), HF__MUTEX_WAIT_TURN);
    assert_int_equal(step(BERT, HF__BLOCKING, ONCE_OVERTAKEN), HF__MUTEX_WAIT_TURN);
    /* One that naps would not have said that it may sleep. */
    hf__mutex_unlock(&mutex, ANNA);
    assert_int_equal(futex_spy_wakes(turn()), 1);
    assert_int_equal(futex_spy_wakes(state()), 1);
    assert_int_equal(step(BERT, HF__BLOCKING, 0), HF__MUTEX_TAKEN);
    hf__mutex_unlock(&mutex, BERT);
    assert_zero();
}

static void a_busy_event_loop_as_successor_keeps_a_sleeper_awake(void **unused)
{
    (void)unused;
    hf__mutex_lock(&mutex, ANNA);
    step(BERT, HF__BLOCKING, 0);
    step(CARL, HF__ASYNC, 0);
    hf__mutex_unlock(&mutex, ANNA);
    assert_int_equal(futex_spy_wakes(turn()), 1);
    assert_int_equal(futex_spy_wakes(state()), 1);
}

static void a_second_event_loop_stands_in_line_and_is_woken_for_the_place(void **unused)
{
    (void)unused;
    hf__mutex_lock(&mutex, ANNA);
    step(BERT, HF__ASYNC, 0);
    assert_int_equal(step(CARL, HF__ASYNC, 0), HF__MUTEX_WAIT_QUEUE);
    assert_int_equal(step(CARL, HF__ASYNC, HF__TOKEN_IN_LINE), HF__MUTEX_WAIT_QUEUE);
    hf__mutex_unlock(&mutex, ANNA);
    assert_int_equal(futex_spy_wakes(&mutex.line), 1);
    hf__mutex_outcome wait = hf__mutex_step(&mutex, CARL, HF__ASYNC, 0);
    assert_int_equal(next_of(wait), HF__MUTEX_WAIT_TURN);
    assert_int_equal(watched_of(wait), BERT);
}

static void withdraw_gives_the_place_back(void **unused)
{
    (void)unused;
    hf__mutex_lock(&mutex, ANNA);
    step(BERT, HF__ASYNC, 0);
    hf__mutex_withdraw(&mutex, BERT, HF__ASYNC, 0);
    assert_int_equal(mutex.word, ANNA);
    hf__mutex_unlock(&mutex, ANNA);
    assert_zero();
}

static void withdraw_of_the_successor_wakes_the_next_of_the_line(void **unused)
{
    (void)unused;
    hf__mutex_lock(&mutex, ANNA);
    step(BERT, HF__ASYNC, 0);
    step(CARL, HF__ASYNC, HF__TOKEN_IN_LINE);
    hf__mutex_withdraw(&mutex, BERT, HF__ASYNC, 0);
    assert_int_equal(futex_spy_wakes(&mutex.line), 1);
    assert_int_equal(step(CARL, HF__ASYNC, 0), HF__MUTEX_WAIT_TURN);
}

static void withdraw_gives_a_reservation_back(void **unused)
{
    (void)unused;
    hf__mutex_lock(&mutex, ANNA);
    step(BERT, HF__ASYNC, 0);
    hf__mutex_unlock(&mutex, ANNA);
    hf__mutex_withdraw(&mutex, BERT, HF__ASYNC, 0);
    assert_zero();
}

static void withdraw_passes_a_reservation_on(void **unused)
{
    (void)unused;
    hf__mutex_lock(&mutex, ANNA);
    step(BERT, HF__ASYNC, 0);
    hf__mutex_unlock(&mutex, ANNA);
    step(CARL, HF__ASYNC, 0);
    futex_spy_reset();
    hf__mutex_withdraw(&mutex, BERT, HF__ASYNC, 0);
    assert_int_equal(futex_spy_wakes(turn()), 1);
    assert_int_equal(hf__mutex_trylock(&mutex, DORA), HF_BUSY);
    assert_int_equal(step(CARL, HF__ASYNC, 0), HF__MUTEX_TAKEN);
    hf__mutex_unlock(&mutex, CARL);
    assert_zero();
}

static void withdraw_of_a_blocked_thread_leaves_the_place_of_its_event_loop(void **unused)
{
    (void)unused;
    hf__mutex_lock(&mutex, ANNA);
    step(BERT, HF__ASYNC, 0);
    hf__mutex_withdraw(&mutex, BERT, HF__BLOCKING, 0);
    hf__mutex_unlock(&mutex, ANNA);
    assert_int_equal(hf__mutex_trylock(&mutex, CARL), HF_BUSY);
    assert_int_equal(step(BERT, HF__ASYNC, 0), HF__MUTEX_TAKEN);
}

static void withdraw_of_one_that_does_not_wait_changes_nothing(void **unused)
{
    (void)unused;
    hf__mutex_lock(&mutex, ANNA);
    step(BERT, HF__ASYNC, 0);
    uint64_t before = mutex.word;
    hf__mutex_withdraw(&mutex, CARL, HF__ASYNC, 0);
    assert_int_equal(mutex.word, before);
    assert_int_equal(futex_spy_wakes(NULL), 0);
}

static void the_highest_identity_fits(void **unused)
{
    (void)unused;
    const uint32_t highest = HF_THREAD_MASK;
    hf__mutex_lock(&mutex, highest);
    hf__mutex_outcome wait = hf__mutex_step(&mutex, highest - 1, HF__POLLING, 0);
    assert_int_equal(next_of(wait), HF__MUTEX_WAIT_TURN);
    hf__mutex_unlock(&mutex, highest);
    wait = hf__mutex_step(&mutex, highest, HF__ASYNC, 0);
    assert_int_equal(watched_of(wait), highest - 1);
    assert_int_equal(step(highest - 1, HF__POLLING, 0), HF__MUTEX_TAKEN);
    hf__mutex_unlock(&mutex, highest - 1);
    assert_int_equal(step(highest, HF__ASYNC, 0), HF__MUTEX_TAKEN);
    hf__mutex_unlock(&mutex, highest);
    assert_zero();
}

#define TEST(function) cmocka_unit_test_setup(function, start_afresh)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(lock_writes_the_owner_and_unlock_zero),
        TEST(lock_and_unlock_without_contention_never_wait_and_never_wake),
        TEST(unlock_by_another_is_refused_and_changes_nothing),
        TEST(unlock_of_a_lock_that_is_only_reserved_is_refused),
        TEST(lock_by_the_owner_is_a_deadlock),
        TEST(trylock_of_a_held_lock_is_busy),
        TEST(lock_until_a_past_deadline_takes_a_free_lock_or_leaves_at_once),
        TEST(lock_until_times_out_not_before_its_deadline),
        TEST(release_reserves_the_lock_for_the_successor),
        TEST(trylock_takes_up_the_callers_own_reservation),
        TEST(a_thread_overtaken_often_enough_becomes_the_successor),
        TEST(a_reservation_that_outlasts_its_time_is_taken_away),
        TEST(a_held_lock_is_never_taken_away),
        TEST(a_reservation_for_a_polling_successor_says_so),
        TEST(a_blocking_wait_takes_an_abandoned_reservation_away),
        TEST(unlock_wakes_one_sleeper_and_leaves_zero),
        TEST(a_woken_sleeper_that_takes_the_lock_answers_for_the_others),
        TEST(a_woken_sleeper_that_takes_the_lock_at_its_deadline_answers_too),
        TEST(a_woken_sleeper_that_leaves_passes_the_wake_on),
        TEST(a_thread_that_blocks_in_the_place_of_its_event_loop_does_not_nap),
        TEST(a_busy_event_loop_as_successor_keeps_a_sleeper_awake),
        TEST(a_second_event_loop_stands_in_line_and_is_woken_for_the_place),
        TEST(withdraw_gives_the_place_back),
        TEST(withdraw_of_the_successor_wakes_the_next_of_the_line),
        TEST(withdraw_gives_a_reservation_back),
        TEST(withdraw_passes_a_reservation_on),
        TEST(withdraw_of_a_blocked_thread_leaves_the_place_of_its_event_loop),
        TEST(withdraw_of_one_that_does_not_wait_changes_nothing),
        TEST(the_highest_identity_fits),
    };
    return cmocka_run_group_tests_name("mutex", tests, NULL, NULL);
}
