/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The recursive mutex's own part: depths. The program has a table of threads, so a thread that ends while it
 * holds the mutex is found dead. */
#include "recursive_mutex.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_with_headers.h"
#include "holdfast/clock.h"
#include "holdfast/thread.h"
#include "mutex.h"
#include "owned.h"
#include "watchdog.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

enum { ANNA = 1, MOST = HF_RECURSIVE_MUTEX_MOST };

static struct {
    hf_recursive_mutex mutex;
    hf_condition condition;
} words;

static hf_recursive_mutex *const mutex = &words.mutex;
static hf_condition *const condition = &words.condition;

static int start_afresh(void **unused)
{
    (void)unused;
    memset(&words, 0, sizeof words);
    watchdog_progress();
    return 0;
}

static void assert_zero(void)
{
    const hf_recursive_mutex zero = {0};
    assert_memory_equal(mutex, &zero, sizeof zero);
}

/* Runs a thread, and returns after its end. */
static void *in_another_thread(void *(*life)(void *))
{
    pthread_t thread;
    void *result;
    assert_int_equal(pthread_create(&thread, NULL, life, NULL), 0);
    assert_int_equal(pthread_join(thread, &result), 0);
    return result;
}

/* cmocka's assertions can end the test only in the test's own thread. */
static void require(bool condition_holds, const char *what)
{
    if (!condition_holds) {
        fprintf(stderr, "recursive_mutex_test: in another thread, not so: %s\n", what);
        abort();
    }
}

#define REQUIRE(what) require(what, #what)

static void *find_it_held(void *unused)
{
    (void)unused;
    REQUIRE(!hf_recursive_mutex_is_mine(mutex));
    REQUIRE(hf_recursive_mutex_depth(mutex) == 0);
    REQUIRE(hf_recursive_mutex_unlock(mutex) == HF_NOT_OWNER);
    REQUIRE(hf_recursive_mutex_recover(mutex) == HF_NOT_OWNER);
    REQUIRE(hf_recursive_mutex_wait(mutex, condition) == HF_NOT_OWNER);
    REQUIRE(hf_recursive_mutex_trylock(mutex) == HF_BUSY);
    REQUIRE(hf_recursive_mutex_lock_until(mutex, 0) == HF_TIMEOUT);
    return NULL;
}

static void *find_it_free(void *unused)
{
    (void)unused;
    REQUIRE(hf_recursive_mutex_trylock(mutex) == HF_OK);
    REQUIRE(hf_recursive_mutex_depth(mutex) == 1);
    REQUIRE(hf_recursive_mutex_unlock(mutex) == HF_OK);
    return NULL;
}

static void *die_deep_inside(void *unused)
{
    (void)unused;
    for (int depth = 0; depth < 3; depth += 1) {
        hf_result result = hf_recursive_mutex_lock(mutex);
        REQUIRE(result == HF_OK || (result == HF_ABANDONED && depth == 0));
    }
    return NULL;
}

static void a_mutex_is_free_when_it_was_unlocked_as_often_as_it_was_locked(void **unused)
{
    (void)unused;
    assert_int_equal(hf_recursive_mutex_lock(mutex), HF_OK);
    assert_int_equal(hf_recursive_mutex_trylock(mutex), HF_OK);
    assert_int_equal(hf_recursive_mutex_lock_until(mutex, 0), HF_OK);
    for (uint32_t depth = 3; depth > 0; depth -= 1) {
        assert_int_equal(hf_recursive_mutex_depth(mutex), depth);
        assert_true(hf_recursive_mutex_is_mine(mutex));
        in_another_thread(find_it_held);
        assert_int_equal(hf_recursive_mutex_unlock(mutex), HF_OK);
    }
    assert_int_equal(hf_recursive_mutex_depth(mutex), 0);
    assert_false(hf_recursive_mutex_is_mine(mutex));
    assert_int_equal(hf_recursive_mutex_unlock(mutex), HF_NOT_OWNER);
    in_another_thread(find_it_free);
    assert_zero();
}

static void a_lock_beyond_the_greatest_depth_overflows_and_changes_nothing(void **unused)
{
    (void)unused;
    hf_recursive_mutex_lock(mutex);
    mutex->depth = MOST - 2;
    assert_int_equal(hf_recursive_mutex_depth(mutex), MOST - 1);
    assert_int_equal(hf_recursive_mutex_lock(mutex), HF_OK);
    const hf_recursive_mutex before = *mutex;
    assert_int_equal(hf_recursive_mutex_depth(mutex), MOST);
    assert_int_equal(hf_recursive_mutex_lock(mutex), HF_OVERFLOW);
    assert_int_equal(hf_recursive_mutex_trylock(mutex), HF_OVERFLOW);
    assert_int_equal(hf_recursive_mutex_lock_until(mutex, HF_FOREVER), HF_OVERFLOW);
    assert_int_equal(hf__recursive_mutex_again(mutex, hf_thread_id()), HF_OVERFLOW);
    assert_memory_equal(mutex, &before, sizeof before);
    assert_int_equal(hf_recursive_mutex_unlock(mutex), HF_OK);
    assert_int_equal(hf_recursive_mutex_lock(mutex), HF_OK);
    mutex->depth = 0;
    assert_int_equal(hf_recursive_mutex_unlock(mutex), HF_OK);
    assert_zero();
}

static void a_deadline_counts_only_while_another_thread_holds_the_mutex(void **unused)
{
    (void)unused;
    const int64_t deadlines[] = {INT64_MIN / 2, -1, 0, hf_now_ns() - 1, HF_FOREVER};
    for (int at = 0; at < COUNT(deadlines); at += 1) {
        assert_int_equal(hf_recursive_mutex_lock_until(mutex, deadlines[at]), HF_OK);
        assert_int_equal(hf_recursive_mutex_lock_until(mutex, deadlines[at]), HF_OK);
        assert_int_equal(hf_recursive_mutex_unlock(mutex), HF_OK);
        assert_int_equal(hf_recursive_mutex_unlock(mutex), HF_OK);
        assert_zero();
    }
    hf__mutex_lock(&mutex->mutex, ANNA);
    assert_int_equal(hf_recursive_mutex_lock_until(mutex, INT64_MIN / 2), HF_TIMEOUT);
    int64_t deadline = hf_now_ns() + 5 * HF_MILLISECOND;
    assert_int_equal(hf_recursive_mutex_lock_until(mutex, deadline), HF_TIMEOUT);
    assert_true(hf_now_ns() >= deadline);
    assert_true(hf__mutex_is_held_by(&mutex->mutex, ANNA));
}

static hf_result lock_soon(hf_recursive_mutex *it)
{
    return hf_recursive_mutex_lock_until(it, hf_now_ns() + 1000 * HF_MILLISECOND);
}

static hf_result lock_plainly(hf_recursive_mutex *it)
{
    return hf_recursive_mutex_lock(it);
}

static hf_result try_lock(hf_recursive_mutex *it)
{
    return hf_recursive_mutex_trylock(it);
}

typedef hf_result (*way)(hf_recursive_mutex *it);
static const way WAYS[] = {lock_plainly, try_lock, lock_soon};

static void the_first_lock_ignores_a_depth_that_was_left(void **unused)
{
    (void)unused;
    for (int at = 0; at < COUNT(WAYS); at += 1) {
        mutex->depth = 7;
        assert_int_equal(WAYS[at](mutex), HF_OK);
        assert_int_equal(hf_recursive_mutex_depth(mutex), 1);
        assert_int_equal(hf_recursive_mutex_unlock(mutex), HF_OK);
        assert_zero();
    }
}

static void acquiring_from_a_dead_thread_gives_depth_1(void **unused)
{
    for (int at = 0; at < COUNT(WAYS); at += 1) {
        start_afresh(unused);
        in_another_thread(die_deep_inside);
        assert_int_equal(WAYS[at](mutex), HF_ABANDONED);
        assert_int_equal(hf_recursive_mutex_depth(mutex), 1);
        assert_int_equal(WAYS[at](mutex), HF_OK); /* not recovered yet */
        assert_int_equal(hf_recursive_mutex_depth(mutex), 2);
        in_another_thread(find_it_held);
        assert_int_equal(hf_recursive_mutex_recover(mutex), HF_OK);
        assert_int_equal(hf_recursive_mutex_recover(mutex), HF_NOT_OWNER);
        assert_int_equal(hf_recursive_mutex_depth(mutex), 2);
        assert_int_equal(hf_recursive_mutex_unlock(mutex), HF_OK);
        assert_int_equal(hf_recursive_mutex_unlock(mutex), HF_OK);
        assert_int_equal(hf_recursive_mutex_unlock(mutex), HF_NOT_OWNER);
        in_another_thread(find_it_free);
        assert_zero();
    }
}

static void the_last_unlock_without_recovery_returns_abandoned_to_the_next_owner(void **unused)
{
    (void)unused;
    in_another_thread(die_deep_inside);
    in_another_thread(die_deep_inside); /* this thread got the error, and died too */
    assert_int_equal(hf_recursive_mutex_lock(mutex), HF_ABANDONED);
    assert_int_equal(hf_recursive_mutex_lock(mutex), HF_OK);
    assert_int_equal(hf_recursive_mutex_unlock(mutex), HF_OK);
    in_another_thread(find_it_held);
    assert_int_equal(hf_recursive_mutex_unlock(mutex), HF_OK);
    assert_int_equal(hf_recursive_mutex_lock(mutex), HF_ABANDONED);
    assert_int_equal(hf_recursive_mutex_depth(mutex), 1);
    assert_int_equal(hf_recursive_mutex_recover(mutex), HF_OK);
    assert_int_equal(hf_recursive_mutex_unlock(mutex), HF_OK);
    assert_zero();
}

static void *notify_with_the_mutex(void *unused)
{
    (void)unused;
    REQUIRE(hf_recursive_mutex_lock(mutex) == HF_OK);
    REQUIRE(hf_recursive_mutex_lock(mutex) == HF_OK);
    hf_condition_notify(condition, 1);
    REQUIRE(hf_recursive_mutex_unlock(mutex) == HF_OK);
    REQUIRE(hf_recursive_mutex_unlock(mutex) == HF_OK);
    return NULL;
}

static void a_condition_wait_at_depth_1_keeps_the_depth(void **unused)
{
    (void)unused;
    pthread_t notifier;
    assert_int_equal(hf_recursive_mutex_lock(mutex), HF_OK);
    assert_int_equal(pthread_create(&notifier, NULL, notify_with_the_mutex, NULL), 0);
    assert_int_equal(hf_recursive_mutex_wait(mutex, condition), HF_OK);
    assert_int_equal(hf_recursive_mutex_depth(mutex), 1);
    assert_int_equal(hf_recursive_mutex_wait_until(mutex, condition, hf_now_ns() - 1), HF_TIMEOUT);
    assert_int_equal(hf_recursive_mutex_depth(mutex), 1);
    assert_int_equal(hf_recursive_mutex_unlock(mutex), HF_OK);
    assert_int_equal(pthread_join(notifier, NULL), 0);
    assert_int_equal(condition->word >> 46, 0);
    assert_zero();
}

static void a_condition_above_depth_1_is_a_deadlock_that_changes_nothing(void **unused)
{
    (void)unused;
    hf_recursive_mutex_lock(mutex);
    hf_recursive_mutex_lock(mutex);
    assert_int_equal(hf_recursive_mutex_wait(mutex, condition), HF_DEADLOCK);
    assert_int_equal(hf_recursive_mutex_wait_until(mutex, condition, 0), HF_DEADLOCK);
    assert_int_equal(hf_recursive_mutex_depth(mutex), 2);
    assert_int_equal(condition->word, 0);
    hf_recursive_mutex_unlock(mutex);
    hf_recursive_mutex_unlock(mutex);
    assert_int_equal(hf_recursive_mutex_wait(mutex, condition), HF_NOT_OWNER);
    assert_zero();
}

static void *die_when_notified(void *unused)
{
    (void)unused;
    die_deep_inside(NULL);
    hf_condition_notify(condition, 1);
    return NULL;
}

static void a_death_during_the_wait_returns_abandoned_at_depth_1(void **unused)
{
    (void)unused;
    pthread_t dying;
    assert_int_equal(hf_recursive_mutex_lock(mutex), HF_OK);
    assert_int_equal(pthread_create(&dying, NULL, die_when_notified, NULL), 0);
    assert_int_equal(hf_recursive_mutex_wait(mutex, condition), HF_ABANDONED);
    assert_int_equal(hf_recursive_mutex_depth(mutex), 1);
    assert_int_equal(hf_recursive_mutex_recover(mutex), HF_OK);
    assert_int_equal(hf_recursive_mutex_unlock(mutex), HF_OK);
    assert_int_equal(pthread_join(dying, NULL), 0);
    assert_zero();
}

static void the_glue_counts_depths_only_for_the_owner(void **unused)
{
    (void)unused;
    const uint32_t self = HF_THREAD_RANDOM | 1;
    const uint32_t other = HF_THREAD_RANDOM | 2;
    assert_int_equal(hf__recursive_mutex_again(mutex, self), HF_NOT_OWNER);
    assert_int_equal(hf__mutex_try(&mutex->mutex, self), HF_OK);
    hf__recursive_mutex_begin(mutex);
    assert_int_equal(hf__recursive_mutex_depth(mutex, self), 1);
    assert_int_equal(hf__recursive_mutex_again(mutex, self), HF_OK);
    assert_int_equal(hf__recursive_mutex_depth(mutex, self), 2);
    assert_int_equal(hf__recursive_mutex_depth(mutex, other), 0);
    assert_int_equal(hf__recursive_mutex_again(mutex, other), HF_NOT_OWNER);
    assert_false(hf__recursive_mutex_surface(mutex, other));
    assert_int_equal(hf_recursive_mutex_depth(mutex), 0); /* the depth of C's identity in this thread */
    assert_int_equal(hf_recursive_mutex_trylock(mutex), HF_BUSY);
    assert_true(hf__recursive_mutex_surface(mutex, self));
    assert_false(hf__recursive_mutex_surface(mutex, self));
    assert_int_equal(hf__recursive_mutex_depth(mutex, self), 1);
    assert_int_equal(hf__mutex_release(&mutex->mutex, self), HF_OK);
    assert_zero();
}

static void the_owner_of_the_inner_mutex_may_lock_again(void **unused)
{
    (void)unused;
    in_another_thread(find_it_free);
    assert_int_equal(hf_mutex_lock(&mutex->mutex), HF_OK);
    assert_int_equal(hf_recursive_mutex_lock(mutex), HF_OK);
    assert_int_equal(hf_recursive_mutex_depth(mutex), 2);
    assert_int_equal(hf_recursive_mutex_unlock(mutex), HF_OK);
    assert_true(hf_mutex_is_mine(&mutex->mutex));
    assert_int_equal(hf_mutex_unlock(&mutex->mutex), HF_OK);
    assert_zero();
}

#define TEST(function) cmocka_unit_test_setup(function, start_afresh)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_mutex_is_free_when_it_was_unlocked_as_often_as_it_was_locked),
        TEST(a_lock_beyond_the_greatest_depth_overflows_and_changes_nothing),
        TEST(a_deadline_counts_only_while_another_thread_holds_the_mutex),
        TEST(the_first_lock_ignores_a_depth_that_was_left),
        TEST(acquiring_from_a_dead_thread_gives_depth_1),
        TEST(the_last_unlock_without_recovery_returns_abandoned_to_the_next_owner),
        TEST(a_condition_wait_at_depth_1_keeps_the_depth),
        TEST(a_condition_above_depth_1_is_a_deadlock_that_changes_nothing),
        TEST(a_death_during_the_wait_returns_abandoned_at_depth_1),
        TEST(the_glue_counts_depths_only_for_the_owner),
        TEST(the_owner_of_the_inner_mutex_may_lock_again),
    };
    hf_threads(); /* the program has the table */
    watchdog_start((const uint32_t *)&words, sizeof words / sizeof(uint32_t));
    int failed = cmocka_run_group_tests_name("recursive mutex", tests, NULL, NULL);
    watchdog_stop();
    return failed;
}
