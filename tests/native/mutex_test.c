/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The mutex's own part, as one thread sees it; the algorithm is the gate's (gate_test.c). Other threads are
 * identities that are passed in. */
#include "gate.h"
#include "mutex.h"
#include "owned.h"

#include "cmocka_with_headers.h"
#include "futex_spy.h"
#include "watchdog.h"

enum { ANNA = 1, BERT = 2 };

static hf_mutex mutex;

static int start_afresh(void **unused)
{
    (void)unused;
    mutex = (hf_mutex){0};
    futex_spy_reset();
    return 0;
}

static hf__outcome step(uint32_t self)
{
    return hf__gate_step(&mutex.gate, self, HF__ASYNC, 0, self, HF__GATE_FOR_ONE);
}

static void assert_zero(void)
{
    assert_int_equal(mutex.gate.word, 0);
    assert_int_equal(mutex.gate.line, 0);
    assert_int_equal(mutex.gate.own, 0);
}

static void lock_writes_the_owner_and_unlock_zero(void **unused)
{
    (void)unused;
    assert_int_equal(hf_mutex_lock(&mutex), HF_OK);
    assert_int_equal(mutex.gate.word, hf_thread_id());
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

static void unlock_by_another_thread_is_refused_and_changes_nothing(void **unused)
{
    (void)unused;
    assert_int_equal(hf__mutex_unlock(&mutex, ANNA), HF_NOT_OWNER);
    assert_zero();
    assert_int_equal(hf__mutex_lock(&mutex, ANNA), HF_OK);
    assert_int_equal(hf__mutex_unlock(&mutex, BERT), HF_NOT_OWNER);
    assert_int_equal(mutex.gate.word, ANNA);
}

static void unlock_of_a_lock_that_is_only_reserved_is_refused(void **unused)
{
    (void)unused;
    hf__mutex_lock(&mutex, ANNA);
    step(BERT);
    hf__mutex_unlock(&mutex, ANNA);
    uint64_t before = mutex.gate.word;
    assert_int_equal(hf__mutex_unlock(&mutex, BERT), HF_NOT_OWNER);
    assert_false(hf__mutex_is_held_by(&mutex, BERT));
    assert_int_equal(mutex.gate.word, before);
}

static void lock_by_the_owner_is_a_deadlock(void **unused)
{
    (void)unused;
    hf_mutex_lock(&mutex);
    assert_int_equal(hf_mutex_lock(&mutex), HF_DEADLOCK);
    assert_int_equal(hf_mutex_lock_until(&mutex, 0), HF_DEADLOCK);
    assert_int_equal(hf_mutex_lock_until(&mutex, hf_now_ns() + HF_MILLISECOND), HF_DEADLOCK);
    assert_int_equal(hf_mutex_trylock(&mutex), HF_BUSY);
    assert_int_equal(hf_mutex_try_lock(&mutex), HF_BUSY);
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
    assert_int_equal(mutex.gate.word, ANNA);
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

static void lock_until_does_not_time_out_before_its_deadline(void **unused)
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

static void a_sleeping_thread_wakes_rarely_by_itself(void **unused)
{
    (void)unused;
    hf__mutex_lock(&mutex, ANNA);
    assert_int_equal(hf_mutex_lock_until(&mutex, hf_now_ns() + 800 * HF_MILLISECOND), HF_TIMEOUT);
    assert_in_range(futex_spy_waits(), 1, 10); /* 1, 20, 40, 80, ... ms; some for a signal */
}

static void trylock_of_a_lock_reserved_for_the_threads_own_event_loop_is_busy(void **unused)
{
    (void)unused;
    hf__mutex_lock(&mutex, ANNA);
    step(BERT);
    hf__mutex_unlock(&mutex, ANNA);
    assert_int_equal(hf_mutex_trylock(&mutex), HF_BUSY);
    assert_int_equal(hf__mutex_trylock(&mutex, BERT), HF_BUSY);
    assert_int_equal(step(BERT), HF__DONE);
    assert_int_equal(hf__mutex_unlock(&mutex, BERT), HF_OK);
    assert_zero();
}

static void unlock_anna(void)
{
    hf__mutex_unlock(&mutex, ANNA);
}

static void lock_waits_until_the_lock_is_free(void **unused)
{
    (void)unused;
    hf__mutex_lock(&mutex, ANNA);
    futex_spy_at_next_wait(unlock_anna);
    assert_int_equal(hf_mutex_lock(&mutex), HF_OK);
    assert_int_equal(futex_spy_waits(), 1);
    assert_int_equal(futex_spy_timeout_ns(), 25 * HF_MILLISECOND); /* no limit shortens it */
    assert_int_equal(hf_mutex_unlock(&mutex), HF_OK);

    hf__mutex_lock(&mutex, ANNA);
    futex_spy_at_next_wait(unlock_anna);
    assert_int_equal(hf_mutex_lock_until(&mutex, HF_FOREVER), HF_OK);
    assert_int_equal(futex_spy_waits(), 2);
    assert_int_equal(hf_mutex_unlock(&mutex), HF_OK);
    assert_zero();
}

static void the_highest_identity_fits(void **unused)
{
    (void)unused;
    const uint32_t highest = HF_THREAD_MASK;
    assert_int_equal(hf__mutex_lock(&mutex, highest), HF_OK);
    assert_int_equal(hf__mutex_unlock(&mutex, highest - 1), HF_NOT_OWNER);
    step(highest - 1);
    assert_true(hf__mutex_is_held_by(&mutex, highest));
    assert_false(hf__mutex_is_held_by(&mutex, highest - 1));
    assert_int_equal(hf__mutex_lock(&mutex, highest), HF_DEADLOCK);
    assert_int_equal(hf__mutex_unlock(&mutex, highest), HF_OK);
    assert_int_equal(step(highest - 1), HF__DONE);
    assert_int_equal(hf__mutex_unlock(&mutex, highest - 1), HF_OK);
    assert_zero();
}

/* A JavaScript thread that dies, and what is left of it in the mutex. */
#define GHOST (HF_THREAD_JS | UINT32_C(7) << HF_THREAD_SLOT_BITS | 3)
#define LEFT (GHOST | HF_THREAD_MARK)

/* The word that a C thread leaves if it unlocks an abandoned mutex without recovering it. */
#define LEFT_BY_NOBODY (HF_THREAD_JS | HF_THREAD_MARK)

static void ghost_is_found_dead(void)
{
    assert_true(hf__gate_abandon(&mutex.gate, GHOST, LEFT));
}

/* The ghost has locked it and died. */
static void abandon(void)
{
    assert_int_equal(hf__mutex_try(&mutex, GHOST), HF_OK);
    ghost_is_found_dead();
}

static hf_result lock_soon(void)
{
    return hf_mutex_lock_until(&mutex, hf_now_ns() + HF_MILLISECOND);
}

static hf_result lock_now(void)
{
    return hf_mutex_lock_until(&mutex, 0);
}

static hf_result lock(void)
{
    return hf_mutex_lock(&mutex);
}

static hf_result try_lock(void)
{
    return hf_mutex_trylock(&mutex);
}

static hf_result (*const WAYS[])(void) = {lock, try_lock, lock_soon, lock_now};
enum { WAY_COUNT = sizeof WAYS / sizeof WAYS[0] };

static void every_way_to_lock_an_abandoned_mutex_returns_abandoned_and_locks_it(void **unused)
{
    for (int way = 0; way < WAY_COUNT; way += 1) {
        start_afresh(unused);
        abandon();
        assert_int_equal(WAYS[way](), HF_ABANDONED);
        assert_int_equal(mutex.gate.word, hf_thread_id() | HF_THREAD_MARK);
        assert_true(hf_mutex_is_mine(&mutex));
        assert_int_equal(hf_mutex_recover(&mutex), HF_OK);
        assert_int_equal(mutex.gate.word, hf_thread_id());
        assert_true(hf_mutex_is_mine(&mutex));
        assert_int_equal(hf_mutex_unlock(&mutex), HF_OK);
        assert_zero();
        assert_int_equal(WAYS[way](), HF_OK);
        assert_int_equal(hf_mutex_unlock(&mutex), HF_OK);
        assert_zero();
        assert_int_equal(futex_spy_waits(), 0);
    }
}

static void unlock_without_recovery_returns_abandoned_to_the_next_owner(void **unused)
{
    for (int way = 0; way < WAY_COUNT; way += 1) {
        start_afresh(unused);
        abandon();
        for (int times = 0; times < 3; times += 1) {
            assert_int_equal(WAYS[way](), HF_ABANDONED);
            assert_int_equal(hf_mutex_unlock(&mutex), HF_OK);
            assert_int_equal(mutex.gate.word, LEFT_BY_NOBODY);
            assert_false(hf_mutex_is_mine(&mutex));
        }
        assert_int_equal(hf_mutex_lock(&mutex), HF_ABANDONED);
        assert_int_equal(hf_mutex_recover(&mutex), HF_OK);
        assert_int_equal(hf_mutex_unlock(&mutex), HF_OK);
        assert_zero();
    }
}

static void unlock_without_recovery_wakes_all_waiters(void **unused)
{
    (void)unused;
    abandon();
    assert_int_equal(hf_mutex_lock(&mutex), HF_ABANDONED);
    assert_int_equal(hf__gate_step(&mutex.gate, ANNA, HF__BLOCKING, 0, ANNA, HF__GATE_FOR_ONE) >> 32,
                     HF__WAIT_LINE);
    hf__outcome wait = step(BERT);
    assert_int_equal(wait >> 32, HF__WAIT_TURN);
    futex_spy_reset();
    assert_int_equal(hf_mutex_unlock(&mutex), HF_OK);
    assert_int_equal(futex_spy_wake_count(hf__low_half(&mutex.gate.word)), HF__WAKE_ALL);
    assert_int_equal(futex_spy_wake_count(hf__high_half(&mutex.gate.word)), HF__WAKE_ALL);
    assert_int_equal(futex_spy_wake_count(&mutex.gate.line), HF__WAKE_ALL);
    assert_int_not_equal(*hf__high_half(&mutex.gate.word), (uint32_t)wait);
    assert_int_equal(step(BERT), HF_ABANDONED);
}

static void lock_by_the_owner_that_has_not_recovered_is_a_deadlock(void **unused)
{
    (void)unused;
    abandon();
    hf_mutex_lock(&mutex);
    assert_int_equal(hf_mutex_lock(&mutex), HF_DEADLOCK);
    assert_int_equal(hf_mutex_lock_until(&mutex, 0), HF_DEADLOCK);
    assert_int_equal(hf_mutex_lock_until(&mutex, HF_FOREVER), HF_DEADLOCK);
    assert_int_equal(hf_mutex_trylock(&mutex), HF_BUSY);
    assert_int_equal(mutex.gate.word, hf_thread_id() | HF_THREAD_MARK);
    assert_int_equal(futex_spy_waits(), 0);
    assert_int_equal(hf_mutex_recover(&mutex), HF_OK);
    assert_int_equal(hf_mutex_unlock(&mutex), HF_OK);
    assert_zero();
}

static void other_threads_find_the_mutex_held_before_and_after_its_recovery(void **unused)
{
    (void)unused;
    abandon();
    hf_mutex_lock(&mutex);
    for (int recovered = 0; recovered < 2; recovered += 1) {
        assert_int_equal(hf__mutex_trylock(&mutex, ANNA), HF_BUSY);
        assert_int_equal(hf__mutex_try(&mutex, GHOST), HF_BUSY);
        assert_int_equal(hf__mutex_unlock(&mutex, ANNA), HF_NOT_OWNER);
        assert_int_equal(hf__mutex_release(&mutex, GHOST), HF_NOT_OWNER);
        assert_int_equal(hf__owned_take_over(&mutex.gate, GHOST), 0);
        hf_mutex_recover(&mutex);
    }
    assert_int_equal(mutex.gate.word, hf_thread_id());
}

static void recover_without_an_abandoned_mutex_is_refused(void **unused)
{
    (void)unused;
    assert_int_equal(hf_mutex_recover(&mutex), HF_NOT_OWNER);
    assert_zero();
    hf_mutex_lock(&mutex);
    assert_int_equal(hf_mutex_recover(&mutex), HF_NOT_OWNER);
    assert_int_equal(mutex.gate.word, hf_thread_id());
    hf_mutex_unlock(&mutex);

    abandon();
    assert_int_equal(hf_mutex_recover(&mutex), HF_NOT_OWNER); /* it is not locked */
    assert_int_equal(mutex.gate.word, LEFT);
    assert_int_equal(hf__mutex_lock(&mutex, ANNA), HF_ABANDONED);
    assert_int_equal(hf_mutex_recover(&mutex), HF_NOT_OWNER); /* it is hers */
    assert_int_equal(mutex.gate.word, ANNA | HF_THREAD_MARK);
    assert_int_equal(hf__mutex_unlock(&mutex, ANNA), HF_OK);
    hf_mutex_lock(&mutex);
    assert_int_equal(hf_mutex_recover(&mutex), HF_OK);
    assert_int_equal(hf_mutex_recover(&mutex), HF_NOT_OWNER);
    assert_int_equal(mutex.gate.word, hf_thread_id());
}

static void unlock_of_an_abandoned_mutex_is_refused(void **unused)
{
    (void)unused;
    abandon();
    assert_int_equal(hf_mutex_unlock(&mutex), HF_NOT_OWNER);
    assert_int_equal(hf__mutex_unlock(&mutex, GHOST), HF_NOT_OWNER);
    assert_int_equal(hf__mutex_release(&mutex, GHOST), HF_NOT_OWNER);
    assert_int_equal(hf__mutex_release(&mutex, LEFT - HF_THREAD_MARK), HF_NOT_OWNER);
    assert_false(hf_mutex_is_mine(&mutex));
    assert_int_equal(mutex.gate.word, LEFT);
}

static void a_waiter_learns_of_the_death(void **unused)
{
    for (int way = 0; way < WAY_COUNT; way += 1) {
        if (WAYS[way] != lock && WAYS[way] != lock_soon) {
            continue; /* they do not wait */
        }
        start_afresh(unused);
        assert_int_equal(hf__mutex_try(&mutex, GHOST), HF_OK);
        futex_spy_at_next_wait(ghost_is_found_dead);
        assert_int_equal(WAYS[way](), HF_ABANDONED);
        assert_int_equal(futex_spy_waits(), 1);
        assert_int_equal(mutex.gate.word, hf_thread_id() | HF_THREAD_MARK);
    }
}

static void a_waiter_acquires_the_mutex_after_a_recovery(void **unused)
{
    (void)unused;
    assert_int_equal(hf__mutex_try(&mutex, GHOST), HF_OK);
    step(BERT);
    ghost_is_found_dead();
    assert_int_equal(hf_mutex_lock(&mutex), HF_ABANDONED); /* before BERT could find out about the death */
    assert_int_equal(step(BERT) >> 32, HF__WAIT_TURN);
    assert_int_equal(hf_mutex_recover(&mutex), HF_OK);
    assert_int_equal(hf_mutex_unlock(&mutex), HF_OK);
    assert_int_equal(hf_mutex_trylock(&mutex), HF_BUSY);
    assert_int_equal(step(BERT), HF__DONE);
    assert_int_equal(hf__mutex_release(&mutex, BERT), HF_OK);
    assert_zero();
}

static void the_glue_learns_of_an_abandoned_mutex_without_acquiring_it(void **unused)
{
    (void)unused;
    const uint32_t self = HF_THREAD_JS | 1;
    assert_int_equal(hf__mutex_lock_for_a_time(&mutex, self), HF_OK);
    assert_int_equal(hf__mutex_lock_for_a_time(&mutex, self), HF_DEADLOCK);
    assert_int_equal(hf__mutex_try(&mutex, self), HF_BUSY);
    assert_int_equal(hf__owned_take_over(&mutex.gate, GHOST), 0);
    assert_int_equal(hf__mutex_release(&mutex, GHOST), HF_NOT_OWNER);
    assert_int_equal(mutex.gate.word, self);
    assert_int_equal(hf__mutex_release(&mutex, self), HF_OK);
    assert_int_equal(hf__mutex_release(&mutex, self), HF_NOT_OWNER);
    assert_int_equal(hf__owned_take_over(&mutex.gate, self), 0);
    assert_zero();

    abandon();
    assert_int_equal(hf__mutex_try(&mutex, self), HF_BUSY);
    assert_int_equal(hf__mutex_lock_for_a_time(&mutex, self), HF_ABANDONED);
    assert_int_equal(mutex.gate.word, LEFT);
    assert_int_equal(futex_spy_waits(), 0);
}

static void the_glue_recovers_an_abandoned_mutex_or_abandons_it_again(void **unused)
{
    (void)unused;
    const uint32_t self = HF_THREAD_JS | 1;
    abandon();
    uint32_t left = hf__owned_take_over(&mutex.gate, self);
    assert_int_equal(left, LEFT);
    assert_int_equal(mutex.gate.word, self);
    assert_int_equal(hf__owned_take_over(&mutex.gate, self), 0);
    assert_true(hf__gate_abandon(&mutex.gate, self, left)); /* the repair has failed */
    assert_int_equal(mutex.gate.word, LEFT);
    assert_int_equal(hf__owned_take_over(&mutex.gate, self), LEFT);
    assert_int_equal(hf__mutex_release(&mutex, self), HF_OK);
    assert_zero();

    /* JavaScript takes over a lock that C gave back without recovering it; and the other way round. */
    abandon();
    assert_int_equal(hf_mutex_lock(&mutex), HF_ABANDONED);
    assert_int_equal(hf_mutex_unlock(&mutex), HF_OK);
    left = hf__owned_take_over(&mutex.gate, self);
    assert_int_equal(left, LEFT_BY_NOBODY);
    assert_true(hf__gate_abandon(&mutex.gate, self, left));
    assert_int_equal(hf_mutex_lock(&mutex), HF_ABANDONED);
    assert_int_equal(hf_mutex_recover(&mutex), HF_OK);
    assert_int_equal(hf_mutex_unlock(&mutex), HF_OK);
    assert_zero();
}

static void the_glue_returns_from_a_long_wait_to_probe_the_owner(void **unused)
{
    (void)unused;
    const uint32_t self = HF_THREAD_JS | 1;
    assert_int_equal(hf__mutex_try(&mutex, GHOST), HF_OK);
    int64_t begin = hf_now_ns();
    uint32_t result = hf__mutex_lock_for_a_time(&mutex, self);
    int64_t passed_ns = hf_now_ns() - begin;
    assert_true(result & HF__WAIT_MORE);
    assert_true(passed_ns >= 85 * HF_MILLISECOND);
    assert_in_range(futex_spy_waits(), 5, 10); /* 1, 1, 4, 16 and 64 ms; some for a signal */
    assert_int_equal(mutex.gate.word >> 32 & HF_THREAD_MASK, self);

    /* The next call continues the wait, with the result of the first. */
    ghost_is_found_dead();
    assert_int_equal(hf__gate_wait(&mutex.gate, self, result, -1, self, HF__GATE_FOR_ONE), HF_ABANDONED);
    assert_int_equal(*hf__high_half(&mutex.gate.word), 0);
}

static void identities_drawn_at_random_are_never_found_dead(void **unused)
{
    const uint32_t owners[] = {HF_THREAD_RANDOM | HF_THREAD_MARK, HF_THREAD_RANDOM | LEFT, HF_THREAD_MASK};
    for (size_t at = 0; at < sizeof owners / sizeof owners[0]; at += 1) {
        start_afresh(unused);
        assert_int_equal(hf__mutex_lock_for_a_time(&mutex, owners[at]), HF_OK);
        assert_int_equal(hf__owned_take_over(&mutex.gate, GHOST), 0);
        assert_int_equal(hf_mutex_trylock(&mutex), HF_BUSY);
        assert_int_equal(hf_mutex_lock_until(&mutex, 0), HF_TIMEOUT);
        assert_int_equal(hf__mutex_lock_for_a_time(&mutex, owners[at]), HF_DEADLOCK);
        assert_int_equal(hf__mutex_release(&mutex, owners[at]), HF_OK);
        assert_zero();
    }
}

#define TEST(function) cmocka_unit_test_setup(function, start_afresh)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(lock_writes_the_owner_and_unlock_zero),
        TEST(lock_and_unlock_without_contention_never_wait_and_never_wake),
        TEST(unlock_by_another_thread_is_refused_and_changes_nothing),
        TEST(unlock_of_a_lock_that_is_only_reserved_is_refused),
        TEST(lock_by_the_owner_is_a_deadlock),
        TEST(trylock_of_a_held_lock_is_busy),
        TEST(lock_until_a_past_deadline_takes_a_free_lock_or_leaves_at_once),
        TEST(lock_until_does_not_time_out_before_its_deadline),
        TEST(a_sleeping_thread_wakes_rarely_by_itself),
        TEST(trylock_of_a_lock_reserved_for_the_threads_own_event_loop_is_busy),
        TEST(lock_waits_until_the_lock_is_free),
        TEST(the_highest_identity_fits),
        TEST(every_way_to_lock_an_abandoned_mutex_returns_abandoned_and_locks_it),
        TEST(unlock_without_recovery_returns_abandoned_to_the_next_owner),
        TEST(unlock_without_recovery_wakes_all_waiters),
        TEST(lock_by_the_owner_that_has_not_recovered_is_a_deadlock),
        TEST(other_threads_find_the_mutex_held_before_and_after_its_recovery),
        TEST(recover_without_an_abandoned_mutex_is_refused),
        TEST(unlock_of_an_abandoned_mutex_is_refused),
        TEST(a_waiter_learns_of_the_death),
        TEST(a_waiter_acquires_the_mutex_after_a_recovery),
        TEST(the_glue_learns_of_an_abandoned_mutex_without_acquiring_it),
        TEST(the_glue_recovers_an_abandoned_mutex_or_abandons_it_again),
        TEST(the_glue_returns_from_a_long_wait_to_probe_the_owner),
        TEST(identities_drawn_at_random_are_never_found_dead),
    };
    watchdog_start((const uint32_t *)&mutex, sizeof mutex / sizeof(uint32_t));
    int failed = cmocka_run_group_tests_name("mutex", tests, NULL, NULL);
    watchdog_stop();
    return failed;
}
