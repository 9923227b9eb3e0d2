/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Threads that lock a recursive mutex in every way, to random depths, and wait for a condition there. The
 * depth beside the inner mutex (mutex_matrix.c) is plain, so ThreadSanitizer reports threads that use it
 * without the mutex. */
#include "holdfast/recursive_mutex.h"

#include "matrix.h"

enum { ROUNDS = 2000, DEPTH_MOST = 4 };

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

static struct {
    hf_recursive_mutex mutex;
    hf_condition condition;
} words;

static matrix_section section;

/* Each way below returns whether the thread got the mutex. */

static bool by_lock(matrix_thread *self)
{
    (void)self;
    matrix_expect(hf_recursive_mutex_lock(&words.mutex), HF_OK);
    return true;
}

static bool by_trylock(matrix_thread *self)
{
    (void)self;
    hf_result result = hf_recursive_mutex_trylock(&words.mutex);
    matrix_require(result == HF_OK || result == HF_BUSY, "another result of trylock");
    return result == HF_OK;
}

static bool by_lock_until(matrix_thread *self)
{
    int64_t deadline_ns = matrix_deadline(self);
    return matrix_in_time(hf_recursive_mutex_lock_until(&words.mutex, deadline_ns), deadline_ns);
}

typedef bool (*way)(matrix_thread *self);
static const way WAYS[] = {by_lock, by_trylock, by_lock_until};

/* Another thread may be in a section meanwhile. */
static void wait_a_moment(matrix_thread *self, uint32_t depth)
{
    if (depth == 1) {
        int64_t deadline_ns = matrix_deadline(self);
        matrix_in_time(hf_recursive_mutex_wait_until(&words.mutex, &words.condition, deadline_ns),
                       deadline_ns);
    } else {
        matrix_expect(hf_recursive_mutex_wait(&words.mutex, &words.condition), HF_DEADLOCK);
    }
}

static void descend(matrix_thread *self, uint32_t depth)
{
    if (!WAYS[random_below(&self->random, COUNT(WAYS))](self)) {
        matrix_require(depth == 1, "the owner could not lock it again");
        return;
    }
    matrix_require(hf_recursive_mutex_depth(&words.mutex) == depth, "the depth is another");
    if (matrix_chance(self, 8)) {
        wait_a_moment(self, depth);
    }
    if (depth < DEPTH_MOST && !matrix_chance(self, 3)) {
        descend(self, depth + 1);
    } else {
        matrix_be_alone(&section, 0);
        hf_condition_notify(&words.condition, 1);
    }
    matrix_require(hf_recursive_mutex_depth(&words.mutex) == depth, "the depth did not come back");
    matrix_expect(hf_recursive_mutex_unlock(&words.mutex), HF_OK);
}

static void work(matrix_thread *self)
{
    for (int round = 0; round < ROUNDS; round += 1) {
        descend(self, 1);
        watchdog_progress();
    }
}

int main(void)
{
    matrix_begin("recursive_mutex_matrix", &words, sizeof words);
    for (int at = 0; at < MATRIX_THREAD_COUNTS; at += 1) {
        matrix_run(MATRIX_THREADS[at], work);
        matrix_require_zero(&words.mutex, sizeof words.mutex);
    }
    return matrix_end();
}
