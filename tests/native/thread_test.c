/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

#define _GNU_SOURCE /* gettid */
#include "holdfast/thread.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmocka_with_headers.h"
#include "holdfast/mutex.h"

enum { THREADS = 64 };

static uint32_t ids[THREADS + 1];

/* An identity may be reused once its thread has ended, so all threads must live at one time. */
static pthread_barrier_t all_alive;

static void *store_id(void *place)
{
    *(uint32_t *)place = hf_thread_id();
    pthread_barrier_wait(&all_alive);
    return NULL;
}

/* Replaced to raise a signal in the middle of a thread's first lock, which calls this function first. */
typedef void at_fork(void);
int __real_pthread_atfork(at_fork *prepare, at_fork *parent, at_fork *child);
int __wrap_pthread_atfork(at_fork *prepare, at_fork *parent, at_fork *child);

static bool is_interrupted;
static uint32_t id_in_handler;

static void use_a_lock(int unused)
{
    (void)unused;
    id_in_handler = hf_thread_id();
}

int __wrap_pthread_atfork(at_fork *prepare, at_fork *parent, at_fork *child)
{
    if (is_interrupted) {
        is_interrupted = false;
        raise(SIGUSR1);
    }
    return __real_pthread_atfork(prepare, parent, child);
}

static void a_signal_handler_that_interrupts_the_first_lock_does_not_wait_for_it(void **unused)
{
    (void)unused;
    enum { SECONDS = 20 };
    assert_int_equal(hf__thread_id_cache, 0);
    const struct sigaction action = {.sa_handler = use_a_lock};
    struct sigaction before;
    assert_int_equal(sigaction(SIGUSR1, &action, &before), 0);
    alarm(SECONDS); /* ends the process, which would otherwise wait for ever */
    is_interrupted = true;
    const uint32_t self = hf_thread_id();
    is_interrupted = false;
    raise(SIGUSR1);
    alarm(0);
    assert_int_equal(id_in_handler, self);
    assert_int_equal(sigaction(SIGUSR1, &before, NULL), 0);
}

static void an_identity_stays_the_same(void **unused)
{
    (void)unused;
    assert_int_equal(hf_thread_id(), hf_thread_id());
}

static void identities_of_living_threads_differ_and_are_in_range(void **unused)
{
    (void)unused;
    pthread_t threads[THREADS];
    ids[THREADS] = hf_thread_id();
    assert_int_equal(pthread_barrier_init(&all_alive, NULL, THREADS), 0);
    for (int at = 0; at < THREADS; at += 1) {
        assert_int_equal(pthread_create(&threads[at], NULL, store_id, &ids[at]), 0);
    }
    for (int at = 0; at < THREADS; at += 1) {
        pthread_join(threads[at], NULL);
    }
    pthread_barrier_destroy(&all_alive);

    for (int at = 0; at <= THREADS; at += 1) {
        assert_int_not_equal(ids[at], 0);
        assert_true(ids[at] < HF_THREAD_JS);
        for (int other = 0; other < at; other += 1) {
            assert_int_not_equal(ids[at], ids[other]);
        }
    }
}

enum { HAS_ITS_OWN = 0, HAS_ANOTHERS = 1, KEEPS_A_LOCK = 2 };

/* Checks the identity of a forked process's only thread: its parent's identity may go to another thread
 * here. */
static int look_as_a_child(uint32_t parent, hf_mutex *held_by_parent)
{
    if (hf_thread_id() == parent || hf_thread_id() != (uint32_t)gettid()) {
        return HAS_ANOTHERS;
    }
    return hf_mutex_unlock(held_by_parent) == HF_NOT_OWNER ? HAS_ITS_OWN : KEEPS_A_LOCK;
}

static void *fork_and_look(void *unused)
{
    static int status;
    hf_mutex mutex = {0};
    hf_mutex_lock(&mutex);
    const uint32_t self = hf_thread_id();
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        _exit(look_as_a_child(self, &mutex));
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(hf_thread_id(), self);
    assert_int_equal(hf_mutex_unlock(&mutex), HF_OK);
    (void)unused;
    return &status;
}

static void assert_the_child_had_its_own(const int *status)
{
    assert_true(WIFEXITED(*status));
    assert_int_equal(WEXITSTATUS(*status), HAS_ITS_OWN);
}

static void a_process_that_forks_has_a_child_with_an_identity_of_its_own(void **unused)
{
    assert_the_child_had_its_own(fork_and_look(unused));

    pthread_t thread;
    void *status;
    assert_int_equal(pthread_create(&thread, NULL, fork_and_look, NULL), 0);
    assert_int_equal(pthread_join(thread, &status), 0);
    assert_the_child_had_its_own(status);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        /* Runs first, since it takes the first lock of this process. */
        cmocka_unit_test(a_signal_handler_that_interrupts_the_first_lock_does_not_wait_for_it),
        cmocka_unit_test(an_identity_stays_the_same),
        cmocka_unit_test(identities_of_living_threads_differ_and_are_in_range),
        cmocka_unit_test(a_process_that_forks_has_a_child_with_an_identity_of_its_own),
    };
    return cmocka_run_group_tests_name("thread", tests, NULL, NULL);
}
