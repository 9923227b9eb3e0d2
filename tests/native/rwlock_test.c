/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* What one thread can see of a reader-writer lock; the algorithm is the gate's (gate_amounts_test.c). Other
 * threads are identities that are passed in. */
#include "rwlock.h"

#include "cmocka_with_headers.h"
#include "futex_spy.h"
#include "watchdog.h"

enum { ANNA = 1, BERT = 2, CARL = 3 };

#define ONCE_OVERTAKEN (UINT32_C(1) << HF__TOKEN_OVERTAKEN)
#define PLACE ((uint32_t)HF__TOKEN_OVERTAKEN_MAX << HF__TOKEN_OVERTAKEN)

static hf_rwlock rwlock;

static int start_afresh(void **unused)
{
    (void)unused;
    rwlock = (hf_rwlock){0};
    futex_spy_reset();
    return 0;
}

static void assert_zero(void)
{
    assert_int_equal(rwlock.gate.word, 0);
    assert_int_equal(rwlock.gate.line, 0);
    assert_int_equal(rwlock.gate.own, 0);
}

/* Another thread comes, and notes it if it got in. Returns whether it did. */
static bool comes(uint32_t self, hf__rwlock_mode mode, hf__token token)
{
    if (hf__gate_step(&rwlock.gate, self, HF__BLOCKING, token, mode, HF__GATE_MOST) != HF__DONE) {
        return false;
    }
    hf__rwlock_note(&rwlock, self, mode);
    return true;
}

static void goes(uint32_t self, hf__rwlock_mode mode)
{
    assert_int_equal(hf__rwlock_unlock(&rwlock, self, mode), HF_OK);
}

static uint32_t wakes_of_sleepers(void)
{
    return futex_spy_wakes(hf__low_half(&rwlock.gate.word));
}

static void without_contention_it_never_waits_and_never_wakes(void **unused)
{
    (void)unused;
    for (int round = 0; round < 1000; round += 1) {
        assert_int_equal(hf_rwlock_lock(&rwlock), HF_OK);
        assert_int_equal(hf_rwlock_unlock(&rwlock), HF_OK);
        assert_int_equal(hf_rwlock_trylock(&rwlock), HF_OK);
        assert_int_equal(hf_rwlock_unlock(&rwlock), HF_OK);
        assert_int_equal(hf_rwlock_lock_until(&rwlock, 0), HF_OK);
        assert_int_equal(hf_rwlock_unlock(&rwlock), HF_OK);
        assert_int_equal(hf_rwlock_lock_shared(&rwlock), HF_OK);
        assert_int_equal(hf_rwlock_trylock_shared(&rwlock), HF_OK);
        assert_int_equal(hf_rwlock_lock_shared_until(&rwlock, 0), HF_OK);
        for (int readers = 0; readers < 3; readers += 1) {
            assert_int_equal(hf_rwlock_unlock_shared(&rwlock), HF_OK);
        }
    }
    assert_int_equal(futex_spy_waits(), 0);
    assert_int_equal(futex_spy_wakes(NULL), 0);
    assert_zero();
}

static void readers_are_in_together_and_a_writer_is_alone(void **unused)
{
    (void)unused;
    assert_true(comes(ANNA, HF__SHARED, 0));
    assert_int_equal(hf_rwlock_trylock_shared(&rwlock), HF_OK);
    assert_int_equal(hf_rwlock_trylock(&rwlock), HF_BUSY);
    goes(ANNA, HF__SHARED);
    assert_int_equal(hf_rwlock_trylock(&rwlock), HF_BUSY);
    assert_int_equal(hf_rwlock_unlock_shared(&rwlock), HF_OK);
    assert_int_equal(hf_rwlock_trylock(&rwlock), HF_OK);
    assert_false(comes(ANNA, HF__SHARED, 0));
    assert_false(comes(ANNA, HF__EXCLUSIVE, 0));
    assert_int_equal(hf_rwlock_unlock(&rwlock), HF_OK);
    assert_zero();
}

static void only_who_holds_it_exclusively_is_told_that_it_does(void **unused)
{
    (void)unused;
    assert_false(hf_rwlock_is_mine(&rwlock));
    hf_rwlock_lock_shared(&rwlock);
    assert_false(hf_rwlock_is_mine(&rwlock));
    hf_rwlock_unlock_shared(&rwlock);
    comes(ANNA, HF__EXCLUSIVE, 0);
    assert_false(hf_rwlock_is_mine(&rwlock));
    goes(ANNA, HF__EXCLUSIVE);

    assert_int_equal(hf_rwlock_lock(&rwlock), HF_OK);
    assert_true(hf_rwlock_is_mine(&rwlock));
    hf_rwlock_unlock(&rwlock);
    assert_int_equal(hf_rwlock_trylock(&rwlock), HF_OK);
    assert_true(hf_rwlock_is_mine(&rwlock));
    hf_rwlock_unlock(&rwlock);
    assert_int_equal(hf_rwlock_lock_until(&rwlock, 0), HF_OK);
    assert_true(hf_rwlock_is_mine(&rwlock));
    hf_rwlock_unlock(&rwlock);
    assert_false(hf_rwlock_is_mine(&rwlock));
}

static void unlock_of_what_is_not_held_is_refused_and_changes_nothing(void **unused)
{
    (void)unused;
    assert_int_equal(hf_rwlock_unlock(&rwlock), HF_NOT_OWNER);
    assert_int_equal(hf_rwlock_unlock_shared(&rwlock), HF_NOT_OWNER);
    assert_zero();

    comes(ANNA, HF__EXCLUSIVE, 0);
    uint64_t before = rwlock.gate.word;
    assert_int_equal(hf_rwlock_unlock(&rwlock), HF_NOT_OWNER);
    assert_int_equal(hf_rwlock_unlock_shared(&rwlock), HF_NOT_OWNER);
    assert_int_equal(rwlock.gate.word, before);
    assert_int_equal(rwlock.gate.own, ANNA);
    goes(ANNA, HF__EXCLUSIVE);
    assert_zero();
}

static void unlock_in_the_wrong_mode_is_refused_and_changes_nothing(void **unused)
{
    (void)unused;
    hf_rwlock_lock_shared(&rwlock);
    assert_int_equal(hf_rwlock_unlock(&rwlock), HF_NOT_OWNER);
    assert_int_equal(rwlock.gate.word, 1);
    assert_int_equal(hf_rwlock_unlock_shared(&rwlock), HF_OK);

    hf_rwlock_lock(&rwlock);
    assert_int_equal(hf_rwlock_unlock_shared(&rwlock), HF_NOT_OWNER);
    assert_true(hf_rwlock_is_mine(&rwlock));
    assert_int_equal(hf_rwlock_unlock(&rwlock), HF_OK);
    assert_zero();
}

static void lock_by_the_writer_is_a_deadlock_in_both_modes(void **unused)
{
    (void)unused;
    int64_t soon = hf_now_ns() + HF_MILLISECOND;
    hf_rwlock_lock(&rwlock);
    assert_int_equal(hf_rwlock_lock(&rwlock), HF_DEADLOCK);
    assert_int_equal(hf_rwlock_lock_until(&rwlock, soon), HF_DEADLOCK);
    assert_int_equal(hf_rwlock_trylock(&rwlock), HF_BUSY);
    assert_int_equal(hf_rwlock_lock_shared(&rwlock), HF_DEADLOCK);
    assert_int_equal(hf_rwlock_lock_shared_until(&rwlock, soon), HF_DEADLOCK);
    assert_int_equal(hf_rwlock_trylock_shared(&rwlock), HF_BUSY);
    assert_true(hf_rwlock_is_mine(&rwlock));
    assert_int_equal(futex_spy_waits(), 0);
    assert_int_equal(hf_rwlock_unlock(&rwlock), HF_OK);
    assert_zero();
}

static void no_reader_comes_before_a_writer_that_is_next(void **unused)
{
    (void)unused;
    hf_rwlock_lock_shared(&rwlock);
    assert_false(comes(BERT, HF__EXCLUSIVE, 0));
    assert_true(comes(CARL, HF__SHARED, 0)); /* its patience is not over yet */
    assert_false(comes(BERT, HF__EXCLUSIVE, PLACE));
    assert_int_equal(hf_rwlock_trylock_shared(&rwlock), HF_BUSY);
    hf_rwlock_unlock_shared(&rwlock);
    assert_false(comes(BERT, HF__EXCLUSIVE, PLACE));
    goes(CARL, HF__SHARED);
    assert_int_equal(hf_rwlock_trylock_shared(&rwlock), HF_BUSY);
    assert_true(comes(BERT, HF__EXCLUSIVE, PLACE));
    goes(BERT, HF__EXCLUSIVE);
    assert_zero();
}

static void no_writer_comes_before_a_reader_that_is_next(void **unused)
{
    (void)unused;
    comes(ANNA, HF__EXCLUSIVE, 0);
    assert_false(comes(BERT, HF__SHARED, PLACE));
    goes(ANNA, HF__EXCLUSIVE);
    assert_int_equal(hf_rwlock_trylock(&rwlock), HF_BUSY);
    assert_int_equal(hf_rwlock_trylock_shared(&rwlock), HF_BUSY);
    assert_true(comes(BERT, HF__SHARED, PLACE));
    assert_int_equal(hf_rwlock_trylock_shared(&rwlock), HF_OK);
}

static void the_last_reader_that_leaves_wakes_a_writer_and_no_other_does(void **unused)
{
    (void)unused;
    comes(ANNA, HF__SHARED, 0);
    hf_rwlock_lock_shared(&rwlock);
    assert_false(comes(BERT, HF__EXCLUSIVE, 0));
    goes(ANNA, HF__SHARED);
    assert_int_equal(futex_spy_wakes(NULL), 0);
    hf_rwlock_unlock_shared(&rwlock);
    assert_int_equal(wakes_of_sleepers(), 1);
    assert_zero();
}

static void a_woken_reader_lets_the_sleeping_readers_in(void **unused)
{
    (void)unused;
    hf_rwlock_lock(&rwlock);
    comes(ANNA, HF__SHARED, 0);
    comes(BERT, HF__SHARED, 0);
    hf_rwlock_unlock(&rwlock);
    assert_int_equal(futex_spy_wake_count(hf__low_half(&rwlock.gate.word)), 1);
    assert_true(comes(ANNA, HF__SHARED, ONCE_OVERTAKEN));
    assert_int_equal(wakes_of_sleepers(), 2);
    assert_true(comes(BERT, HF__SHARED, ONCE_OVERTAKEN));
    assert_int_equal(wakes_of_sleepers(), 3);
    goes(ANNA, HF__SHARED);
    goes(BERT, HF__SHARED);
    assert_zero();
}

static void a_reader_that_was_next_lets_the_sleeping_readers_in(void **unused)
{
    (void)unused;
    hf_rwlock_lock(&rwlock);
    comes(ANNA, HF__SHARED, PLACE);
    comes(BERT, HF__SHARED, 0);
    hf_rwlock_unlock(&rwlock);
    assert_int_equal(wakes_of_sleepers(), 0);
    assert_true(comes(ANNA, HF__SHARED, PLACE));
    assert_int_equal(wakes_of_sleepers(), 1);
}

static void leave_anna_shared(void)
{
    goes(ANNA, HF__SHARED);
}

static void leave_anna_exclusive(void)
{
    goes(ANNA, HF__EXCLUSIVE);
}

static void lock_waits_until_the_readers_have_left(void **unused)
{
    (void)unused;
    comes(ANNA, HF__SHARED, 0);
    futex_spy_at_next_wait(leave_anna_shared);
    assert_int_equal(hf_rwlock_lock(&rwlock), HF_OK);
    assert_int_equal(futex_spy_waits(), 1);
    assert_true(hf_rwlock_is_mine(&rwlock));
    hf_rwlock_unlock(&rwlock);
    assert_zero();
}

static void lock_shared_waits_until_the_writer_has_left(void **unused)
{
    (void)unused;
    comes(ANNA, HF__EXCLUSIVE, 0);
    futex_spy_at_next_wait(leave_anna_exclusive);
    assert_int_equal(hf_rwlock_lock_shared(&rwlock), HF_OK);
    assert_int_equal(futex_spy_waits(), 1);
    assert_int_equal(hf_rwlock_trylock_shared(&rwlock), HF_OK);
    hf_rwlock_unlock_shared(&rwlock);
    hf_rwlock_unlock_shared(&rwlock);
    assert_zero();
}

static void anna_comes_to_write(void)
{
    assert_true(comes(ANNA, HF__EXCLUSIVE, ONCE_OVERTAKEN));
}

static void the_next_writer_is_not_forgotten_by_the_one_before(void **unused)
{
    (void)unused;
    hf_rwlock_lock(&rwlock);
    assert_false(comes(ANNA, HF__EXCLUSIVE, 0));
    futex_spy_at_next_wake(anna_comes_to_write);
    hf_rwlock_unlock(&rwlock);
    assert_int_equal(rwlock.gate.own, ANNA);
    goes(ANNA, HF__EXCLUSIVE);
    assert_zero();
}

static void a_past_deadline_takes_a_free_lock_or_leaves_at_once(void **unused)
{
    (void)unused;
    int64_t past = hf_now_ns() - 1;
    comes(ANNA, HF__SHARED, 0);
    assert_int_equal(hf_rwlock_lock_until(&rwlock, past), HF_TIMEOUT);
    assert_int_equal(hf_rwlock_lock_shared_until(&rwlock, past), HF_OK);
    goes(ANNA, HF__SHARED);
    hf_rwlock_unlock_shared(&rwlock);
    comes(ANNA, HF__EXCLUSIVE, 0);
    assert_int_equal(hf_rwlock_lock_until(&rwlock, past), HF_TIMEOUT);
    assert_int_equal(hf_rwlock_lock_shared_until(&rwlock, INT64_MIN / 2), HF_TIMEOUT);
    assert_int_equal(rwlock.gate.own, ANNA);
    goes(ANNA, HF__EXCLUSIVE);
    assert_int_equal(futex_spy_waits(), 0);
    assert_zero();
}

static void a_wait_times_out_not_before_its_deadline_and_holds_nothing(void **unused)
{
    (void)unused;
    comes(ANNA, HF__SHARED, 0);
    int64_t deadline = hf_now_ns() + 5 * HF_MILLISECOND;
    assert_int_equal(hf_rwlock_lock_until(&rwlock, deadline), HF_TIMEOUT);
    assert_true(hf_now_ns() >= deadline);
    assert_false(hf_rwlock_is_mine(&rwlock));
    assert_true(comes(BERT, HF__SHARED, 0)); /* it has left no reservation */
    goes(BERT, HF__SHARED);
    goes(ANNA, HF__SHARED);

    comes(ANNA, HF__EXCLUSIVE, 0);
    deadline = hf_now_ns() + 5 * HF_MILLISECOND;
    assert_int_equal(hf_rwlock_lock_shared_until(&rwlock, deadline), HF_TIMEOUT);
    assert_true(hf_now_ns() >= deadline);
    goes(ANNA, HF__EXCLUSIVE);
    assert_zero();
}

#define TEST(function) cmocka_unit_test_setup(function, start_afresh)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(without_contention_it_never_waits_and_never_wakes),
        TEST(readers_are_in_together_and_a_writer_is_alone),
        TEST(only_who_holds_it_exclusively_is_told_that_it_does),
        TEST(unlock_of_what_is_not_held_is_refused_and_changes_nothing),
        TEST(unlock_in_the_wrong_mode_is_refused_and_changes_nothing),
        TEST(lock_by_the_writer_is_a_deadlock_in_both_modes),
        TEST(no_reader_comes_before_a_writer_that_is_next),
        TEST(no_writer_comes_before_a_reader_that_is_next),
        TEST(the_last_reader_that_leaves_wakes_a_writer_and_no_other_does),
        TEST(a_woken_reader_lets_the_sleeping_readers_in),
        TEST(a_reader_that_was_next_lets_the_sleeping_readers_in),
        TEST(lock_waits_until_the_readers_have_left),
        TEST(lock_shared_waits_until_the_writer_has_left),
        TEST(the_next_writer_is_not_forgotten_by_the_one_before),
        TEST(a_past_deadline_takes_a_free_lock_or_leaves_at_once),
        TEST(a_wait_times_out_not_before_its_deadline_and_holds_nothing),
    };
    watchdog_start((const uint32_t *)&rwlock, sizeof rwlock / sizeof(uint32_t));
    int failed = cmocka_run_group_tests_name("rwlock", tests, NULL, NULL);
    watchdog_stop();
    return failed;
}
