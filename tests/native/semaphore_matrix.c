/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Threads x permits, in every way to take one, several or all of them. At no time are more taken than exist,
 * and a thread that has all of them uses plain data alone. */
#include "holdfast/semaphore.h"

#include <inttypes.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>

#include "gate_ways.h"
#include "matrix.h"

static const uint32_t MAXIMA[] = {1, 2, 5, 13};
static const int64_t LENGTHS_NS[] = {0, 20 * HF_MICROSECOND};
enum { ROUNDS = 250 };

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

static hf_semaphore semaphore;
static matrix_section section;
static uint32_t taken; /* counted by relaxed atomics, so that only the semaphore orders the threads */

/* The settings of this run. */
static uint32_t max;
static int64_t length_ns;

/* Each way below returns whether the thread got the permits. */

static bool by_enter(matrix_thread *self, uint32_t permits)
{
    (void)self;
    matrix_expect(hf_semaphore_enter(&semaphore, permits), HF_OK);
    return true;
}

static bool by_tryenter(matrix_thread *self, uint32_t permits)
{
    for (uint32_t tries = 1 + random_below(&self->random, 50); tries > 0; tries -= 1) {
        hf_result result = hf_semaphore_tryenter(&semaphore, permits);
        if (result == HF_OK) {
            return true;
        }
        matrix_expect(result, HF_BUSY);
        sched_yield();
    }
    return false;
}

static bool by_enter_until(matrix_thread *self, uint32_t permits)
{
    int64_t deadline_ns = matrix_deadline(self);
    return matrix_in_time(hf_semaphore_enter_until(&semaphore, permits, deadline_ns), deadline_ns);
}

static bool by_polling(matrix_thread *self, uint32_t permits)
{
    return gate_by_polling(self, (gate_request){&semaphore.gate, permits, max, HF__GATE_MOST});
}

static bool by_watching(matrix_thread *self, uint32_t permits)
{
    return gate_by_watching(self, (gate_request){&semaphore.gate, permits, max, HF__GATE_MOST});
}

typedef bool (*way)(matrix_thread *self, uint32_t permits);
static const way WAYS[] = {by_enter, by_enter, by_tryenter, by_enter_until, by_polling, by_watching};

/* Returns a number of permits to take: mostly 1, now and then all. */
static uint32_t some_permits(matrix_thread *self)
{
    if (matrix_chance(self, 8)) {
        return max;
    }
    return matrix_chance(self, 3) ? 1 + random_below(&self->random, max) : 1;
}

/* Returns the permits, sometimes in two parts. */
static void leave(matrix_thread *self, uint32_t permits)
{
    uint32_t first = matrix_chance(self, 4) ? random_below(&self->random, permits) : 0;
    if (first > 0) {
        matrix_expect(hf_semaphore_leave(&semaphore, first), HF_OK);
    }
    matrix_expect(hf_semaphore_leave(&semaphore, permits - first), HF_OK);
}

static void work(matrix_thread *self)
{
    for (int round = 0; round < rounds_in_tier(ROUNDS); round += 1) {
        uint32_t permits = some_permits(self);
        way take = WAYS[random_below(&self->random, COUNT(WAYS))];
        if (take(self, permits)) {
            uint32_t together = hf__add_rlx(&taken, permits) + permits;
            matrix_require(together <= max, "more permits are taken than there are");
            if (permits == max) {
                matrix_be_alone(&section, length_ns);
            } else {
                matrix_look(&section, length_ns);
            }
            hf__add_rlx(&taken, -permits);
            leave(self, permits);
        }
        watchdog_progress();
    }
}

static void run(int threads)
{
    hf_semaphore_init(&semaphore, max, max);
    section = (matrix_section){0};
    printf("section %6" PRId64 " ns, permits %2" PRIu32 ", ", length_ns, max);
    matrix_run(threads, work);
    matrix_require(hf_semaphore_value(&semaphore) == max, "permits were lost");
    matrix_require_zero(&semaphore.gate.word, sizeof semaphore.gate.word);
    matrix_require_zero(&semaphore.gate.line, sizeof semaphore.gate.line);
}

int main(void)
{
    matrix_begin("semaphore_matrix", &semaphore, sizeof semaphore);
    for (int threads = 0; threads < MATRIX_THREAD_COUNTS; threads += 1) {
        for (int at = 0; at < COUNT(LENGTHS_NS) * COUNT(MAXIMA); at += 1) {
            length_ns = LENGTHS_NS[at / COUNT(MAXIMA)];
            max = MAXIMA[at % COUNT(MAXIMA)];
            run(MATRIX_THREADS[threads]);
        }
    }
    return matrix_end();
}
