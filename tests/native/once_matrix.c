/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Things that are done once, one after another. If a try fails, the next thread repeats it; all see the
 * result. */
#include "holdfast/once.h"

#include <stdbool.h>
#include <stdio.h>

#include "gate_ways.h"
#include "matrix.h"

enum { ROUNDS = 1000, FAILS_MAX = 3 };

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

static hf_once once;

/* Plain: the thread that does the work writes them, and threads that find it done read them. */
static uint32_t tries;
static uint32_t fails; /* how many tries of this round fail */
static uint32_t value;

/* Each way below returns HF_OK if the caller is to do the work, HF_DONE, or HF_TIMEOUT. */

static hf_result by_begin(matrix_thread *self)
{
    (void)self;
    return hf_once_begin(&once);
}

static hf_result by_begin_until(matrix_thread *self)
{
    int64_t deadline_ns = matrix_deadline(self);
    hf_result result = hf_once_begin_until(&once, deadline_ns);
    if (result != HF_DONE) {
        matrix_in_time(result, deadline_ns);
    }
    return result;
}

/* As an event loop: it waits for the mutex, and then checks. */
static hf_result by_polling(matrix_thread *self)
{
    if (hf_once_is_done(&once)) {
        return HF_DONE;
    }
    if (!gate_by_polling(self, (gate_request){&once.mutex.gate, hf_thread_id(), HF__GATE_FOR_ONE, 0})) {
        return HF_TIMEOUT;
    }
    if (hf_once_is_done(&once)) {
        matrix_expect(hf_once_end(&once, true), HF_OK);
        return HF_DONE;
    }
    return HF_OK;
}

static hf_result by_looking(matrix_thread *self)
{
    (void)self;
    return hf_once_is_done(&once) ? HF_DONE : HF_TIMEOUT;
}

typedef hf_result (*way)(matrix_thread *self);
static const way WAYS[] = {by_begin, by_begin, by_begin_until, by_polling, by_looking};

static void try_it(uint32_t round)
{
    matrix_require(value != round, "it was done already");
    tries += 1;
    matrix_pass_time(0);
    bool is_done = tries > fails;
    if (is_done) {
        value = round;
    }
    matrix_expect(hf_once_end(&once, is_done), HF_OK);
}

static void do_it_once(matrix_thread *self, uint32_t round)
{
    hf_result result = HF_TIMEOUT;
    while (result != HF_DONE) {
        result = WAYS[random_below(&self->random, COUNT(WAYS))](self);
        if (result == HF_OK) {
            try_it(round);
        }
        watchdog_progress();
    }
}

static void use_once(matrix_thread *self)
{
    for (uint32_t round = 1; round <= ROUNDS; round += 1) {
        if (self->number == 0) {
            once.done = false;
            tries = 0;
            fails = random_below(&self->random, FAILS_MAX + 1);
        }
        matrix_meet();
        do_it_once(self, round);
        matrix_require(value == round, "what was done is not seen");
        matrix_require(tries == fails + 1, "it was done twice, or a try that failed was not repeated");
        matrix_meet();
        matrix_require_zero(&once.mutex, sizeof once.mutex);
        matrix_meet();
    }
}

int main(void)
{
    matrix_begin("once_matrix", &once, sizeof once);
    for (int at = 0; at < MATRIX_THREAD_COUNTS; at += 1) {
        value = 0;
        printf("rounds %d, ", ROUNDS);
        matrix_run(MATRIX_THREADS[at], use_once);
    }
    return matrix_end();
}
