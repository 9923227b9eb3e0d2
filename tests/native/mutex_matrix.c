/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Threads x section lengths x numbers of locks, in every way to take a lock. */
#include "holdfast/mutex.h"

#include <inttypes.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>

#include "gate_ways.h"
#include "matrix.h"

enum { LOCKS_MAX = 3 };

typedef struct length {
    int64_t ns;
    int rounds; /* of each thread; fewer for longer sections */
} length;

static const int LOCKS[] = {1, LOCKS_MAX};
static const length LENGTHS[] = {
    {.ns = 0, .rounds = 400},
    {.ns = 5 * HF_MICROSECOND, .rounds = 1500},
    {.ns = 300 * HF_MICROSECOND, .rounds = 100},
};

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

/* A mutex protects the section of the same index. */
static hf_mutex mutexes[LOCKS_MAX];
static matrix_section sections[LOCKS_MAX];
static uint64_t done[LOCKS_MAX][MATRIX_THREADS_MAX]; /* sections, by each thread */

/* The settings of this run. */
static length section_length;
static uint32_t locks;

/* Each way below returns whether the thread got the lock. */

static bool by_lock(matrix_thread *self, hf_mutex *mutex)
{
    (void)self;
    matrix_expect(hf_mutex_lock(mutex), HF_OK);
    return true;
}

static bool by_trylock(matrix_thread *self, hf_mutex *mutex)
{
    for (uint32_t tries = 1 + random_below(&self->random, 50); tries > 0; tries -= 1) {
        hf_result result = hf_mutex_trylock(mutex);
        if (result == HF_OK) {
            return true;
        }
        matrix_expect(result, HF_BUSY);
        sched_yield();
    }
    return false;
}

static bool by_lock_until(matrix_thread *self, hf_mutex *mutex)
{
    int64_t deadline_ns = matrix_deadline(self);
    return matrix_in_time(hf_mutex_lock_until(mutex, deadline_ns), deadline_ns);
}

static gate_request request_of(hf_mutex *mutex)
{
    return (gate_request){&mutex->gate, hf_thread_id(), HF__GATE_FOR_ONE, 0};
}

static bool by_polling(matrix_thread *self, hf_mutex *mutex)
{
    return gate_by_polling(self, request_of(mutex));
}

static bool by_watching(matrix_thread *self, hf_mutex *mutex)
{
    return gate_by_watching(self, request_of(mutex));
}

typedef bool (*way)(matrix_thread *self, hf_mutex *mutex);
static const way WAYS[] = {by_lock, by_trylock, by_lock_until, by_polling, by_watching};

static void work(matrix_thread *self)
{
    for (int round = 0; round < rounds_in_tier(section_length.rounds); round += 1) {
        uint32_t lock = random_below(&self->random, locks);
        way take = WAYS[random_below(&self->random, COUNT(WAYS))];
        if (take(self, &mutexes[lock])) {
            matrix_be_alone(&sections[lock], section_length.ns);
            done[lock][self->number] += 1;
            matrix_require(hf_mutex_is_mine(&mutexes[lock]), "the lock went away during the section");
            matrix_expect(hf_mutex_unlock(&mutexes[lock]), HF_OK);
        }
        watchdog_progress();
    }
}

static void run(int threads)
{
    for (uint32_t lock = 0; lock < LOCKS_MAX; lock += 1) {
        sections[lock] = (matrix_section){0};
        for (int at = 0; at < MATRIX_THREADS_MAX; at += 1) {
            done[lock][at] = 0;
        }
    }
    printf("section %6" PRId64 " ns, locks %" PRIu32 ", ", section_length.ns, locks);
    matrix_run(threads, work);
    for (uint32_t lock = 0; lock < LOCKS_MAX; lock += 1) {
        uint64_t sum = 0;
        for (int at = 0; at < threads; at += 1) {
            sum += done[lock][at];
        }
        matrix_require(sections[lock].entered == sum, "sections were lost");
    }
    matrix_require_zero(mutexes, sizeof mutexes);
}

int main(void)
{
    matrix_begin("mutex_matrix", mutexes, sizeof mutexes);
    for (int threads = 0; threads < MATRIX_THREAD_COUNTS; threads += 1) {
        for (int at = 0; at < COUNT(LENGTHS) * COUNT(LOCKS); at += 1) {
            section_length = LENGTHS[at / COUNT(LOCKS)];
            locks = (uint32_t)LOCKS[at % COUNT(LOCKS)];
            run(MATRIX_THREADS[threads]);
        }
    }
    return matrix_end();
}
