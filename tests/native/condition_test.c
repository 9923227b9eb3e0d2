/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* A condition as one thread sees it. Other waiters are tokens: this thread plays all the parts. */
#include <stdbool.h>

#include "condition.h"
#include "gate.h"
#include "inside.h"

#include "cmocka_with_headers.h"
#include "futex_spy.h"
#include "watchdog.h"

enum { ANNA = 1 };

/* The parts of the word that a test writes or checks. */
enum { GRANT_BITS = 18, EPOCH_AT = GRANT_BITS + 1, EPOCH_BITS = 27, WAITERS_AT = EPOCH_AT + EPOCH_BITS };
#define LOOPS (UINT64_C(1) << GRANT_BITS)
#define EPOCHS (((UINT64_C(1) << EPOCH_BITS) - 1) << EPOCH_AT)
#define MOST_WAITERS ((uint64_t)HF_CONDITION_MOST_WAITERS << WAITERS_AT)

static hf_condition condition;
static hf_mutex mutex;

static int start_afresh(void **unused)
{
    (void)unused;
    condition = (hf_condition){0};
    mutex = (hf_mutex){0};
    futex_spy_reset();
    return 0;
}

static uint32_t *sleepers(void)
{
    return hf__low_half(&condition.word);
}

static bool is_released(uint32_t token)
{
    return hf__condition_step(&condition, token) == HF__DONE;
}

/* Checks that the word has nothing but the number of notifies, and the flag of an event loop. */
static void assert_nobody_waits(void)
{
    assert_int_equal(condition.word & ~(EPOCHS | LOOPS), 0);
    assert_int_equal(condition.line, 0);
    assert_int_equal(condition.inside, 0);
}

static void notify_without_waiters_does_nothing(void **unused)
{
    (void)unused;
    assert_int_equal(hf_condition_notify(&condition, 1), 0);
    assert_int_equal(hf_condition_notify(&condition, HF_CONDITION_ALL), 0);
    assert_int_equal(condition.word, 0);
    assert_int_equal(futex_spy_wakes(NULL), 0);
    assert_false(is_released(hf__condition_begin(&condition)));
}

static void notify_of_0_does_nothing(void **unused)
{
    (void)unused;
    uint32_t token = hf__condition_begin(&condition);
    uint64_t before = condition.word;
    assert_int_equal(hf_condition_notify(&condition, 0), 0);
    assert_int_equal(condition.word, before);
    assert_int_equal(futex_spy_wakes(NULL), 0);
    assert_false(is_released(token));
}

static void a_waiter_waits_for_a_change_of_the_word(void **unused)
{
    (void)unused;
    uint32_t token = hf__condition_begin(&condition);
    hf__outcome wait = hf__condition_step(&condition, token);
    assert_int_equal((wait >> HF__OUTCOME_NEXT) & 3, HF__WAIT_LINE);
    assert_int_equal(wait >> HF__OUTCOME_WATCHED, 0);
    assert_int_equal((uint32_t)wait | LOOPS, *sleepers());
    hf_condition_notify(&condition, 1);
    assert_int_not_equal((uint32_t)wait, *sleepers());
    assert_true(is_released(token));
    assert_nobody_waits();
}

static void notify_of_n_releases_n_waiters(void **unused)
{
    (void)unused;
    uint32_t tokens[5];
    for (int at = 0; at < 5; at += 1) {
        tokens[at] = hf__condition_begin(&condition);
    }
    assert_int_equal(hf_condition_notify(&condition, 2), 2);
    assert_true(is_released(tokens[4]));
    assert_true(is_released(tokens[0]));
    assert_false(is_released(tokens[1]));
    hf_condition_notify(&condition, 1);
    hf_condition_notify(&condition, 1);
    assert_true(is_released(tokens[1]));
    assert_true(is_released(tokens[2]));
    assert_false(is_released(tokens[3]));
    assert_int_equal(hf_condition_notify(&condition, HF_CONDITION_ALL), 1);
    assert_true(is_released(tokens[3]));
    assert_nobody_waits();
}

static void surplus_notifies_are_not_stored_for_later_waiters(void **unused)
{
    (void)unused;
    uint32_t early = hf__condition_begin(&condition);
    assert_int_equal(hf_condition_notify(&condition, 3), 1);
    assert_int_equal(hf_condition_notify(&condition, HF_CONDITION_ALL), 0);
    uint32_t late = hf__condition_begin(&condition);
    assert_false(is_released(late));
    assert_true(is_released(early));
    assert_false(is_released(late));
    hf_condition_notify(&condition, 1);
    assert_true(is_released(late));
    assert_nobody_waits();
}

static void a_later_waiter_is_not_released_in_place_of_an_earlier_one(void **unused)
{
    (void)unused;
    uint32_t anna = hf__condition_begin(&condition);
    uint32_t bert = hf__condition_begin(&condition);
    hf_condition_notify(&condition, 1);
    uint32_t carl = hf__condition_begin(&condition);
    assert_false(is_released(carl));
    assert_int_equal(hf_condition_notify(&condition, 1), 1); /* releases one of the three waiters */
    uint32_t dora = hf__condition_begin(&condition);
    assert_false(is_released(dora));
    assert_true(is_released(anna));
    assert_true(is_released(carl));
    assert_false(is_released(bert));
    assert_false(is_released(dora));
    hf_condition_notify(&condition, HF_CONDITION_ALL);
    assert_true(is_released(bert));
    assert_true(is_released(dora));
    assert_nobody_waits();
}

static void without_event_loops_notify_wakes_one_sleeper_only(void **unused)
{
    (void)unused;
    uint32_t token = hf__condition_begin(&condition);
    hf__condition_wait(&condition, token, 0, HF_MICROSECOND);
    hf_condition_notify(&condition, HF_CONDITION_ALL);
    assert_int_equal(futex_spy_wakes(sleepers()), 1);
    assert_int_equal(futex_spy_wakes(NULL), 1);
}

static void with_event_loops_notify_wakes_one_sleeper_and_the_whole_async_list(void **unused)
{
    (void)unused;
    hf__condition_begin(&condition);
    assert_false(is_released(hf__condition_begin(&condition)));
    hf_condition_notify(&condition, HF_CONDITION_ALL);
    assert_int_equal(futex_spy_wakes(sleepers()), 1);
    assert_int_equal(futex_spy_wake_count(sleepers()), 1);
    assert_int_equal(futex_spy_wakes(&condition.line), 1);
    assert_int_equal(futex_spy_wake_count(&condition.line), HF__WAKE_ALL);
    hf_condition_notify(&condition, HF_CONDITION_ALL);
    assert_int_equal(futex_spy_wakes(&condition.line), 1);
}

static void an_event_loop_that_polls_once_more_is_woken_once_more(void **unused)
{
    (void)unused;
    uint32_t first = hf__condition_begin(&condition);
    uint32_t second = hf__condition_begin(&condition);
    assert_false(is_released(second));
    hf_condition_notify(&condition, 1);
    assert_true(is_released(first));
    assert_false(is_released(second));
    hf_condition_notify(&condition, 1);
    assert_int_equal(futex_spy_wakes(&condition.line), 2);
}

static void a_released_waiter_wakes_the_next_while_there_are_grants(void **unused)
{
    (void)unused;
    uint32_t first = hf__condition_begin(&condition);
    uint32_t second = hf__condition_begin(&condition);
    hf_condition_notify(&condition, HF_CONDITION_ALL);
    futex_spy_reset();
    assert_true(is_released(first));
    hf__condition_pass_on(&condition);
    assert_int_equal(futex_spy_wakes(sleepers()), 1);
    assert_int_equal(futex_spy_wake_count(sleepers()), 1);
    assert_true(is_released(second));
    hf__condition_pass_on(&condition);
    assert_int_equal(futex_spy_wakes(NULL), 1);
    assert_nobody_waits();
}

static void a_waiter_that_gives_up_consumes_no_notify(void **unused)
{
    (void)unused;
    uint32_t anna = hf__condition_begin(&condition);
    uint32_t bert = hf__condition_begin(&condition);
    assert_int_equal(hf__condition_give_up(&condition, anna), HF_TIMEOUT);
    assert_int_equal(futex_spy_wakes(NULL), 0);
    hf_condition_notify(&condition, 1);
    assert_true(is_released(bert));
    assert_nobody_waits();
}

static void a_waiter_that_gives_up_takes_an_available_grant(void **unused)
{
    (void)unused;
    uint32_t token = hf__condition_begin(&condition);
    hf_condition_notify(&condition, 1);
    assert_int_equal(hf__condition_wait(&condition, token, 0, 0), HF_OK);
    assert_nobody_waits();
}

static void an_old_waiter_gives_up_after_the_grants_are_gone(void **unused)
{
    (void)unused;
    uint32_t anna = hf__condition_begin(&condition);
    uint32_t bert = hf__condition_begin(&condition);
    hf_condition_notify(&condition, 1);
    assert_true(is_released(bert));
    futex_spy_reset();
    assert_int_equal(hf__condition_wait(&condition, anna, 0, 0), HF_TIMEOUT);
    assert_int_equal(futex_spy_wakes(NULL), 0);
    assert_nobody_waits();
}

static void a_new_waiter_that_gives_up_passes_on_the_wake_for_an_old_one(void **unused)
{
    (void)unused;
    uint32_t early = hf__condition_begin(&condition);
    hf_condition_notify(&condition, 1);
    uint32_t late = hf__condition_begin(&condition);
    futex_spy_reset();
    assert_int_equal(hf__condition_give_up(&condition, late), HF_TIMEOUT);
    assert_int_equal(futex_spy_wakes(sleepers()), 1);
    assert_true(is_released(early));
    assert_nobody_waits();
}

static void wait_requires_the_mutex(void **unused)
{
    (void)unused;
    assert_int_equal(hf_condition_wait(&condition, &mutex), HF_NOT_OWNER);
    hf__mutex_lock(&mutex, ANNA);
    assert_int_equal(hf_condition_wait(&condition, &mutex), HF_NOT_OWNER);
    assert_int_equal(hf_condition_wait_until(&condition, &mutex, 0), HF_NOT_OWNER);
    assert_true(hf__mutex_is_held_by(&mutex, ANNA));
    assert_int_equal(condition.word, 0);
}

static void one_waiter_more_than_the_most_is_refused(void **unused)
{
    (void)unused;
    hf_mutex_lock(&mutex);
    condition.word = MOST_WAITERS;
    assert_int_equal(hf_condition_wait(&condition, &mutex), HF_OVERFLOW);
    assert_int_equal(hf_condition_wait_until(&condition, &mutex, 0), HF_OVERFLOW);
    assert_int_equal(hf__condition_begin(&condition), HF__CONDITION_FULL);
    assert_int_equal(condition.word, MOST_WAITERS);
    assert_true(hf_mutex_is_mine(&mutex));
    assert_int_equal(futex_spy_waits(), 0);

    uint32_t token = 0;
    hf__condition_give_up(&condition, token);
    assert_int_equal(hf__condition_begin(&condition), token);
    assert_int_equal(condition.word, MOST_WAITERS);
}

static void one_notify_can_release_the_most_waiters(void **unused)
{
    (void)unused;
    condition.word = MOST_WAITERS;
    hf_condition_notify(&condition, HF_CONDITION_ALL);
    hf_condition_notify(&condition, HF_CONDITION_ALL);
    for (uint32_t at = 0; at < HF_CONDITION_MOST_WAITERS; at += 1) {
        assert_true(is_released(0));
    }
    assert_nobody_waits();
}

static void the_epoch_wraps_and_touches_nothing_beside_it(void **unused)
{
    (void)unused;
    condition.word = EPOCHS;
    uint32_t anna = hf__condition_begin(&condition);
    uint32_t bert = hf__condition_begin(&condition);
    assert_false(is_released(anna));
    hf_condition_notify(&condition, 1);
    assert_int_equal(condition.word & EPOCHS, 0);
    uint32_t carl = hf__condition_begin(&condition);
    assert_false(is_released(carl));
    assert_true(is_released(anna));
    assert_false(is_released(bert));
    hf_condition_notify(&condition, 2);
    assert_true(is_released(carl));
    assert_true(is_released(bert));
    assert_nobody_waits();
}

/* Plays another thread, which locks the mutex that the wait has released. */
static void anna_notifies_one(void)
{
    assert_int_equal(hf__mutex_trylock(&mutex, ANNA), HF_OK);
    hf_condition_notify(&condition, 1);
    assert_int_equal(hf__mutex_unlock(&mutex, ANNA), HF_OK);
}

static void anna_notifies_all(void)
{
    hf_condition_notify(&condition, HF_CONDITION_ALL);
}

static void wait_releases_the_mutex_and_reacquires_it(void **unused)
{
    (void)unused;
    hf_mutex_lock(&mutex);
    futex_spy_at_next_wait(anna_notifies_one);
    assert_int_equal(hf_condition_wait(&condition, &mutex), HF_OK);
    assert_int_equal(futex_spy_waits(), 1);
    assert_true(hf_mutex_is_mine(&mutex));
    hf_mutex_unlock(&mutex);
    assert_int_equal(mutex.gate.word, 0);
    assert_nobody_waits();
}

static void a_notify_right_after_the_release_of_the_mutex_is_not_lost(void **unused)
{
    (void)unused;
    hf_mutex_lock(&mutex);
    hf__gate_step(&mutex.gate, ANNA, HF__BLOCKING, 0, ANNA, HF__GATE_FOR_ONE);
    futex_spy_at_next_wake(anna_notifies_one); /* the release wakes her, since she sleeps */
    assert_int_equal(hf_condition_wait(&condition, &mutex), HF_OK);
    assert_int_equal(futex_spy_waits(), 0);
    assert_true(hf_mutex_is_mine(&mutex));
    assert_nobody_waits();
}

static void a_waiter_that_reacquired_the_mutex_wakes_the_next(void **unused)
{
    (void)unused;
    uint32_t other = hf__condition_begin(&condition);
    hf_mutex_lock(&mutex);
    futex_spy_at_next_wait(anna_notifies_all);
    assert_int_equal(hf_condition_wait(&condition, &mutex), HF_OK);
    assert_int_equal(futex_spy_wakes(sleepers()), 2);
    assert_true(is_released(other));
    assert_nobody_waits();
}

static void a_past_deadline_ends_the_wait_at_once_with_the_mutex_held(void **unused)
{
    (void)unused;
    hf_mutex_lock(&mutex);
    assert_int_equal(hf_condition_wait_until(&condition, &mutex, hf_now_ns() - 1), HF_TIMEOUT);
    assert_int_equal(hf_condition_wait_until(&condition, &mutex, INT64_MIN / 2), HF_TIMEOUT);
    assert_int_equal(futex_spy_waits(), 0);
    assert_true(hf_mutex_is_mine(&mutex));
    assert_nobody_waits();
}

static void a_wait_does_not_time_out_before_its_deadline(void **unused)
{
    (void)unused;
    hf_mutex_lock(&mutex);
    int64_t deadline = hf_now_ns() + 5 * HF_MILLISECOND;
    assert_int_equal(hf_condition_wait_until(&condition, &mutex, deadline), HF_TIMEOUT);
    assert_true(hf_now_ns() >= deadline);
    assert_true(hf_mutex_is_mine(&mutex));
    assert_nobody_waits();
}

static void every_wait_is_rechecked_within_a_slice(void **unused)
{
    (void)unused;
    uint32_t token = hf__condition_begin(&condition);
    assert_int_equal(hf__condition_wait(&condition, token, 0, -1), HF__WAIT_MORE | 1);
    assert_int_equal(futex_spy_timeout_ns(), HF__SLICE_NS);
    assert_ptr_equal(futex_spy_waited_on(), sleepers());
    assert_int_equal(hf__condition_wait(&condition, token, 0, HF_MICROSECOND), HF__WAIT_MORE);
    assert_int_equal(futex_spy_timeout_ns(), HF_MICROSECOND);
}

/* A JavaScript thread that notifies, and dies with the mutex held. */
#define GHOST (HF_THREAD_JS | UINT32_C(7) << HF_THREAD_SLOT_BITS | 3)

static void ghost_dies(void)
{
    assert_int_equal(hf__mutex_trylock(&mutex, GHOST), HF_OK);
    assert_true(hf__gate_abandon(&mutex.gate, GHOST, GHOST | HF_THREAD_MARK));
}

static void ghost_notifies_and_dies(void)
{
    hf_condition_notify(&condition, HF_CONDITION_ALL);
    ghost_dies();
}

static void assert_told(hf_result result)
{
    assert_int_equal(result, HF_ABANDONED);
    assert_true(hf_mutex_is_mine(&mutex));
    assert_int_equal(hf_mutex_recover(&mutex), HF_OK);
    assert_int_equal(hf_mutex_unlock(&mutex), HF_OK);
    assert_int_equal(mutex.gate.word, 0);
    assert_nobody_waits();
}

static void a_wait_that_reacquires_an_abandoned_mutex_returns_abandoned(void **unused)
{
    (void)unused;
    hf_mutex_lock(&mutex);
    futex_spy_at_next_wait(ghost_notifies_and_dies);
    assert_told(hf_condition_wait(&condition, &mutex));

    hf_mutex_lock(&mutex);
    futex_spy_at_next_wait(ghost_dies); /* and there was no notify */
    assert_told(hf_condition_wait_until(&condition, &mutex, hf_now_ns() + HF_MILLISECOND));
}

static void a_waiter_that_returns_abandoned_still_wakes_the_next(void **unused)
{
    (void)unused;
    uint32_t other = hf__condition_begin(&condition);
    hf_mutex_lock(&mutex);
    futex_spy_at_next_wait(ghost_notifies_and_dies);
    assert_int_equal(hf_condition_wait(&condition, &mutex), HF_ABANDONED);
    assert_int_equal(futex_spy_wakes(sleepers()), 2);
    assert_true(is_released(other));
    assert_nobody_waits();
}

static void a_condition_wait_without_recovery_returns_abandoned_to_the_next_owner(void **unused)
{
    (void)unused;
    ghost_dies();
    assert_int_equal(hf_mutex_lock(&mutex), HF_ABANDONED);
    assert_told(hf_condition_wait_until(&condition, &mutex, 0));
}

static void anna_unlocks(void)
{
    assert_int_equal(hf__mutex_unlock(&mutex, ANNA), HF_OK);
}

static void anna_takes_the_mutex_until_the_next_wait(void)
{
    assert_int_equal(hf__mutex_lock(&mutex, ANNA), HF_OK);
    futex_spy_at_next_wait(anna_unlocks);
}

static void after_its_deadline_a_wait_reacquires_the_mutex_without_limit(void **unused)
{
    (void)unused;
    hf_mutex_lock(&mutex);
    futex_spy_at_next_wait(anna_takes_the_mutex_until_the_next_wait);
    int64_t deadline = hf_now_ns() + HF_MILLISECOND;
    assert_int_equal(hf_condition_wait_until(&condition, &mutex, deadline), HF_TIMEOUT);
    assert_int_equal(futex_spy_waits(), 2);
    assert_true(hf_mutex_is_mine(&mutex));
    hf_mutex_unlock(&mutex);
    assert_nobody_waits();
}

static void anna_ends_her_section(void)
{
    assert_int_equal(condition.inside, 0);
    assert_int_equal(futex_spy_wakes(sleepers()), 2);
    assert_int_equal(hf__mutex_unlock(&mutex, ANNA), HF_OK);
}

static void anna_notifies_all_in_her_section(void)
{
    assert_int_equal(condition.inside, 1);
    assert_int_equal(hf__mutex_lock(&mutex, ANNA), HF_OK);
    hf_condition_notify(&condition, HF_CONDITION_ALL);
    futex_spy_at_next_wait(anna_ends_her_section);
}

static void a_waiter_wakes_the_next_and_leaves_before_it_blocks_for_the_mutex(void **unused)
{
    (void)unused;
    uint32_t other = hf__condition_begin(&condition);
    hf_mutex_lock(&mutex);
    futex_spy_at_next_wait(anna_notifies_all_in_her_section);
    assert_int_equal(hf_condition_wait(&condition, &mutex), HF_OK);
    assert_int_equal(futex_spy_waits(), 2);
    assert_true(hf_mutex_is_mine(&mutex));
    assert_int_equal(futex_spy_wakes(sleepers()), 2);
    assert_true(is_released(other));
    assert_nobody_waits();
}

static void a_condition_with_nobody_inside_can_be_destroyed_at_once(void **unused)
{
    (void)unused;
    hf_mutex_lock(&mutex);
    assert_int_equal(hf_condition_wait_until(&condition, &mutex, 0), HF_TIMEOUT);
    hf_condition_destroy(&condition);
    assert_int_equal(hf_condition_destroy_until(&condition, 0), HF_OK);
    assert_int_equal(futex_spy_waits(), 0);
    assert_nobody_waits();
}

static void one_leaves(void)
{
    hf__inside_leave(&condition.inside);
}

static void destroy_waits_for_threads_inside(void **unused)
{
    (void)unused;
    hf__inside_enter(&condition.inside);
    assert_int_equal(hf_condition_destroy_until(&condition, hf_now_ns() + HF_MILLISECOND), HF_TIMEOUT);
    futex_spy_at_next_wait(one_leaves);
    hf_condition_destroy(&condition);
    assert_ptr_equal(futex_spy_waited_on(), &condition.inside);
    assert_nobody_waits();
}

#define TEST(function) cmocka_unit_test_setup(function, start_afresh)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(notify_without_waiters_does_nothing),
        TEST(notify_of_0_does_nothing),
        TEST(a_waiter_waits_for_a_change_of_the_word),
        TEST(notify_of_n_releases_n_waiters),
        TEST(surplus_notifies_are_not_stored_for_later_waiters),
        TEST(a_later_waiter_is_not_released_in_place_of_an_earlier_one),
        TEST(without_event_loops_notify_wakes_one_sleeper_only),
        TEST(with_event_loops_notify_wakes_one_sleeper_and_the_whole_async_list),
        TEST(an_event_loop_that_polls_once_more_is_woken_once_more),
        TEST(a_released_waiter_wakes_the_next_while_there_are_grants),
        TEST(a_waiter_that_gives_up_consumes_no_notify),
        TEST(a_waiter_that_gives_up_takes_an_available_grant),
        TEST(an_old_waiter_gives_up_after_the_grants_are_gone),
        TEST(a_new_waiter_that_gives_up_passes_on_the_wake_for_an_old_one),
        TEST(wait_requires_the_mutex),
        TEST(one_waiter_more_than_the_most_is_refused),
        TEST(one_notify_can_release_the_most_waiters),
        TEST(the_epoch_wraps_and_touches_nothing_beside_it),
        TEST(wait_releases_the_mutex_and_reacquires_it),
        TEST(a_notify_right_after_the_release_of_the_mutex_is_not_lost),
        TEST(a_waiter_that_reacquired_the_mutex_wakes_the_next),
        TEST(a_past_deadline_ends_the_wait_at_once_with_the_mutex_held),
        TEST(a_wait_does_not_time_out_before_its_deadline),
        TEST(after_its_deadline_a_wait_reacquires_the_mutex_without_limit),
        TEST(every_wait_is_rechecked_within_a_slice),
        TEST(a_wait_that_reacquires_an_abandoned_mutex_returns_abandoned),
        TEST(a_waiter_that_returns_abandoned_still_wakes_the_next),
        TEST(a_waiter_wakes_the_next_and_leaves_before_it_blocks_for_the_mutex),
        TEST(a_condition_with_nobody_inside_can_be_destroyed_at_once),
        TEST(destroy_waits_for_threads_inside),
        TEST(a_condition_wait_without_recovery_returns_abandoned_to_the_next_owner),
    };
    watchdog_start((const uint32_t *)&condition, sizeof condition / sizeof(uint32_t));
    int failed = cmocka_run_group_tests_name("condition", tests, NULL, NULL);
    watchdog_stop();
    return failed;
}
