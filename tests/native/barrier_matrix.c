/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Rounds of a barrier, over the wrap of their number. Each thread writes its round before it arrives, and
 * afterwards finds the same round written by all others: rounds are never mixed. Then rounds with a
 * completion, from which the threads drop one after another. */
#include "barrier.h"

#include <inttypes.h>
#include <stdio.h>

#include "matrix.h"

enum { ROUNDS = 4000, ROUNDS_BEFORE_WRAP = 1500 };

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

static hf_barrier barrier;

/* Plain: the barrier orders them. Even and odd rounds have separate words, since a thread may run ahead. */
static uint32_t written[2][MATRIX_THREADS_MAX];
static uint32_t lasts; /* the number of rounds that had a last thread */

/* Each way below returns HF_OK, HF_DONE in the last thread, or HF_TIMEOUT if the arrival was taken back. */

static hf_result by_wait(matrix_thread *self)
{
    (void)self;
    return hf_barrier_arrive_and_wait(&barrier) ? HF_DONE : HF_OK;
}

static hf_result by_wait_until(matrix_thread *self)
{
    int64_t deadline_ns = matrix_deadline(self);
    hf_result result = hf_barrier_arrive_and_wait_until(&barrier, deadline_ns);
    if (result != HF_DONE) {
        matrix_in_time(result, deadline_ns);
    }
    return result;
}

/* As an event loop: steps now and then, and may give up. */
static hf_result by_polling(matrix_thread *self)
{
    uint64_t arrival = hf__barrier_arrive(&barrier);
    if (arrival & HF__BARRIER_LAST) {
        return HF_DONE;
    }
    uint32_t round = (uint32_t)arrival;
    while (hf__barrier_step(&barrier, round) != HF__DONE) {
        matrix_look_elsewhere(self);
        if (matrix_chance(self, 100)) {
            return hf__barrier_give_up(&barrier, round);
        }
    }
    return HF_OK;
}

typedef hf_result (*way)(matrix_thread *self);
static const way WAYS[] = {by_wait, by_wait, by_wait, by_wait_until, by_polling};

static hf_result arrive(matrix_thread *self)
{
    hf_result result = HF_TIMEOUT;
    while (result == HF_TIMEOUT) {
        result = WAYS[random_below(&self->random, COUNT(WAYS))](self);
        watchdog_progress();
    }
    return result;
}

static void use_barrier(matrix_thread *self)
{
    for (uint32_t round = 1; round <= ROUNDS; round += 1) {
        written[round % 2][self->number] = round;
        if (arrive(self) == HF_DONE) {
            lasts += 1;
            matrix_require(lasts == round, "a round has had no last one, or two");
        }
        for (int at = 0; at < self->threads; at += 1) {
            matrix_require(written[round % 2][at] == round, "two rounds are mixed");
        }
    }
}

static void run(int threads)
{
    hf_barrier_init(&barrier, (uint32_t)threads);
    const uint64_t at_rest = barrier.word;
    barrier.word += UINT32_MAX - ROUNDS_BEFORE_WRAP + 1;
    lasts = 0;
    printf("rounds %d, ", ROUNDS);
    matrix_run(threads, use_barrier);
    matrix_require(lasts == ROUNDS, "rounds were lost");
    matrix_require(barrier.word == at_rest + ROUNDS - ROUNDS_BEFORE_WRAP,
                   "an arrival is left, or a round is missing");
}

/* Plain: only the last thread of a round writes it, while all others wait. */
static uint32_t completed;

static void complete(void *argument)
{
    int threads = *(int *)argument;
    completed += 1;
    for (int at = 0; at < threads; at += 1) {
        matrix_require(written[completed % 2][at] >= completed, "one has not arrived");
    }
}

static void come_through(matrix_thread *self, const hf_barrier_completion *completion)
{
    if (matrix_chance(self, 2)) {
        hf_barrier_arrive_and_wait_with(&barrier, completion);
        return;
    }
    hf_barrier_token token = hf_barrier_arrive(&barrier, completion);
    while (hf_barrier_wait_until(&barrier, token, matrix_deadline(self)) != HF_OK) {
    }
}

static void drop_out(matrix_thread *self)
{
    const hf_barrier_completion completion = {.run = complete, .argument = &self->threads};
    const uint32_t rounds = ROUNDS - random_below(&self->random, ROUNDS / 2);
    for (uint32_t round = 1; round < rounds; round += 1) {
        written[round % 2][self->number] = round;
        come_through(self, &completion);
        matrix_require(completed == round, "a round was not completed, or completed twice");
        watchdog_progress();
    }
    written[0][self->number] = UINT32_MAX;
    written[1][self->number] = UINT32_MAX;
    hf_barrier_arrive_and_drop(&barrier, &completion);
}

static void run_drops(int threads)
{
    hf_barrier_init(&barrier, (uint32_t)threads);
    completed = 0;
    printf("drops, ");
    matrix_run(threads, drop_out);
    matrix_require(barrier.word == completed, "an arrival is left, or not all have dropped");
}

int main(void)
{
    matrix_begin("barrier_matrix", &barrier, sizeof barrier);
    for (int at = 0; at < MATRIX_THREAD_COUNTS; at += 1) {
        run(MATRIX_THREADS[at]);
        run_drops(MATRIX_THREADS[at]);
    }
    return matrix_end();
}
