/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Latches, one after another. Everything that each thread wrote before it counted down is visible to all
 * waiters, and no waiter gets through before the last count. */
#include "latch.h"

#include <stdbool.h>
#include <stdio.h>

#include "matrix.h"

enum { ROUNDS = 1000, SHARE_MAX = 4 };

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

static hf_latch latch;
static uint32_t written[MATRIX_THREADS_MAX]; /* plain: the latch orders it */

/* Each way below returns whether the latch is open. */

static bool by_wait(matrix_thread *self)
{
    (void)self;
    hf_latch_wait(&latch);
    return true;
}

static bool by_wait_until(matrix_thread *self)
{
    int64_t deadline_ns = matrix_deadline(self);
    return matrix_in_time(hf_latch_wait_until(&latch, deadline_ns), deadline_ns);
}

/* As an event loop: looks now and then, and may give up. */
static bool by_polling(matrix_thread *self)
{
    while (hf__latch_step(&latch) != HF__DONE) {
        if (matrix_chance(self, 100)) {
            return false;
        }
        matrix_look_elsewhere(self);
    }
    return true;
}

static bool by_count(matrix_thread *self)
{
    (void)self;
    return hf_latch_count(&latch) == 0;
}

typedef bool (*way)(matrix_thread *self);
static const way WAYS[] = {by_wait, by_wait, by_wait_until, by_polling, by_count};

/* Every thread counts its share down, one or several at a time. */
static void count_down(matrix_thread *self)
{
    for (uint32_t left = SHARE_MAX; left > 0;) {
        uint32_t by = 1 + random_below(&self->random, left);
        left -= by;
        if (matrix_chance(self, 8)) {
            matrix_look_elsewhere(self); /* else few threads would have to wait */
        }
        if (left == 0) {
            written[self->number] += 1;
        }
        matrix_expect(hf_latch_count_down(&latch, by), HF_OK);
    }
}

static void use_latches(matrix_thread *self)
{
    for (uint32_t round = 1; round <= ROUNDS; round += 1) {
        if (self->number == 0) {
            hf_latch_init(&latch, (uint32_t)self->threads * SHARE_MAX);
        }
        matrix_meet();
        count_down(self);
        while (!WAYS[random_below(&self->random, COUNT(WAYS))](self)) {
        }
        for (int at = 0; at < self->threads; at += 1) {
            matrix_require(written[at] == round, "the latch opened before the last count");
        }
        watchdog_progress();
        matrix_meet();
        matrix_require_zero(&latch, sizeof latch);
        matrix_expect(hf_latch_count_down(&latch, 1), HF_OVERFLOW);
        matrix_meet();
    }
}

int main(void)
{
    matrix_begin("latch_matrix", &latch, sizeof latch);
    for (int at = 0; at < MATRIX_THREAD_COUNTS; at += 1) {
        for (int thread = 0; thread < MATRIX_THREADS_MAX; thread += 1) {
            written[thread] = 0;
        }
        printf("latches %d, ", ROUNDS);
        matrix_run(MATRIX_THREADS[at], use_latches);
    }
    return matrix_end();
}
