/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* A reader-writer lock as one thread sees it; the algorithm is the gate's (models/specification). Other
 * threads are identities that are passed in. */
#include <stdbool.h>

#include "gate_word.h"
#include "rwlock.h"

#include "cmocka_with_headers.h"
#include "futex_spy.h"
#include "watchdog.h"

enum { ANNA = 1, BERT = 2, CARL = 3 };

#define ONCE_OVERTAKEN ((uint32_t)WOKEN_IN_VAIN << HF__TOKEN_STAGE)
#define PLACE ((uint32_t)OUT_OF_PATIENCE << HF__TOKEN_STAGE)

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

typedef enum mode { READS, WRITES } mode;

static uint32_t amount_of(uint32_t self, mode mode)
{
    return mode == READS ? HF__SHARED : hf__rwlock_writer(self);
}

static hf__outcome ask(uint32_t self, mode mode, hf__token token)
{
    return hf__gate_step(&rwlock.gate, self, HF__BLOCKING, token, amount_of(self, mode), HF__RWLOCK_CAPACITY);
}

/* Another thread tries to lock. Returns whether it was granted. */
static bool comes(uint32_t self, mode mode, hf__token token)
{
    return ask(self, mode, token) == HF__DONE;
}

static void goes(uint32_t self, mode mode)
{
    assert_int_equal(hf__rwlock_release(&rwlock, amount_of(self, mode)), HF_OK);
}

static void assert_written_by(uint32_t self)
{
    assert_int_equal(hf__gate_used(&rwlock.gate), hf__rwlock_writer(self));
}

static uint32_t wakes_of_sleepers(void)
{
    return futex_spy_wakes(hf__low_half(&rwlock.gate.word));
}

static void without_contention_no_call_waits_or_wakes(void **unused)
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

static void readers_hold_together_and_a_writer_holds_alone(void **unused)
{
    (void)unused;
    assert_true(comes(ANNA, READS, 0));
    assert_int_equal(hf_rwlock_trylock_shared(&rwlock), HF_OK);
    assert_int_equal(hf_rwlock_trylock(&rwlock), HF_BUSY);
    goes(ANNA, READS);
    assert_int_equal(hf_rwlock_trylock(&rwlock), HF_BUSY);
    assert_int_equal(hf_rwlock_unlock_shared(&rwlock), HF_OK);
    assert_int_equal(hf_rwlock_trylock(&rwlock), HF_OK);
    assert_false(comes(ANNA, READS, 0));
    assert_false(comes(ANNA, WRITES, 0));
    assert_int_equal(hf_rwlock_unlock(&rwlock), HF_OK);
    assert_zero();
}

static void is_mine_is_true_only_for_the_writer(void **unused)
{
    (void)unused;
    assert_false(hf_rwlock_is_mine(&rwlock));
    hf_rwlock_lock_shared(&rwlock);
    assert_false(hf_rwlock_is_mine(&rwlock));
    hf_rwlock_unlock_shared(&rwlock);
    comes(ANNA, WRITES, 0);
    assert_false(hf_rwlock_is_mine(&rwlock));
    goes(ANNA, WRITES);

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

static void unlock_of_a_free_lock_is_refused_and_changes_nothing(void **unused)
{
    (void)unused;
    assert_int_equal(hf_rwlock_unlock(&rwlock), HF_NOT_OWNER);
    assert_int_equal(hf_rwlock_unlock_shared(&rwlock), HF_NOT_OWNER);
    assert_zero();

    comes(ANNA, WRITES, 0);
    uint64_t before = rwlock.gate.word;
    assert_int_equal(hf_rwlock_unlock(&rwlock), HF_NOT_OWNER);
    assert_int_equal(hf_rwlock_unlock_shared(&rwlock), HF_NOT_OWNER);
    assert_int_equal(rwlock.gate.word, before);
    assert_written_by(ANNA);
    goes(ANNA, WRITES);
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

static void no_reader_overtakes_a_writer_that_is_the_heir(void **unused)
{
    (void)unused;
    hf_rwlock_lock_shared(&rwlock);
    assert_false(comes(BERT, WRITES, 0));
    assert_true(comes(CARL, READS, 0)); /* the writer is still patient */
    assert_false(comes(BERT, WRITES, PLACE));
    assert_int_equal(hf_rwlock_trylock_shared(&rwlock), HF_BUSY);
    hf_rwlock_unlock_shared(&rwlock);
    assert_false(comes(BERT, WRITES, PLACE));
    goes(CARL, READS);
    assert_int_equal(hf_rwlock_trylock_shared(&rwlock), HF_BUSY);
    assert_true(comes(BERT, WRITES, PLACE));
    goes(BERT, WRITES);
    assert_zero();
}

static void no_writer_overtakes_a_reader_that_is_the_heir(void **unused)
{
    (void)unused;
    comes(ANNA, WRITES, 0);
    assert_false(comes(BERT, READS, PLACE));
    goes(ANNA, WRITES);
    assert_int_equal(hf_rwlock_trylock(&rwlock), HF_BUSY);
    assert_int_equal(hf_rwlock_trylock_shared(&rwlock), HF_BUSY);
    assert_true(comes(BERT, READS, PLACE));
    assert_int_equal(hf_rwlock_trylock_shared(&rwlock), HF_OK);
}

static void the_last_reader_that_leaves_wakes_a_writer_and_no_other_does(void **unused)
{
    (void)unused;
    comes(ANNA, READS, 0);
    hf_rwlock_lock_shared(&rwlock);
    assert_false(comes(BERT, WRITES, 0));
    goes(ANNA, READS);
    assert_int_equal(futex_spy_wakes(NULL), 0);
    hf_rwlock_unlock_shared(&rwlock);
    assert_int_equal(wakes_of_sleepers(), 1);
    assert_zero();
}

static void a_woken_reader_lets_the_sleeping_readers_in(void **unused)
{
    (void)unused;
    hf_rwlock_lock(&rwlock);
    comes(ANNA, READS, 0);
    comes(BERT, READS, 0);
    hf_rwlock_unlock(&rwlock);
    assert_int_equal(futex_spy_wake_count(hf__low_half(&rwlock.gate.word)), 1);
    assert_true(comes(ANNA, READS, ONCE_OVERTAKEN));
    assert_int_equal(wakes_of_sleepers(), 2);
    assert_true(comes(BERT, READS, ONCE_OVERTAKEN));
    assert_int_equal(wakes_of_sleepers(), 3);
    goes(ANNA, READS);
    goes(BERT, READS);
    assert_zero();
}

static void a_reader_that_was_the_heir_lets_the_sleeping_readers_in(void **unused)
{
    (void)unused;
    hf_rwlock_lock(&rwlock);
    comes(ANNA, READS, PLACE);
    comes(BERT, READS, 0);
    hf_rwlock_unlock(&rwlock);
    assert_int_equal(wakes_of_sleepers(), 0);
    assert_true(comes(ANNA, READS, PLACE));
    assert_int_equal(wakes_of_sleepers(), 1);
}

static void leave_anna_shared(void)
{
    goes(ANNA, READS);
}

static void leave_anna_exclusive(void)
{
    goes(ANNA, WRITES);
}

static void lock_waits_until_the_readers_have_left(void **unused)
{
    (void)unused;
    comes(ANNA, READS, 0);
    futex_spy_at_next_wait(leave_anna_shared);
    assert_int_equal(hf_rwlock_lock(&rwlock), HF_OK);
    assert_int_equal(futex_spy_waits(), 1);
    assert_int_equal(futex_spy_timeout_ns(), HF_PATIENCE_NS); /* no limit shortens the slice */
    assert_true(hf_rwlock_is_mine(&rwlock));
    hf_rwlock_unlock(&rwlock);
    assert_zero();
}

static void lock_shared_waits_until_the_writer_has_left(void **unused)
{
    (void)unused;
    comes(ANNA, WRITES, 0);
    futex_spy_at_next_wait(leave_anna_exclusive);
    assert_int_equal(hf_rwlock_lock_shared(&rwlock), HF_OK);
    assert_int_equal(futex_spy_waits(), 1);
    assert_int_equal(futex_spy_timeout_ns(), HF_PATIENCE_NS); /* no limit shortens the slice */
    assert_int_equal(hf_rwlock_trylock_shared(&rwlock), HF_OK);
    hf_rwlock_unlock_shared(&rwlock);
    hf_rwlock_unlock_shared(&rwlock);
    assert_zero();
}

static void lock_shared_waits_while_there_are_the_most_readers(void **unused)
{
    (void)unused;
    rwlock.gate.word = HF__RWLOCK_CAPACITY;
    futex_spy_at_next_wait(leave_anna_shared);
    assert_int_equal(hf_rwlock_lock_shared(&rwlock), HF_OK);
    assert_int_equal(futex_spy_waits(), 1);
    assert_int_equal(hf_rwlock_unlock_shared(&rwlock), HF_OK);
    assert_int_equal(hf__gate_used(&rwlock.gate), HF__RWLOCK_CAPACITY - 1);
}

static void anna_comes_to_write(void)
{
    assert_true(comes(ANNA, WRITES, ONCE_OVERTAKEN));
}

static void a_writer_that_comes_during_an_unlock_keeps_the_lock(void **unused)
{
    (void)unused;
    hf_rwlock_lock(&rwlock);
    assert_false(comes(ANNA, WRITES, 0));
    futex_spy_at_next_wake(anna_comes_to_write);
    hf_rwlock_unlock(&rwlock);
    assert_written_by(ANNA);
    goes(ANNA, WRITES);
    assert_zero();
}

static void a_past_deadline_takes_a_free_lock_or_leaves_at_once(void **unused)
{
    (void)unused;
    int64_t past = hf_now_ns() - 1;
    comes(ANNA, READS, 0);
    assert_int_equal(hf_rwlock_lock_until(&rwlock, past), HF_TIMEOUT);
    assert_int_equal(hf_rwlock_lock_shared_until(&rwlock, past), HF_OK);
    goes(ANNA, READS);
    hf_rwlock_unlock_shared(&rwlock);
    comes(ANNA, WRITES, 0);
    assert_int_equal(hf_rwlock_lock_until(&rwlock, past), HF_TIMEOUT);
    assert_int_equal(hf_rwlock_lock_shared_until(&rwlock, INT64_MIN / 2), HF_TIMEOUT);
    assert_written_by(ANNA);
    goes(ANNA, WRITES);
    assert_int_equal(futex_spy_waits(), 0);
    assert_zero();
}

static void a_wait_does_not_time_out_before_its_deadline_and_then_holds_nothing(void **unused)
{
    (void)unused;
    comes(ANNA, READS, 0);
    int64_t deadline = hf_now_ns() + 5 * HF_MILLISECOND;
    assert_int_equal(hf_rwlock_lock_until(&rwlock, deadline), HF_TIMEOUT);
    assert_true(hf_now_ns() >= deadline);
    assert_false(hf_rwlock_is_mine(&rwlock));
    assert_true(comes(BERT, READS, 0)); /* the thread that gave up has left no reservation */
    goes(BERT, READS);
    goes(ANNA, READS);

    comes(ANNA, WRITES, 0);
    deadline = hf_now_ns() + 5 * HF_MILLISECOND;
    assert_int_equal(hf_rwlock_lock_shared_until(&rwlock, deadline), HF_TIMEOUT);
    assert_true(hf_now_ns() >= deadline);
    goes(ANNA, WRITES);
    assert_zero();
}

static void amounts_of_readers_and_writers_never_coincide(void **unused)
{
    (void)unused;
    const uint32_t writers[] = {hf__rwlock_writer(1), hf__rwlock_writer(HF_THREAD_MARK - 1), HF_THREAD_JS,
                                HF_THREAD_MASK};
    for (size_t at = 0; at < sizeof writers / sizeof writers[0]; at += 1) {
        start_afresh(unused);
        assert_true(writers[at] > HF__RWLOCK_MOST);
        assert_int_equal(hf__gate_try_after(&rwlock.gate, ANNA, 0, writers[at], HF__RWLOCK_CAPACITY), HF_OK);
        assert_int_equal(hf_rwlock_trylock(&rwlock), HF_BUSY);
        assert_int_equal(hf_rwlock_trylock_shared(&rwlock), HF_BUSY);
        assert_int_equal(hf_rwlock_unlock(&rwlock), HF_NOT_OWNER);
        assert_int_equal(hf_rwlock_unlock_shared(&rwlock), HF_NOT_OWNER);
        assert_int_equal(hf__rwlock_release(&rwlock, writers[at]), HF_OK);
        assert_zero();
    }
    rwlock.gate.word = HF__RWLOCK_CAPACITY - 1;
    assert_int_equal(hf_rwlock_trylock(&rwlock), HF_BUSY);
    assert_int_equal(hf_rwlock_trylock_shared(&rwlock), HF_OK);
    assert_int_equal(hf_rwlock_trylock_shared(&rwlock), HF_BUSY); /* the greatest number of readers */
    assert_int_equal(hf_rwlock_unlock(&rwlock), HF_NOT_OWNER);
    assert_int_equal(hf_rwlock_unlock_shared(&rwlock), HF_OK);
    assert_int_equal(rwlock.gate.word, HF__RWLOCK_CAPACITY - 1);
}

/* A JavaScript thread that has died. */
#define GHOST (HF_THREAD_JS | UINT32_C(7) << HF_THREAD_SLOT_BITS | 3)
#define LEFT (GHOST | HF_THREAD_MARK)
/* The word that a C thread leaves if it unlocks an abandoned lock without recovering it. */
#define LEFT_BY_NOBODY (HF_THREAD_JS | HF_THREAD_MARK)

static void ghost_is_found_dead(void)
{
    assert_true(hf__gate_abandon(&rwlock.gate, GHOST, LEFT));
}

/* The ghost has locked it exclusively and died. */
static void abandon(void)
{
    assert_int_equal(hf__gate_try_after(&rwlock.gate, GHOST, 0, GHOST, HF__RWLOCK_CAPACITY), HF_OK);
    ghost_is_found_dead();
}

static hf_result lock_now(void)
{
    return hf_rwlock_lock_until(&rwlock, 0);
}

static hf_result lock(void)
{
    return hf_rwlock_lock(&rwlock);
}

static hf_result try_lock(void)
{
    return hf_rwlock_trylock(&rwlock);
}

static hf_result lock_shared(void)
{
    return hf_rwlock_lock_shared(&rwlock);
}

static hf_result try_lock_shared(void)
{
    return hf_rwlock_trylock_shared(&rwlock);
}

static hf_result lock_shared_now(void)
{
    return hf_rwlock_lock_shared_until(&rwlock, 0);
}

static hf_result (*const WAYS[])(void) = {lock, try_lock, lock_now};
static hf_result (*const SHARED_WAYS[])(void) = {lock_shared, try_lock_shared, lock_shared_now};
enum { WAY_COUNT = sizeof WAYS / sizeof WAYS[0] };

static void every_way_to_lock_an_abandoned_rwlock_returns_abandoned_and_locks_it(void **unused)
{
    for (int way = 0; way < WAY_COUNT; way += 1) {
        start_afresh(unused);
        abandon();
        assert_int_equal(WAYS[way](), HF_ABANDONED);
        assert_int_equal(rwlock.gate.word, hf__rwlock_writer(hf_thread_id()) | HF_THREAD_MARK);
        assert_true(hf_rwlock_is_mine(&rwlock));
        assert_int_equal(hf_rwlock_lock(&rwlock), HF_DEADLOCK);
        assert_int_equal(hf_rwlock_lock_shared(&rwlock), HF_DEADLOCK);
        assert_false(comes(ANNA, READS, 0));
        assert_int_equal(hf_rwlock_recover(&rwlock), HF_OK);
        assert_written_by(hf_thread_id());
        assert_int_equal(hf_rwlock_recover(&rwlock), HF_NOT_OWNER);
        assert_int_equal(hf_rwlock_unlock(&rwlock), HF_OK);
        assert_true(comes(ANNA, READS, 0));
        assert_int_equal(futex_spy_waits(), 0);
    }
}

static void every_way_to_lock_an_abandoned_rwlock_shared_returns_abandoned_and_holds_nothing(void **unused)
{
    for (int way = 0; way < WAY_COUNT; way += 1) {
        start_afresh(unused);
        abandon();
        assert_int_equal(SHARED_WAYS[way](), HF_ABANDONED);
        assert_int_equal(rwlock.gate.word, LEFT);
        assert_int_equal(hf_rwlock_unlock_shared(&rwlock), HF_NOT_OWNER);
        assert_int_equal(hf_rwlock_recover(&rwlock), HF_NOT_OWNER);
        assert_int_equal(hf_rwlock_lock(&rwlock), HF_ABANDONED);
        assert_int_equal(SHARED_WAYS[way](), way == 1 ? HF_BUSY : HF_DEADLOCK);
        assert_int_equal(hf_rwlock_recover(&rwlock), HF_OK);
        assert_int_equal(hf_rwlock_unlock(&rwlock), HF_OK);
        assert_int_equal(SHARED_WAYS[way](), HF_OK);
        assert_int_equal(hf_rwlock_unlock_shared(&rwlock), HF_OK);
        assert_zero();
    }
}

static void unlock_without_recovery_returns_abandoned_to_the_next_owner(void **unused)
{
    (void)unused;
    abandon();
    for (int times = 0; times < 3; times += 1) {
        assert_int_equal(hf_rwlock_lock(&rwlock), HF_ABANDONED);
        assert_int_equal(hf_rwlock_unlock_shared(&rwlock), HF_NOT_OWNER);
        assert_int_equal(ask(ANNA, READS, 0) >> 32, HF__WAIT_LINE);
        futex_spy_reset();
        assert_int_equal(hf_rwlock_unlock(&rwlock), HF_OK);
        assert_int_equal(futex_spy_wake_count(hf__low_half(&rwlock.gate.word)), HF__WAKE_ALL);
        assert_int_equal(rwlock.gate.word, LEFT_BY_NOBODY);
        assert_int_equal(hf_rwlock_trylock_shared(&rwlock), HF_ABANDONED);
        assert_false(hf_rwlock_is_mine(&rwlock));
    }
    assert_int_equal(hf_rwlock_lock(&rwlock), HF_ABANDONED);
    assert_int_equal(hf_rwlock_recover(&rwlock), HF_OK);
    assert_int_equal(hf_rwlock_unlock(&rwlock), HF_OK);
    assert_zero();
}

static void a_waiter_returns_abandoned_when_the_writer_is_found_dead(void **unused)
{
    for (int mode = READS; mode <= WRITES; mode += 1) {
        start_afresh(unused);
        hf__gate_try_after(&rwlock.gate, GHOST, 0, GHOST, HF__RWLOCK_CAPACITY);
        futex_spy_at_next_wait(ghost_is_found_dead);
        assert_int_equal(mode == READS ? hf_rwlock_lock_shared(&rwlock) : hf_rwlock_lock(&rwlock),
                         HF_ABANDONED);
        assert_int_equal(futex_spy_waits(), 1);
        assert_true(hf_rwlock_is_mine(&rwlock) == (mode == WRITES));
    }
}

static void recover_without_an_abandoned_lock_is_refused(void **unused)
{
    (void)unused;
    assert_int_equal(hf_rwlock_recover(&rwlock), HF_NOT_OWNER);
    hf_rwlock_lock(&rwlock);
    assert_int_equal(hf_rwlock_recover(&rwlock), HF_NOT_OWNER);
    assert_written_by(hf_thread_id());
    hf_rwlock_unlock(&rwlock);
    hf_rwlock_lock_shared(&rwlock);
    assert_int_equal(hf_rwlock_recover(&rwlock), HF_NOT_OWNER);
    hf_rwlock_unlock_shared(&rwlock);
    assert_zero();
    abandon();
    assert_int_equal(hf_rwlock_unlock(&rwlock), HF_NOT_OWNER);
    assert_int_equal(rwlock.gate.word, LEFT);
}

static void a_downgrade_makes_the_writer_a_reader(void **unused)
{
    (void)unused;
    hf_rwlock_lock(&rwlock);
    assert_int_equal(hf_rwlock_downgrade(&rwlock), HF_OK);
    assert_int_equal(rwlock.gate.word, HF__SHARED);
    assert_false(hf_rwlock_is_mine(&rwlock));
    assert_int_equal(hf_rwlock_trylock(&rwlock), HF_BUSY);
    assert_int_equal(hf_rwlock_trylock_shared(&rwlock), HF_OK);
    assert_int_equal(hf_rwlock_unlock(&rwlock), HF_NOT_OWNER);
    assert_int_equal(hf_rwlock_unlock_shared(&rwlock), HF_OK);
    assert_int_equal(hf_rwlock_unlock_shared(&rwlock), HF_OK);
    assert_int_equal(futex_spy_waits(), 0);
    assert_int_equal(futex_spy_wakes(NULL), 0);
    assert_zero();
}

static void a_downgrade_by_another_than_the_writer_is_refused_and_changes_nothing(void **unused)
{
    (void)unused;
    assert_int_equal(hf_rwlock_downgrade(&rwlock), HF_NOT_OWNER);
    assert_zero();
    hf_rwlock_lock_shared(&rwlock);
    assert_int_equal(hf_rwlock_downgrade(&rwlock), HF_NOT_OWNER);
    assert_int_equal(rwlock.gate.word, HF__SHARED);
    hf_rwlock_unlock_shared(&rwlock);

    /* Identities one below and one above. */
    for (uint32_t self = ANNA; self <= CARL; self += 1) {
        comes(BERT, WRITES, 0);
        uint64_t before = rwlock.gate.word;
        hf_result result = hf__rwlock_downgrade(&rwlock, hf__rwlock_writer(self));
        assert_int_equal(result, self == BERT ? HF_OK : HF_NOT_OWNER);
        assert_int_equal(rwlock.gate.word, self == BERT ? HF__SHARED : before);
        goes(BERT, self == BERT ? READS : WRITES);
    }
    assert_zero();
}

static void a_downgrade_lets_the_sleeping_readers_in_and_no_writer(void **unused)
{
    (void)unused;
    hf_rwlock_lock(&rwlock);
    comes(ANNA, READS, 0);
    comes(BERT, READS, 0);
    assert_int_equal(hf_rwlock_downgrade(&rwlock), HF_OK);
    assert_int_equal(wakes_of_sleepers(), 1);
    assert_true(comes(ANNA, READS, ONCE_OVERTAKEN));
    assert_int_equal(wakes_of_sleepers(), 2);
    assert_false(comes(CARL, WRITES, 0));
    assert_true(comes(BERT, READS, ONCE_OVERTAKEN));
    goes(ANNA, READS);
    goes(BERT, READS);
    assert_false(comes(CARL, WRITES, ONCE_OVERTAKEN));
    hf_rwlock_unlock_shared(&rwlock);
    assert_true(comes(CARL, WRITES, ONCE_OVERTAKEN));
}

static void a_downgrade_wakes_all_if_a_writer_sleeps_before_a_reader(void **unused)
{
    (void)unused;
    hf_rwlock_lock(&rwlock);
    comes(ANNA, WRITES, 0);
    comes(BERT, READS, 0);
    assert_int_equal(hf_rwlock_downgrade(&rwlock), HF_OK);
    assert_int_equal(futex_spy_wake_count(hf__low_half(&rwlock.gate.word)), HF__WAKE_ALL);
    assert_false(comes(ANNA, WRITES, ONCE_OVERTAKEN));
    assert_true(comes(BERT, READS, ONCE_OVERTAKEN));
}

static void a_downgrade_reserves_the_lock_for_a_reader_that_is_the_heir(void **unused)
{
    (void)unused;
    hf_rwlock_lock(&rwlock);
    assert_false(comes(BERT, READS, PLACE));
    assert_int_equal(hf_rwlock_downgrade(&rwlock), HF_OK);
    assert_int_equal(hf_rwlock_trylock_shared(&rwlock), HF_BUSY);
    assert_true(comes(BERT, READS, PLACE));
    assert_int_equal(hf_rwlock_trylock_shared(&rwlock), HF_OK);
}

static void after_a_downgrade_no_reader_overtakes_a_writer_that_is_the_heir(void **unused)
{
    (void)unused;
    hf_rwlock_lock(&rwlock);
    assert_false(comes(BERT, WRITES, PLACE));
    assert_int_equal(hf_rwlock_downgrade(&rwlock), HF_OK);
    assert_false(comes(BERT, WRITES, PLACE));
    assert_int_equal(hf_rwlock_trylock_shared(&rwlock), HF_BUSY);
    hf_rwlock_unlock_shared(&rwlock);
    assert_int_equal(hf_rwlock_trylock_shared(&rwlock), HF_BUSY);
    assert_true(comes(BERT, WRITES, PLACE));
    goes(BERT, WRITES);
    assert_zero();
}

static void a_downgrade_of_an_unrecovered_lock_returns_abandoned_and_changes_nothing(void **unused)
{
    (void)unused;
    abandon();
    assert_int_equal(hf_rwlock_downgrade(&rwlock), HF_NOT_OWNER);
    assert_int_equal(rwlock.gate.word, LEFT);
    assert_int_equal(hf_rwlock_lock(&rwlock), HF_ABANDONED);
    uint64_t before = rwlock.gate.word;
    assert_int_equal(hf_rwlock_downgrade(&rwlock), HF_ABANDONED);
    assert_int_equal(rwlock.gate.word, before);
    assert_int_equal(hf_rwlock_recover(&rwlock), HF_OK);
    assert_int_equal(hf_rwlock_downgrade(&rwlock), HF_OK);
    assert_int_equal(hf_rwlock_unlock_shared(&rwlock), HF_OK);
    assert_zero();
}

static void comes_upgradable(uint32_t self)
{
    assert_int_equal(hf__gate_try_after(&rwlock.gate, self, 0, HF__UPGRADABLE, HF__RWLOCK_CAPACITY), HF_OK);
    hf__rwlock_note_upgradable(&rwlock, hf__rwlock_writer(self));
}

static void without_readers_no_call_of_the_upgradable_mode_waits_or_wakes(void **unused)
{
    (void)unused;
    assert_int_equal(hf_rwlock_lock_upgradable(&rwlock), HF_OK);
    assert_true(hf_rwlock_is_upgradable_mine(&rwlock));
    assert_false(hf_rwlock_is_mine(&rwlock));
    assert_int_equal(hf_rwlock_unlock_upgradable(&rwlock), HF_OK);
    assert_zero();
    assert_int_equal(hf_rwlock_trylock_upgradable(&rwlock), HF_OK);
    assert_int_equal(hf_rwlock_try_upgrade(&rwlock), HF_OK);
    assert_true(hf_rwlock_is_mine(&rwlock));
    assert_false(hf_rwlock_is_upgradable_mine(&rwlock));
    assert_int_equal(hf_rwlock_unlock(&rwlock), HF_OK);
    assert_zero();
    assert_int_equal(hf_rwlock_lock_upgradable_until(&rwlock, 0), HF_OK);
    assert_int_equal(hf_rwlock_upgrade_until(&rwlock, 0), HF_OK);
    assert_int_equal(hf_rwlock_downgrade(&rwlock), HF_OK);
    assert_int_equal(hf_rwlock_unlock_shared(&rwlock), HF_OK);
    assert_zero();
    assert_int_equal(hf_rwlock_lock_upgradable(&rwlock), HF_OK);
    assert_int_equal(hf_rwlock_upgrade(&rwlock), HF_OK);
    assert_written_by(hf_thread_id());
    assert_int_equal(hf_rwlock_unlock(&rwlock), HF_OK);
    assert_zero();
    assert_int_equal(futex_spy_waits(), 0);
    assert_int_equal(futex_spy_wakes(NULL), 0);
}

static void an_upgradable_reader_is_beside_readers_and_keeps_all_others_out(void **unused)
{
    (void)unused;
    assert_true(comes(ANNA, READS, 0));
    comes_upgradable(BERT);
    assert_int_equal(hf_rwlock_trylock_shared(&rwlock), HF_OK);
    assert_int_equal(hf_rwlock_trylock_upgradable(&rwlock), HF_BUSY);
    assert_int_equal(hf_rwlock_trylock(&rwlock), HF_BUSY);
    goes(ANNA, READS);
    assert_int_equal(hf_rwlock_unlock_shared(&rwlock), HF_OK);
    assert_int_equal(hf_rwlock_trylock(&rwlock), HF_BUSY);
    assert_int_equal(hf_rwlock_trylock_upgradable(&rwlock), HF_BUSY);
    assert_int_equal(hf__rwlock_release(&rwlock, HF__UPGRADABLE), HF_OK);
    assert_zero();
    assert_true(comes(ANNA, WRITES, 0));
    assert_int_equal(hf_rwlock_trylock_upgradable(&rwlock), HF_BUSY);
    assert_int_equal(hf_rwlock_lock_upgradable_until(&rwlock, 0), HF_TIMEOUT);
    goes(ANNA, WRITES);
}

static void unlock_shared_beside_an_upgradable_reader_alone_is_refused(void **unused)
{
    (void)unused;
    comes_upgradable(ANNA);
    uint64_t before = rwlock.gate.word;
    assert_int_equal(hf_rwlock_unlock_shared(&rwlock), HF_NOT_OWNER);
    assert_int_equal(rwlock.gate.word, before);
    assert_true(comes(BERT, READS, 0));
    assert_int_equal(hf__rwlock_upgrade_step(&rwlock, hf__rwlock_writer(ANNA)) >> 32, HF__WAIT_LINE);
    goes(BERT, READS);
    assert_int_equal(hf_rwlock_unlock_shared(&rwlock), HF_NOT_OWNER);
    assert_int_equal(hf__gate_used(&rwlock.gate), HF__UPGRADING);
    assert_int_equal(hf__rwlock_upgrade_step(&rwlock, hf__rwlock_writer(ANNA)), HF__DONE);
    assert_int_equal(hf_rwlock_unlock_shared(&rwlock), HF_NOT_OWNER);
    assert_written_by(ANNA);
}

static void calls_of_the_upgradable_reader_that_would_wait_for_itself_are_refused(void **unused)
{
    (void)unused;
    hf_rwlock_lock_upgradable(&rwlock);
    uint64_t before = rwlock.gate.word;
    assert_int_equal(hf_rwlock_lock(&rwlock), HF_DEADLOCK);
    assert_int_equal(hf_rwlock_lock_until(&rwlock, 0), HF_DEADLOCK);
    assert_int_equal(hf_rwlock_lock_upgradable(&rwlock), HF_DEADLOCK);
    assert_int_equal(hf_rwlock_lock_upgradable_until(&rwlock, 0), HF_DEADLOCK);
    assert_int_equal(hf_rwlock_unlock(&rwlock), HF_NOT_OWNER);
    assert_int_equal(rwlock.gate.word, before);
    assert_int_equal(hf_rwlock_upgrade(&rwlock), HF_OK);
    assert_int_equal(hf_rwlock_lock_upgradable(&rwlock), HF_DEADLOCK);
    assert_int_equal(hf_rwlock_unlock(&rwlock), HF_OK);
    assert_zero();
}

static void only_the_upgradable_reader_upgrades_and_unlocks(void **unused)
{
    (void)unused;
    for (int held = 0; held < 4; held += 1) {
        start_afresh(unused);
        if (held == 1) {
            comes_upgradable(ANNA);
        } else if (held == 2) {
            hf_rwlock_lock_shared(&rwlock);
        } else if (held == 3) {
            hf_rwlock_lock(&rwlock);
        }
        hf_rwlock before = rwlock;
        assert_int_equal(hf_rwlock_upgrade(&rwlock), HF_NOT_OWNER);
        assert_int_equal(hf_rwlock_try_upgrade(&rwlock), HF_NOT_OWNER);
        assert_int_equal(hf_rwlock_upgrade_until(&rwlock, 0), HF_NOT_OWNER);
        assert_int_equal(hf_rwlock_unlock_upgradable(&rwlock), HF_NOT_OWNER);
        assert_memory_equal(&rwlock, &before, sizeof rwlock);
    }
}

static void try_upgrade_beside_a_reader_changes_nothing(void **unused)
{
    (void)unused;
    hf_rwlock_lock_upgradable(&rwlock);
    comes(ANNA, READS, 0);
    uint64_t before = rwlock.gate.word;
    assert_int_equal(hf_rwlock_try_upgrade(&rwlock), HF_BUSY);
    assert_int_equal(rwlock.gate.word, before);
    assert_true(hf_rwlock_is_upgradable_mine(&rwlock));
    goes(ANNA, READS);
    assert_int_equal(hf_rwlock_try_upgrade(&rwlock), HF_OK);
}

static void bert_goes_and_carl_may_not_come(void)
{
    assert_int_equal(hf__gate_used(&rwlock.gate), HF__UPGRADING + HF__SHARED);
    assert_false(comes(CARL, READS, 0));
    assert_false(comes(CARL, WRITES, 0));
    goes(BERT, READS);
    assert_int_equal(futex_spy_wake_count(hf__low_half(&rwlock.gate.word)), HF__WAKE_ALL);
    assert_int_equal(futex_spy_wake_count(&rwlock.gate.own), HF__WAKE_ALL);
    assert_false(comes(CARL, READS, 0));
}

static void an_upgrade_waits_for_the_readers_inside_and_admits_no_other_thread(void **unused)
{
    (void)unused;
    comes(ANNA, READS, 0);
    comes(BERT, READS, 0);
    hf_rwlock_lock_upgradable(&rwlock);
    goes(ANNA, READS);
    futex_spy_at_next_wait(bert_goes_and_carl_may_not_come);
    assert_int_equal(hf_rwlock_upgrade(&rwlock), HF_OK);
    assert_int_equal(futex_spy_waits(), 1);
    assert_ptr_equal(futex_spy_waited_on(), hf__low_half(&rwlock.gate.word));
    assert_written_by(hf_thread_id());
    assert_int_equal(rwlock.gate.own, 0);
    futex_spy_reset();
    assert_int_equal(hf_rwlock_unlock(&rwlock), HF_OK);
    assert_int_equal(futex_spy_wake_count(hf__low_half(&rwlock.gate.word)), HF__WAKE_ALL);
    assert_true(comes(CARL, READS, ONCE_OVERTAKEN));
    goes(CARL, READS);
    assert_zero();
}

static void an_upgrade_passes_beside_an_heir_which_comes_next(void **unused)
{
    (void)unused;
    for (int mode = READS; mode <= WRITES; mode += 1) {
        start_afresh(unused);
        hf_rwlock_lock_upgradable(&rwlock);
        assert_false(comes(ANNA, WRITES, PLACE));
        assert_false(comes(BERT, READS, PLACE));
        assert_int_equal(hf_rwlock_upgrade(&rwlock), HF_OK);
        assert_int_equal(futex_spy_waits(), 0);
        hf_rwlock_unlock(&rwlock);
        assert_int_equal(hf_rwlock_trylock(&rwlock), HF_BUSY);
        assert_true(comes(ANNA, WRITES, PLACE));
        goes(ANNA, WRITES);
    }
}

static void an_upgrade_that_gives_up_lets_the_sleeping_readers_in(void **unused)
{
    (void)unused;
    hf_rwlock_lock_upgradable(&rwlock);
    comes(ANNA, READS, 0);
    hf__rwlock_upgrade_step(&rwlock, hf__rwlock_writer(hf_thread_id()));
    assert_false(comes(BERT, READS, 0));
    futex_spy_reset();
    assert_int_equal(hf_rwlock_upgrade_until(&rwlock, 0), HF_TIMEOUT);
    assert_int_equal(futex_spy_waits(), 0);
    assert_int_equal(wakes_of_sleepers(), 1);
    assert_int_equal(hf__gate_used(&rwlock.gate), HF__UPGRADABLE + HF__SHARED);
    assert_true(hf_rwlock_is_upgradable_mine(&rwlock));
    assert_true(comes(BERT, READS, ONCE_OVERTAKEN));
    goes(BERT, READS);
    goes(ANNA, READS);
    assert_int_equal(hf_rwlock_unlock_upgradable(&rwlock), HF_OK);
    assert_zero();
}

static void a_waiting_upgradable_reader_passes_when_the_present_one_leaves_even_beside_readers(void **unused)
{
    (void)unused;
    for (int leaves = 0; leaves < 2; leaves += 1) {
        start_afresh(unused);
        hf_rwlock_lock_upgradable(&rwlock);
        comes(ANNA, READS, 0);
        hf__outcome step =
            hf__gate_step(&rwlock.gate, BERT, HF__BLOCKING, PLACE, HF__UPGRADABLE, HF__RWLOCK_CAPACITY);
        assert_int_equal(hf__next_in(step), HF__WAIT_TURN);
        hf_result left = leaves ? hf_rwlock_unlock_upgradable(&rwlock) : hf_rwlock_downgrade(&rwlock);
        assert_int_equal(left, HF_OK);
        assert_int_equal(futex_spy_wakes(hf__high_half(&rwlock.gate.word)), 1);
        step = hf__gate_step(&rwlock.gate, BERT, HF__BLOCKING, PLACE, HF__UPGRADABLE, HF__RWLOCK_CAPACITY);
        assert_int_equal(step, HF__DONE);
        assert_int_equal(hf__gate_used(&rwlock.gate), HF__UPGRADABLE + (leaves ? 1 : 2));
    }
}

static void
every_way_to_lock_an_abandoned_rwlock_upgradable_returns_abandoned_and_holds_nothing(void **unused)
{
    (void)unused;
    abandon();
    assert_int_equal(hf_rwlock_lock_upgradable(&rwlock), HF_ABANDONED);
    assert_int_equal(hf_rwlock_trylock_upgradable(&rwlock), HF_ABANDONED);
    assert_int_equal(hf_rwlock_lock_upgradable_until(&rwlock, 0), HF_ABANDONED);
    assert_int_equal(rwlock.gate.word, LEFT);
    assert_false(hf_rwlock_is_upgradable_mine(&rwlock));
    assert_int_equal(hf_rwlock_lock(&rwlock), HF_ABANDONED);
    assert_int_equal(hf_rwlock_lock_upgradable(&rwlock), HF_DEADLOCK);
}

#define TEST(function) cmocka_unit_test_setup(function, start_afresh)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(without_contention_no_call_waits_or_wakes),
        TEST(readers_hold_together_and_a_writer_holds_alone),
        TEST(is_mine_is_true_only_for_the_writer),
        TEST(unlock_of_a_free_lock_is_refused_and_changes_nothing),
        TEST(unlock_in_the_wrong_mode_is_refused_and_changes_nothing),
        TEST(lock_by_the_writer_is_a_deadlock_in_both_modes),
        TEST(no_reader_overtakes_a_writer_that_is_the_heir),
        TEST(no_writer_overtakes_a_reader_that_is_the_heir),
        TEST(the_last_reader_that_leaves_wakes_a_writer_and_no_other_does),
        TEST(a_woken_reader_lets_the_sleeping_readers_in),
        TEST(a_reader_that_was_the_heir_lets_the_sleeping_readers_in),
        TEST(lock_waits_until_the_readers_have_left),
        TEST(lock_shared_waits_until_the_writer_has_left),
        TEST(lock_shared_waits_while_there_are_the_most_readers),
        TEST(a_writer_that_comes_during_an_unlock_keeps_the_lock),
        TEST(a_past_deadline_takes_a_free_lock_or_leaves_at_once),
        TEST(a_wait_does_not_time_out_before_its_deadline_and_then_holds_nothing),
        TEST(amounts_of_readers_and_writers_never_coincide),
        TEST(every_way_to_lock_an_abandoned_rwlock_returns_abandoned_and_locks_it),
        TEST(every_way_to_lock_an_abandoned_rwlock_shared_returns_abandoned_and_holds_nothing),
        TEST(unlock_without_recovery_returns_abandoned_to_the_next_owner),
        TEST(a_waiter_returns_abandoned_when_the_writer_is_found_dead),
        TEST(recover_without_an_abandoned_lock_is_refused),
        TEST(a_downgrade_makes_the_writer_a_reader),
        TEST(a_downgrade_by_another_than_the_writer_is_refused_and_changes_nothing),
        TEST(a_downgrade_lets_the_sleeping_readers_in_and_no_writer),
        TEST(a_downgrade_wakes_all_if_a_writer_sleeps_before_a_reader),
        TEST(a_downgrade_reserves_the_lock_for_a_reader_that_is_the_heir),
        TEST(after_a_downgrade_no_reader_overtakes_a_writer_that_is_the_heir),
        TEST(a_downgrade_of_an_unrecovered_lock_returns_abandoned_and_changes_nothing),
        TEST(without_readers_no_call_of_the_upgradable_mode_waits_or_wakes),
        TEST(an_upgradable_reader_is_beside_readers_and_keeps_all_others_out),
        TEST(unlock_shared_beside_an_upgradable_reader_alone_is_refused),
        TEST(calls_of_the_upgradable_reader_that_would_wait_for_itself_are_refused),
        TEST(only_the_upgradable_reader_upgrades_and_unlocks),
        TEST(try_upgrade_beside_a_reader_changes_nothing),
        TEST(an_upgrade_waits_for_the_readers_inside_and_admits_no_other_thread),
        TEST(an_upgrade_passes_beside_an_heir_which_comes_next),
        TEST(an_upgrade_that_gives_up_lets_the_sleeping_readers_in),
        TEST(a_waiting_upgradable_reader_passes_when_the_present_one_leaves_even_beside_readers),
        TEST(every_way_to_lock_an_abandoned_rwlock_upgradable_returns_abandoned_and_holds_nothing),
    };
    watchdog_start((const uint32_t *)&rwlock, sizeof rwlock / sizeof(uint32_t));
    int failed = cmocka_run_group_tests_name("rwlock", tests, NULL, NULL);
    watchdog_stop();
    return failed;
}
