/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* C threads of a program with a table of threads: they have slots, and leave them when they end, in whatever
 * way. Their locks are abandoned then. */
#include "gate.h"
#include "identity.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "agents.h"
#include "cmocka_with_headers.h"
#include "holdfast/mutex.h"
#include "holdfast/once.h"
#include "holdfast/recursive_mutex.h"
#include "holdfast/rwlock.h"
#include "holdfast/semaphore.h"
#include "rwlock.h"
#include "watchdog.h"

/* The library's number of slots; the thread that runs the tests has one of them. */
enum { SLOTS = 64 };

static hf_mutex mutex;
static hf_rwlock rwlock;
static hf_recursive_mutex recursive_mutex;
static hf_semaphore semaphore;

static hf__agents *table(void)
{
    return (hf__agents *)hf_threads();
}

static hf__agent *slot_of(uint32_t identity)
{
    return hf__agents_slot(table(), identity);
}

static int start_afresh(void **unused)
{
    (void)unused;
    mutex = (hf_mutex){0};
    rwlock = (hf_rwlock){0};
    recursive_mutex = (hf_recursive_mutex){0};
    hf_semaphore_init(&semaphore, 1, 1);
    watchdog_progress();
    return 0;
}

static pthread_t start(void *(*life)(void *), void *argument)
{
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, life, argument), 0);
    return thread;
}

static void *end_of(pthread_t thread)
{
    void *result;
    assert_int_equal(pthread_join(thread, &result), 0);
    return result;
}

static void live(void *(*life)(void *), void *argument)
{
    end_of(start(life, argument));
}

static void sleep_ms(int ms)
{
    nanosleep(&(struct timespec){.tv_nsec = ms * HF_MILLISECOND}, NULL);
}

/* ---- Slots ---- */

static void *store_id(void *place)
{
    *(uint32_t *)place = hf_thread_id();
    return NULL;
}

static void a_thread_has_a_slot_until_it_ends(void **unused)
{
    (void)unused;
    const uint32_t self = hf_thread_id();
    assert_true(hf__is_slot(self));
    assert_false(hf__agents_probe(table(), self, 0));
    uint32_t other;
    live(store_id, &other);
    assert_true(hf__is_slot(other));
    assert_int_not_equal(other, self);
    assert_true(hf__agents_probe(table(), other, 0));
    assert_int_equal(hf_thread_id(), self);
}

/* Takes a lock first, and records the identity that the thread has then. */
typedef struct first_use {
    hf_result (*take)(void);
    uint32_t identity;
} first_use;

static hf_result take_mutex(void)
{
    return hf_mutex_lock(&mutex);
}

static hf_result take_recursive_mutex(void)
{
    return hf_recursive_mutex_lock(&recursive_mutex);
}

static hf_result take_to_write(void)
{
    return hf_rwlock_lock(&rwlock);
}

static hf_result take_to_read(void)
{
    return hf_rwlock_lock_shared(&rwlock);
}

static hf_result take_permit(void)
{
    return hf_semaphore_enter(&semaphore, 1);
}

static void *use_first(void *place)
{
    first_use *own = place;
    assert_int_equal(own->take(), HF_OK);
    own->identity = hf__thread_id_cache;
    return NULL;
}

static void a_thread_takes_its_slot_at_its_first_lock(void **unused)
{
    hf_result (*const takes[])(void) = {take_mutex, take_recursive_mutex, take_to_write, take_to_read,
                                        take_permit};
    for (size_t at = 0; at < sizeof takes / sizeof takes[0]; at += 1) {
        start_afresh(unused);
        first_use own = {.take = takes[at]};
        live(use_first, &own);
        assert_true(hf__is_slot(own.identity));
    }
}

static void a_thread_records_the_time_at_which_it_ends(void **unused)
{
    (void)unused;
    enum { MS_IN_A_SECOND = 1000, LATE_MS = 60000 };
    uint32_t other;
    live(store_id, &other);
    uint32_t now_ms = (uint32_t)time(NULL) * MS_IN_A_SECOND;
    uint32_t age_ms = now_ms - slot_of(other)->looked + MS_IN_A_SECOND;
    assert_true(age_ms < LATE_MS);
}

static void threads_one_after_the_other_use_the_slots_again(void **unused)
{
    (void)unused;
    enum { LIVES = 5 * SLOTS };
    static uint32_t ids[LIVES];
    for (int at = 0; at < LIVES; at += 1) {
        live(store_id, &ids[at]);
        assert_true(hf__is_slot(ids[at]));
        for (int former = 0; former < at; former += 1) {
            assert_int_not_equal(ids[at], ids[former]);
        }
    }
}

static void the_next_thread_in_a_slot_finds_nothing_of_the_former(void **unused)
{
    (void)unused;
    for (int at = 0; at < SLOTS; at += 1) {
        uint32_t identity = hf__agents_join(table(), 0);
        if (identity == 0) {
            break;
        }
        hf__agent *slot = slot_of(identity);
        hf__agent_appear(slot, identity, 0);
        slot->looked = 1;
        slot->blocked = slot->asked = (hf__agent_wait){.place = 1, .since = 1, .held = 1};
        memset(slot->name, 'x', sizeof slot->name);
        hf__agent_leave(slot, identity);
    }
    uint32_t self = hf__threads.join();
    const hf__agent *slot = slot_of(self);
    const hf__agent none = {.state = slot->state};
    assert_memory_equal(slot, &none, sizeof none);
    hf__agent_leave(slot_of(self), self);
}

static pthread_barrier_t all_alive;

static void *hold_a_lock_together(void *place)
{
    static hf_mutex mutexes[2 * SLOTS];
    uint32_t *id = (uint32_t *)place;
    *id = hf_thread_id();
    hf_mutex *own = &mutexes[*id % (2 * SLOTS)];
    bool is_well = hf_mutex_lock(own) == HF_OK;
    is_well = hf_mutex_unlock(own) == HF_OK && is_well;
    is_well = hf_mutex_unlock(own) == HF_NOT_OWNER && is_well;
    pthread_barrier_wait(&all_alive);
    return is_well ? place : NULL;
}

static void more_threads_than_slots_have_identities_of_their_own(void **unused)
{
    (void)unused;
    enum { MORE = 9, ALL = SLOTS - 1 + MORE };
    static uint32_t ids[ALL];
    pthread_t threads[ALL];
    hf_thread_id(); /* takes a slot */
    for (int turn = 0; turn < 2; turn += 1) {
        assert_int_equal(pthread_barrier_init(&all_alive, NULL, ALL), 0);
        for (int at = 0; at < ALL; at += 1) {
            threads[at] = start(hold_a_lock_together, &ids[at]);
        }
        int without_slot = 0;
        for (int at = 0; at < ALL; at += 1) {
            assert_non_null(end_of(threads[at]));
            without_slot += hf__is_slot(ids[at]) ? 0 : 1;
            assert_int_not_equal(ids[at], 0);
            assert_true(hf__is_slot(ids[at]) || ids[at] < HF_THREAD_MARK);
            for (int other = 0; other < at; other += 1) {
                assert_int_not_equal(ids[at], ids[other]);
            }
        }
        assert_int_equal(without_slot, MORE);
        pthread_barrier_destroy(&all_alive);
    }
}

/* The hook: pthread_setspecific is a thread's first step when it takes a slot. */
int __real_pthread_setspecific(pthread_key_t key, const void *value);
int __wrap_pthread_setspecific(pthread_key_t key, const void *value);

static __thread bool is_interrupted;
static __thread uint32_t id_in_handler;

int __wrap_pthread_setspecific(pthread_key_t key, const void *value)
{
    if (is_interrupted) {
        is_interrupted = false;
        raise(SIGUSR1);
    }
    return __real_pthread_setspecific(key, value);
}

static void lock_in_handler(int unused)
{
    (void)unused;
    if (hf_mutex_trylock(&mutex) == HF_OK) {
        id_in_handler = hf_thread_id();
    }
}

static void *be_interrupted_as_it_joins(void *unused)
{
    is_interrupted = true;
    bool is_well = hf_thread_id() == id_in_handler && hf_mutex_unlock(&mutex) == HF_OK;
    return is_well ? unused : NULL;
}

static void with_handler(void (*handler)(int), void (*run)(void))
{
    struct sigaction before;
    const struct sigaction action = {.sa_handler = handler};
    assert_int_equal(sigaction(SIGUSR1, &action, &before), 0);
    run();
    assert_int_equal(sigaction(SIGUSR1, &before, NULL), 0);
}

static void join_often(void)
{
    for (int at = 0; at < 2 * SLOTS; at += 1) {
        assert_non_null(end_of(start(be_interrupted_as_it_joins, &mutex)));
    }
}

static void a_signal_handler_that_locks_first_costs_no_slot(void **unused)
{
    (void)unused;
    with_handler(lock_in_handler, join_often);
    uint32_t other;
    live(store_id, &other);
    assert_true(hf__is_slot(other));
}

/* The hook: timespec_get is a thread's first step when it leaves a slot. */
int __real_timespec_get(struct timespec *now, int base);
int __wrap_timespec_get(struct timespec *now, int base);

static __thread int leaves_until_interrupted;
static bool is_dead_in_handler;

int __wrap_timespec_get(struct timespec *now, int base)
{
    if (leaves_until_interrupted > 0) {
        leaves_until_interrupted -= 1;
        if (leaves_until_interrupted == 0) {
            raise(SIGUSR1);
        }
    }
    return __real_timespec_get(now, base);
}

static void look_at_oneself(int unused)
{
    (void)unused;
    is_dead_in_handler = hf__agents_probe(table(), hf_thread_id(), 0);
}

static void *be_told_and_be_interrupted_as_it_leaves(void *unused)
{
    bool is_told = hf_mutex_lock(&mutex) == HF_ABANDONED; /* the abandoned mutex takes a second slot */
    hf_mutex_recover(&mutex);
    hf_mutex_unlock(&mutex);
    leaves_until_interrupted = 2;
    return is_told ? unused : NULL;
}

static void *die_with_the_mutex(void *unused)
{
    hf_mutex_lock(&mutex);
    return unused;
}

static void leave_twice(void)
{
    is_dead_in_handler = false;
    end_of(start(die_with_the_mutex, NULL));
    assert_non_null(end_of(start(be_told_and_be_interrupted_as_it_leaves, &mutex)));
    assert_false(is_dead_in_handler);
}

static void the_identity_in_a_signal_handler_is_not_dead_while_its_thread_leaves(void **unused)
{
    (void)unused;
    with_handler(look_at_oneself, leave_twice);
}

static hf_mutex mutex_in_handler;
static hf_result told_in_handler;

static void be_told_in_handler(int unused)
{
    (void)unused;
    told_in_handler = hf_mutex_trylock(&mutex_in_handler);
}

static void *die_with_both(void *unused)
{
    hf_mutex_lock(&mutex);
    hf_mutex_lock(&mutex_in_handler);
    return unused;
}

static void *be_interrupted_as_it_is_told(void *unused)
{
    hf_thread_id();
    is_interrupted = true;
    bool are_told = hf_mutex_lock(&mutex) == HF_ABANDONED && told_in_handler == HF_ABANDONED;
    bool are_good = hf_mutex_recover(&mutex) == HF_OK && hf_mutex_unlock(&mutex) == HF_OK &&
                    hf_mutex_recover(&mutex_in_handler) == HF_OK &&
                    hf_mutex_unlock(&mutex_in_handler) == HF_OK;
    return are_told && are_good ? unused : NULL;
}

static void be_told_twice_at_once(void)
{
    end_of(start(die_with_both, NULL));
    assert_non_null(end_of(start(be_interrupted_as_it_is_told, &mutex)));
}

static void a_signal_handler_that_learns_of_a_death_shares_its_threads_second_identity(void **unused)
{
    (void)unused;
    with_handler(be_told_in_handler, be_told_twice_at_once);
}

static uint32_t alive(void)
{
    uint32_t all = 0;
    for (uint32_t number = 1; number <= SLOTS; number += 1) {
        const hf__agent *slot = slot_of(HF_THREAD_JS | number);
        all += (slot->state & ((1 << HF_AGENTS_STATE_BITS) - 1)) == HF_AGENTS_ALIVE;
    }
    return all;
}

static void *hold_while_it_forks(void *unused)
{
    (void)unused;
    hf_mutex_lock(&mutex);
    pthread_barrier_wait(&all_alive);
    pthread_barrier_wait(&all_alive);
    hf_mutex_unlock(&mutex);
    return NULL;
}

static void in_the_child_of_a_fork_the_threads_of_its_parent_are_dead(void **unused)
{
    (void)unused;
    assert_int_equal(pthread_barrier_init(&all_alive, NULL, 2), 0);
    pthread_t thread = start(hold_while_it_forks, NULL);
    pthread_barrier_wait(&all_alive);
    const uint32_t self = hf_thread_id();
    pid_t child = fork();
    if (child == 0) {
        bool is_told = hf_mutex_trylock(&mutex) == HF_ABANDONED && hf_mutex_recover(&mutex) == HF_OK;
        _exit(is_told && hf_thread_id() != self && alive() == 2 ? 0 : 1); /* 2: its two identities */
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    pthread_barrier_wait(&all_alive);
    end_of(thread);
    pthread_barrier_destroy(&all_alive);
    assert_int_equal(hf_thread_id(), self);
}

/* JavaScript threads whose entries are gone, which is not detected yet: no entry waits on their words here.
 */
static uint32_t fill_with_unknown_dead(void)
{
    uint32_t last = 0;
    for (uint32_t identity = hf__agents_join_unused(table()); identity != 0;
         identity = hf__agents_join_unused(table())) {
        hf__agent_appear(slot_of(identity), identity, 1);
        slot_of(identity)->looked = 0;
        last = identity;
    }
    return last;
}

static void dead_threads_make_room_in_a_full_table(void **unused)
{
    (void)unused;
    assert_int_not_equal(fill_with_unknown_dead(), 0);
    uint32_t other;
    live(store_id, &other);
    assert_true(hf__is_slot(other));
}

/* ---- Deaths ---- */

static void *return_with_the_mutex(void *unused)
{
    hf_mutex_lock(&mutex);
    return unused;
}

static void *exit_with_the_mutex(void *unused)
{
    hf_mutex_lock(&mutex);
    pthread_exit(unused);
}

static uint32_t is_held;

static void *be_cancelled_with_the_mutex(void *unused)
{
    (void)unused;
    hf_mutex_lock(&mutex);
    hf__store_rlx(&is_held, 1);
    for (;;) {
        pause(); /* a cancellation point */
    }
    return NULL;
}

static void cancel(void)
{
    hf__store_rlx(&is_held, 0);
    pthread_t thread = start(be_cancelled_with_the_mutex, NULL);
    while (!hf__load_rlx(&is_held)) {
        sleep_ms(1);
    }
    assert_int_equal(pthread_cancel(thread), 0);
    assert_ptr_equal(end_of(thread), PTHREAD_CANCELED);
}

static void return_from_it(void)
{
    live(return_with_the_mutex, NULL);
}

static void exit_it(void)
{
    live(exit_with_the_mutex, NULL);
}

static void (*const DEATHS[])(void) = {return_from_it, exit_it, cancel};
enum { DEATH_COUNT = sizeof DEATHS / sizeof DEATHS[0] };

static hf_result lock(void)
{
    return hf_mutex_lock(&mutex);
}

static hf_result try_lock(void)
{
    return hf_mutex_trylock(&mutex);
}

static hf_result lock_now(void)
{
    return hf_mutex_lock_until(&mutex, 0);
}

static hf_result lock_soon(void)
{
    return hf_mutex_lock_until(&mutex, hf_now_ns() + HF_MILLISECOND);
}

static hf_result (*const WAYS[])(void) = {lock, try_lock, lock_now, lock_soon};
enum { WAY_COUNT = sizeof WAYS / sizeof WAYS[0] };

static void assert_is_good_again(void)
{
    assert_int_equal(hf_mutex_recover(&mutex), HF_OK);
    assert_int_equal(hf_mutex_recover(&mutex), HF_NOT_OWNER);
    assert_int_equal(hf_mutex_unlock(&mutex), HF_OK);
    assert_int_equal(mutex.gate.word, 0);
}

static void a_later_caller_learns_of_a_death_at_once(void **unused)
{
    for (int death = 0; death < DEATH_COUNT; death += 1) {
        for (int way = 0; way < WAY_COUNT; way += 1) {
            start_afresh(unused);
            DEATHS[death]();
            assert_int_equal(WAYS[way](), HF_ABANDONED);
            assert_true(hf_mutex_is_mine(&mutex));
            assert_int_equal(hf_mutex_lock(&mutex), HF_DEADLOCK);
            assert_is_good_again();
            assert_int_equal(WAYS[way](), HF_OK);
            assert_int_equal(hf_mutex_unlock(&mutex), HF_OK);
        }
    }
}

static void unlock_without_recovery_returns_abandoned_to_the_next_owner(void **unused)
{
    (void)unused;
    return_from_it();
    for (int time = 0; time < 3; time += 1) {
        assert_int_equal(hf_mutex_lock(&mutex), HF_ABANDONED);
        assert_int_equal(hf_mutex_unlock(&mutex), HF_OK);
        assert_false(hf_mutex_is_mine(&mutex));
        assert_int_equal(hf_mutex_unlock(&mutex), HF_NOT_OWNER);
        assert_int_equal(hf_mutex_recover(&mutex), HF_NOT_OWNER);
    }
    assert_int_equal(hf_mutex_lock(&mutex), HF_ABANDONED);
    assert_is_good_again();
}

static void *say_as_another(void *unused)
{
    (void)unused;
    static bool is_well;
    is_well = hf_mutex_trylock(&mutex) == HF_BUSY && hf_mutex_unlock(&mutex) == HF_NOT_OWNER &&
              hf_mutex_recover(&mutex) == HF_NOT_OWNER && !hf_mutex_is_mine(&mutex);
    return is_well ? &is_well : NULL;
}

static void a_mutex_that_is_not_recovered_is_held_until_its_thread_ends(void **unused)
{
    (void)unused;
    return_from_it();
    for (int death = 0; death < DEATH_COUNT; death += 1) {
        assert_int_equal(hf_mutex_lock(&mutex), HF_ABANDONED);
        assert_non_null(end_of(start(say_as_another, NULL)));
        assert_int_equal(hf_mutex_unlock(&mutex), HF_OK);
        DEATHS[death](); /* the thread holds an abandoned lock that it has not recovered */
    }
    assert_int_equal(hf_mutex_lock(&mutex), HF_ABANDONED);
    assert_is_good_again();
}

static void an_abandoned_mutex_is_held_and_recovered_even_in_a_full_table(void **unused)
{
    (void)unused;
    return_from_it();
    for (uint32_t identity = hf__agents_join_unused(table()); identity != 0;
         identity = hf__agents_join_unused(table())) {
        hf__agent_appear(slot_of(identity), identity, 0);
    }
    hf__thread_second = HF__THREAD_NO_SECOND; /* undo what earlier tests left */
    assert_int_equal(hf_mutex_lock(&mutex), HF_ABANDONED);
    assert_false(hf__is_slot(hf__thread_second));
    assert_non_null(end_of(start(say_as_another, NULL)));
    assert_int_equal(hf_mutex_unlock(&mutex), HF_OK);
    assert_int_equal(hf_mutex_lock(&mutex), HF_ABANDONED);
    assert_is_good_again();

    assert_int_equal(hf_rwlock_lock(&rwlock), HF_OK);
    assert_true(hf__gate_abandon(&rwlock.gate, hf_thread_id(), HF_THREAD_JS | HF_THREAD_MARK));
    assert_int_equal(hf_rwlock_lock(&rwlock), HF_ABANDONED);
    assert_true(hf_rwlock_is_mine(&rwlock));
    assert_int_equal(hf_rwlock_trylock_shared(&rwlock), HF_BUSY);
    assert_int_equal(hf_rwlock_recover(&rwlock), HF_OK);
    assert_int_equal(hf_rwlock_unlock(&rwlock), HF_OK);
}

static void a_lock_of_a_dead_thread_without_a_slot_stays_held(void **unused)
{
    (void)unused;
    return_from_it(); /* the table is full */
    assert_int_equal(hf_mutex_trylock(&mutex), HF_BUSY);
    assert_int_equal(hf_mutex_lock_until(&mutex, hf_now_ns() + 50 * HF_MILLISECOND), HF_TIMEOUT);

    mutex = (hf_mutex){0};
    assert_int_equal(hf_mutex_lock(&mutex), HF_OK);
    assert_true(hf__gate_abandon(&mutex.gate, hf_thread_id(), HF_THREAD_JS | HF_THREAD_MARK));
    return_from_it(); /* it gets HF_ABANDONED, and finds no second slot */
    assert_int_equal(hf_mutex_trylock(&mutex), HF_BUSY);
    assert_int_equal(hf_mutex_lock_until(&mutex, hf_now_ns() + 50 * HF_MILLISECOND), HF_TIMEOUT);
}

/* ---- Threads that wait already when the holder dies ---- */

static void *lock_and_be_cancelled(void *place)
{
    *(hf_result *)place = hf_mutex_lock(&mutex);
    hf_mutex_unlock(&mutex);
    for (;;) {
        pause(); /* a cancellation point */
    }
    return NULL;
}

static void a_wait_is_not_a_cancellation_point(void **unused)
{
    (void)unused;
    assert_int_equal(hf_mutex_lock(&mutex), HF_OK);
    hf_result result = HF_TIMEOUT;
    pthread_t waiter = start(lock_and_be_cancelled, &result);
    while (hf__load64_rlx(&mutex.gate.word) == hf_thread_id()) {
        sleep_ms(1);
    }
    assert_int_equal(pthread_cancel(waiter), 0);
    sleep_ms(2); /* the waiter may wake from a nap meanwhile, or not */
    assert_int_equal(hf_mutex_unlock(&mutex), HF_OK);
    assert_ptr_equal(end_of(waiter), PTHREAD_CANCELED);
    assert_int_equal(result, HF_OK);
    assert_int_equal(mutex.gate.word, 0);
}

static void *wait_for_the_mutex(void *place)
{
    *(hf_result *)place = hf_mutex_lock(&mutex);
    if (*(hf_result *)place == HF_ABANDONED) {
        hf_mutex_recover(&mutex);
    }
    hf_mutex_unlock(&mutex);
    return NULL;
}

static void *hold_for_a_time(void *ms)
{
    hf_mutex_lock(&mutex);
    hf__store_rlx(&is_held, 1);
    sleep_ms(*(int *)ms);
    return NULL;
}

enum { WAITERS = 3, SOON_MS = 3000 };

static void waiters_learn_of_a_death_within_a_slice(void **unused)
{
    int held_ms[] = {1, 30, 500};
    for (size_t at = 0; at < sizeof held_ms / sizeof held_ms[0]; at += 1) {
        start_afresh(unused);
        hf__store_rlx(&is_held, 0);
        pthread_t holder = start(hold_for_a_time, &held_ms[at]);
        while (!hf__load_rlx(&is_held)) {
            sleep_ms(1);
        }
        hf_result told[WAITERS];
        pthread_t waiters[WAITERS];
        for (int waiter = 0; waiter < WAITERS; waiter += 1) {
            waiters[waiter] = start(wait_for_the_mutex, &told[waiter]);
        }
        end_of(holder);
        int64_t died_ns = hf_now_ns();
        int abandoned = 0;
        for (int waiter = 0; waiter < WAITERS; waiter += 1) {
            end_of(waiters[waiter]);
            abandoned += told[waiter] == HF_ABANDONED;
        }
        assert_true(hf_now_ns() - died_ns < SOON_MS * HF_MILLISECOND);
        assert_int_equal(abandoned, 1); /* it recovered */
    }
}

static void a_waiter_finds_a_javascript_thread_dead(void **unused)
{
    (void)unused;
    uint32_t dead = hf__agents_join(table(), 0);
    hf__agent_appear(slot_of(dead), dead, 1);
    slot_of(dead)->looked = 0;
    mutex.gate.word = dead;
    assert_int_equal(hf_mutex_trylock(&mutex), HF_BUSY);
    assert_int_equal(hf_mutex_lock_until(&mutex, hf_now_ns() + 60 * HF_MILLISECOND), HF_TIMEOUT);
    assert_int_equal(slot_of(dead)->looked, 0); /* so soon, no probe was made */
    assert_int_equal(hf_mutex_lock(&mutex), HF_ABANDONED);
    assert_is_good_again();
}

static void a_thread_without_a_slot_is_not_found_dead(void **unused)
{
    (void)unused;
    uint32_t living = hf__agents_join(table(), 0);
    hf__agent_appear(slot_of(living), living, 0);
    mutex.gate.word = living;
    assert_int_equal(hf_mutex_trylock(&mutex), HF_BUSY);
    assert_int_equal(hf_mutex_lock_until(&mutex, hf_now_ns() + 700 * HF_MILLISECOND), HF_TIMEOUT);
    assert_int_equal(hf__gate_used(&mutex.gate), living);
    hf__agent_leave(slot_of(living), living);
    assert_int_equal(hf_mutex_trylock(&mutex), HF_ABANDONED);
    assert_is_good_again();
}

/* ---- Other locks ---- */

static void *write_until_the_end(void *unused)
{
    hf_rwlock_lock(&rwlock);
    return unused;
}

static void readers_and_writers_learn_of_the_death_of_a_writer(void **unused)
{
    (void)unused;
    live(write_until_the_end, NULL);
    assert_int_equal(hf_rwlock_trylock_shared(&rwlock), HF_ABANDONED);
    assert_int_equal(hf_rwlock_lock_shared(&rwlock), HF_ABANDONED);
    assert_int_equal(hf_rwlock_trylock(&rwlock), HF_ABANDONED);
    assert_true(hf_rwlock_is_mine(&rwlock));
    assert_int_equal(hf_rwlock_unlock(&rwlock), HF_OK);
    live(write_until_the_end, NULL); /* it got HF_ABANDONED, and did not recover the lock */
    assert_int_equal(hf_rwlock_lock_shared(&rwlock), HF_ABANDONED);
    assert_int_equal(hf_rwlock_lock_until(&rwlock, 0), HF_ABANDONED);
    assert_int_equal(hf_rwlock_recover(&rwlock), HF_OK);
    assert_int_equal(hf_rwlock_unlock(&rwlock), HF_OK);
    assert_int_equal(rwlock.gate.word, 0);
    assert_int_equal(hf_rwlock_lock_shared(&rwlock), HF_OK);
    assert_int_equal(hf_rwlock_unlock_shared(&rwlock), HF_OK);
}

static void *read_until_the_end(void *unused)
{
    hf_rwlock_lock_shared(&rwlock);
    return unused;
}

static void the_death_of_a_reader_is_not_detected(void **unused)
{
    (void)unused;
    live(read_until_the_end, NULL);
    assert_int_equal(hf_rwlock_trylock(&rwlock), HF_BUSY);
    assert_int_equal(hf_rwlock_lock_until(&rwlock, hf_now_ns() + HF_MILLISECOND), HF_TIMEOUT);
    assert_int_equal(hf_rwlock_lock_shared(&rwlock), HF_OK);
    assert_int_equal(hf_rwlock_unlock_shared(&rwlock), HF_OK);
    assert_int_equal(hf_rwlock_unlock_shared(&rwlock), HF_OK); /* the dead thread's */
    assert_int_equal(hf_rwlock_unlock_shared(&rwlock), HF_NOT_OWNER);
    assert_int_equal(hf_rwlock_trylock(&rwlock), HF_OK);
    assert_int_equal(hf_rwlock_unlock(&rwlock), HF_OK);
}

static void *read_upgradable_until_the_end(void *unused)
{
    hf_rwlock_lock_upgradable(&rwlock);
    return unused;
}

static void the_next_thread_gets_the_lock_of_a_dead_upgradable_reader(void **unused)
{
    (void)unused;
    live(read_upgradable_until_the_end, NULL);
    assert_int_equal(hf_rwlock_trylock_shared(&rwlock), HF_OK);
    assert_int_equal(hf_rwlock_trylock_upgradable(&rwlock), HF_OK);
    assert_int_equal(hf_rwlock_unlock_shared(&rwlock), HF_OK);
    assert_int_equal(hf_rwlock_unlock_upgradable(&rwlock), HF_OK);
    live(read_upgradable_until_the_end, NULL);
    assert_int_equal(hf_rwlock_trylock(&rwlock), HF_OK);
    assert_int_equal(hf_rwlock_unlock(&rwlock), HF_OK);
    live(read_upgradable_until_the_end, NULL);
    assert_int_equal(hf_rwlock_lock_upgradable(&rwlock), HF_OK);
    assert_int_equal(hf_rwlock_upgrade(&rwlock), HF_OK);
    assert_int_equal(hf_rwlock_unlock(&rwlock), HF_OK);
    live(read_upgradable_until_the_end, NULL);
    assert_int_equal(hf_rwlock_lock(&rwlock), HF_OK);
    assert_int_equal(hf_rwlock_unlock(&rwlock), HF_OK);
    assert_int_equal(rwlock.gate.word, 0);
    assert_int_equal(rwlock.gate.own, 0);
}

static void *begin_to_upgrade(void *unused)
{
    hf_rwlock_lock_upgradable(&rwlock);
    hf__rwlock_upgrade_step(&rwlock, hf__rwlock_writer(hf_thread_id()));
    return unused;
}

static void readers_come_in_after_the_death_of_a_thread_that_upgrades(void **unused)
{
    (void)unused;
    assert_int_equal(hf_rwlock_lock_shared(&rwlock), HF_OK);
    live(begin_to_upgrade, NULL);
    assert_int_equal(hf_rwlock_trylock_shared(&rwlock), HF_OK);
    assert_int_equal(hf_rwlock_unlock_shared(&rwlock), HF_OK);
    live(begin_to_upgrade, NULL);
    assert_int_equal(hf_rwlock_lock_shared(&rwlock), HF_OK);
    assert_int_equal(hf_rwlock_unlock_shared(&rwlock), HF_OK);
    assert_int_equal(hf_rwlock_unlock_shared(&rwlock), HF_OK);
    assert_int_equal(rwlock.gate.word, 0);
    assert_int_equal(rwlock.gate.own, 0);
}

static void *begin_once(void *once)
{
    hf_once_begin((hf_once *)once);
    return NULL;
}

static void the_next_caller_runs_a_once_whose_runner_died(void **unused)
{
    (void)unused;
    hf_once once = {0};
    live(begin_once, &once);
    assert_int_equal(hf_once_begin(&once), HF_OK);
    assert_int_equal(hf_once_end(&once, true), HF_OK);
    assert_int_equal(hf_once_begin(&once), HF_DONE);
}

/* ---- Destructors of the program, which run after the library's in each round: their key is younger ---- */

static pthread_key_t key;

typedef struct ending {
    uint32_t body;   /* the identity of the earlier thread */
    uint32_t last;   /* its identity in its last destructor */
    uint32_t rounds; /* the number of calls still to come */
    bool releases;   /* it releases the mutex in the last call */
    hf_result locked;
    hf_result unlocked;
} ending;

static hf_mutex mutex_of_destructors;

static void destroy(void *place)
{
    ending *own = (ending *)place;
    own->rounds -= 1;
    if (own->rounds > 0) {
        pthread_setspecific(key, own);
        return;
    }
    own->locked = own->releases ? HF_OK : hf_mutex_lock(&mutex_of_destructors);
    own->unlocked = hf_mutex_unlock(own->releases ? &mutex : &mutex_of_destructors);
    own->last = hf_thread_id();
}

static void *live_and_destroy(void *place)
{
    ending *own = (ending *)place;
    pthread_setspecific(key, own);
    if (own->releases) {
        hf_mutex_lock(&mutex);
        own->body = hf_thread_id();
    }
    return NULL;
}

static void a_destructor_may_release_what_the_thread_holds(void **unused)
{
    (void)unused;
    for (uint32_t rounds = 1; rounds <= 2; rounds += 1) {
        ending own = {.rounds = rounds, .releases = true};
        live(live_and_destroy, &own);
        assert_int_equal(own.unlocked, HF_OK);
        assert_int_equal(own.last, own.body);
        assert_int_equal(mutex.gate.word, 0);
        assert_true(hf__agents_probe(table(), own.body, 0));
    }
}

static void a_thread_that_has_left_its_slot_can_still_lock(void **unused)
{
    (void)unused;
    ending own = {.rounds = 3, .releases = true};
    live(live_and_destroy, &own);
    assert_int_equal(own.unlocked, HF_NOT_OWNER);
    assert_false(hf__is_slot(own.last));
    assert_int_equal(hf_mutex_lock(&mutex), HF_ABANDONED);
    assert_is_good_again();
}

static void a_thread_that_first_locks_in_a_destructor_leaves_its_slot(void **unused)
{
    (void)unused;
    for (int at = 0; at < 2 * SLOTS; at += 1) {
        ending own = {.rounds = 1};
        live(live_and_destroy, &own);
        assert_int_equal(own.locked, HF_OK);
        assert_int_equal(own.unlocked, HF_OK);
        assert_true(hf__is_slot(own.last));
        assert_true(hf__agents_probe(table(), own.last, 0));
    }
}

/* ---- The main thread ---- */

static void *exit_if_told(void *unused)
{
    (void)unused;
    _exit(hf_mutex_lock(&mutex) == HF_ABANDONED ? 0 : 1);
}

static void the_end_of_the_main_thread_is_a_death(void **unused)
{
    (void)unused;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        hf_mutex_lock(&mutex);
        start(exit_if_told, NULL);
        pthread_exit(NULL);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

#define TEST(name) cmocka_unit_test_setup(name, start_afresh)

int main(void)
{
    /* Runs while this process has one thread, since it forks. */
    const struct CMUnitTest alone[] = {
        TEST(the_end_of_the_main_thread_is_a_death),
    };
    const struct CMUnitTest tests[] = {
        TEST(a_thread_has_a_slot_until_it_ends),
        TEST(a_thread_takes_its_slot_at_its_first_lock),
        TEST(a_thread_records_the_time_at_which_it_ends),
        TEST(threads_one_after_the_other_use_the_slots_again),
        TEST(more_threads_than_slots_have_identities_of_their_own),
        TEST(the_next_thread_in_a_slot_finds_nothing_of_the_former),
        TEST(a_later_caller_learns_of_a_death_at_once),
        TEST(unlock_without_recovery_returns_abandoned_to_the_next_owner),
        TEST(a_mutex_that_is_not_recovered_is_held_until_its_thread_ends),
        TEST(a_wait_is_not_a_cancellation_point),
        TEST(waiters_learn_of_a_death_within_a_slice),
        TEST(a_waiter_finds_a_javascript_thread_dead),
        TEST(a_thread_without_a_slot_is_not_found_dead),
        TEST(readers_and_writers_learn_of_the_death_of_a_writer),
        TEST(the_death_of_a_reader_is_not_detected),
        TEST(the_next_thread_gets_the_lock_of_a_dead_upgradable_reader),
        TEST(readers_come_in_after_the_death_of_a_thread_that_upgrades),
        TEST(the_next_caller_runs_a_once_whose_runner_died),
        TEST(a_destructor_may_release_what_the_thread_holds),
        TEST(a_thread_that_has_left_its_slot_can_still_lock),
        TEST(a_thread_that_first_locks_in_a_destructor_leaves_its_slot),
        TEST(a_signal_handler_that_locks_first_costs_no_slot),
        TEST(the_identity_in_a_signal_handler_is_not_dead_while_its_thread_leaves),
        TEST(a_signal_handler_that_learns_of_a_death_shares_its_threads_second_identity),
        TEST(in_the_child_of_a_fork_the_threads_of_its_parent_are_dead),
        /* The last tests, since the table stays full. */
        TEST(dead_threads_make_room_in_a_full_table),
        TEST(an_abandoned_mutex_is_held_and_recovered_even_in_a_full_table),
        TEST(a_lock_of_a_dead_thread_without_a_slot_stays_held),
    };
    assert_int_equal(pthread_key_create(&key, destroy), 0);
    int failures = cmocka_run_group_tests_name("threads, alone", alone, NULL, NULL);
    watchdog_start((const uint32_t *)&mutex, sizeof mutex / sizeof(uint32_t));
    failures += cmocka_run_group_tests_name("threads", tests, NULL, NULL);
    watchdog_stop();
    return failures;
}
