/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Two processes and locks in memory that they share, with the library as HOLDFAST_PROCESS_SHARED builds it.
 * No wait of a whole slice ends by itself (endless_slices.c), so a wake that does not reach the other process
 * ends in the watchdog. */
#define _GNU_SOURCE /* memfd_create */
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmocka_with_headers.h"
#include "holdfast/holdfast.h"
#include "watchdog.h"

enum { SECTIONS = 20000, TURNS = 1000, SECONDS = 60 };

static struct shared {
    hf_mutex mutex; /* guards what follows it */
    long counter;
    long doubled;
    int turn;
    hf_condition turns;
    hf_semaphore started;
    uint32_t ids[2];
} * shared;

/* Runs sections. Returns whether none saw another one half done. */
static bool count(void)
{
    bool whole = true;
    for (int section = 0; section < SECTIONS; section += 1) {
        hf_mutex_lock(&shared->mutex);
        whole = whole && shared->doubled == 2 * shared->counter;
        shared->counter += 1;
        shared->doubled += 2;
        hf_mutex_unlock(&shared->mutex);
        watchdog_progress();
    }
    return whole;
}

static void take_turns(int side)
{
    for (int turn = 0; turn < TURNS; turn += 1) {
        hf_mutex_lock(&shared->mutex);
        while (shared->turn != side) {
            hf_condition_wait(&shared->turns, &shared->mutex);
        }
        shared->turn = 1 - side;
        hf_mutex_unlock(&shared->mutex);
        hf_condition_notify(&shared->turns, 1);
        watchdog_progress();
    }
}

/* Returns whether this process can neither lock nor unlock a mutex that the other one holds. */
static bool is_refused(void)
{
    return hf_mutex_trylock(&shared->mutex) == HF_BUSY && hf_mutex_unlock(&shared->mutex) == HF_NOT_OWNER;
}

/* Checks that no waiter is counted while the other process waits for the caller's mutex: a process that is
 * killed in its wait would stay counted for ever. */
static void nobody_is_counted(void)
{
    const uint64_t sleepers = UINT64_C(1) << 31;
    while ((hf__load64_rlx(&shared->mutex.gate.word) & sleepers) == 0) {
        assert_int_equal(hf__load_rlx(&shared->mutex.gate.own), 0);
    }
    const int64_t end_ns = hf_now_ns() + 2 * HF_PATIENCE_NS; /* it may not sleep yet */
    while (hf_now_ns() < end_ns) {
        assert_int_equal(hf__load_rlx(&shared->mutex.gate.own), 0);
    }
}

static struct shared *map(int memory)
{
    void *mapped = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
    assert_ptr_not_equal(mapped, MAP_FAILED);
    return mapped;
}

static bool be_child(int memory)
{
    struct shared *of_parent = shared;
    shared = map(memory); /* at an address of its own: objects contain no pointer */
    assert_ptr_not_equal(shared, of_parent);
    shared->ids[1] = hf_thread_id();
    bool refused = is_refused();
    hf_semaphore_leave(&shared->started, 1);
    bool whole = count();
    take_turns(1);
    return refused && whole;
}

static void two_processes_use_one_mutex_and_one_condition(void **unused)
{
    (void)unused;
    const int memory = memfd_create("locks", 0);
    assert_true(memory >= 0);
    assert_int_equal(ftruncate(memory, sizeof *shared), 0);
    shared = map(memory);
    hf_semaphore_init(&shared->started, 0, 1);
    assert_int_equal(hf_mutex_lock(&shared->mutex), HF_OK);
    shared->ids[0] = hf_thread_id();

    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        alarm(SECONDS); /* only the parent has a watchdog */
        _exit(be_child(memory) ? 0 : 1);
    }
    watchdog_start((const uint32_t *)shared, sizeof *shared / sizeof(uint32_t));
    assert_int_equal(hf_semaphore_enter(&shared->started, 1), HF_OK);
    nobody_is_counted();
    assert_int_equal(hf_mutex_unlock(&shared->mutex), HF_OK);
    assert_true(count());
    take_turns(0);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    watchdog_stop();
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    assert_int_equal(shared->counter, 2 * SECTIONS);
    assert_int_not_equal(shared->ids[0], shared->ids[1]);
    assert_int_equal(munmap(shared, sizeof *shared), 0);
    assert_int_equal(close(memory), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_processes_use_one_mutex_and_one_condition),
    };
    return cmocka_run_group_tests_name("process shared", tests, NULL, NULL);
}
