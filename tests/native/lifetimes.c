/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Objects that are freed as early as their headers allow, round after round, while other threads are about to
 * return from them. AddressSanitizer and ThreadSanitizer report what is touched later; in a plain build such
 * a thread finds garbage, in which it waits for ever. */
#include "holdfast/holdfast.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "holdfast/atomic.h"
#include "matrix.h"

enum { ROUNDS = 3000, GARBAGE = 0xA5 };

/* All objects here are of one size for the allocator, so that it gives the same memory again. */
enum { PLACE_BYTES = 32 };

static void *new_place(void)
{
    void *place = calloc(1, PLACE_BYTES);
    matrix_require(place != NULL, "there is no memory");
    return place;
}

static void free_place(void *place)
{
    memset(place, GARBAGE, PLACE_BYTES);
    free(place);
}

static uint32_t rounds[MATRIX_THREADS_MAX]; /* where each thread is; for the watchdog */

static void come_to(const matrix_thread *self, int round)
{
    hf__store_rlx(&rounds[self->number], (uint32_t)round);
    watchdog_progress();
}

/* Plain: the objects order the threads. */
static hf_barrier *barriers[2];

static hf_barrier *new_barrier(int threads)
{
    hf_barrier *barrier = new_place();
    hf_barrier_init(barrier, (uint32_t)threads);
    return barrier;
}

/* Of each round another thread does it, whose own wait has returned. */
static void destroy_barriers(matrix_thread *self)
{
    for (int round = 0; round < ROUNDS; round += 1) {
        come_to(self, round);
        hf_barrier **barrier = &barriers[round % 2];
        bool is_last = hf_barrier_arrive_and_wait(*barrier);
        bool by_last = round % 4 < 2;
        if (by_last ? is_last : round / 4 % self->threads == self->number) {
            hf_barrier_destroy(*barrier);
            if (matrix_chance(self, 2)) {
                free_place(*barrier);
                *barrier = new_barrier(self->threads);
            } else {
                hf_barrier_init(*barrier, (uint32_t)self->threads);
            }
        }
    }
}

static void run_barriers(int threads)
{
    printf("barriers, ");
    barriers[0] = new_barrier(threads);
    barriers[1] = new_barrier(threads);
    matrix_run(threads, destroy_barriers);
    free_place(barriers[0]);
    free_place(barriers[1]);
}

/* A round: all but one wait; that one notifies them, and destroys the condition that they wait on. The mutex
 * guards what is here. */
static struct {
    hf_mutex mutex;
    hf_condition all_wait;
    hf_condition *condition;
    int waiting;
    int round;
} crowd;

static void wait_for_the_end_of(int round)
{
    crowd.waiting += 1;
    hf_condition_notify(&crowd.all_wait, 1);
    while (crowd.round == round) {
        matrix_expect(hf_condition_wait(crowd.condition, &crowd.mutex), HF_OK);
    }
    hf_mutex_unlock(&crowd.mutex);
}

static void end_round(matrix_thread *self)
{
    while (crowd.waiting < self->threads - 1) {
        matrix_expect(hf_condition_wait(&crowd.all_wait, &crowd.mutex), HF_OK);
    }
    hf_condition *old = crowd.condition;
    crowd.condition = new_place();
    crowd.waiting = 0;
    crowd.round += 1;
    hf_condition_notify(old, HF_CONDITION_ALL);
    bool holds_it = matrix_chance(self, 2);
    if (!holds_it) {
        hf_mutex_unlock(&crowd.mutex);
    }
    hf_condition_destroy(old);
    free_place(old);
    if (holds_it) {
        hf_mutex_unlock(&crowd.mutex);
    }
}

static void destroy_conditions(matrix_thread *self)
{
    for (int round = 0; round < ROUNDS; round += 1) {
        come_to(self, round);
        hf_mutex_lock(&crowd.mutex);
        if (round % self->threads == self->number) {
            end_round(self);
        } else {
            wait_for_the_end_of(round);
        }
    }
}

static void run_conditions(int threads)
{
    printf("conditions, ");
    crowd.condition = new_place();
    crowd.round = 0;
    matrix_run(threads, destroy_conditions);
    free_place(crowd.condition);
    matrix_require_zero(&crowd.mutex, sizeof crowd.mutex);
}

int main(void)
{
    matrix_begin("lifetimes", rounds, sizeof rounds);
    for (int at = 0; at < MATRIX_THREAD_COUNTS; at += 1) {
        run_barriers(MATRIX_THREADS[at]);
        run_conditions(MATRIX_THREADS[at]);
    }
    return matrix_end();
}
