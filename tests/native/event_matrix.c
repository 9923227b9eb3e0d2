/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* A manual event: everything before the set is visible after the wait, and a pulse releases all present
 * waiters. An automatic event: each set lets one waiter through. */
#include "event.h"

#include <stdbool.h>
#include <stdio.h>

#include "gate_ways.h"
#include "matrix.h"

enum { ROUNDS = 1000, PULSES = 1500, PASSES = 1000 };

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

static hf_event event;
static matrix_section section;
static uint32_t told;    /* plain: the event orders it */
static uint32_t waiting; /* threads that have begun to wait for this pulse */
static uint64_t passed[MATRIX_THREADS_MAX];

/* Each way below returns whether the event let the thread through. */

static bool by_wait(matrix_thread *self)
{
    (void)self;
    hf_event_wait(&event);
    return true;
}

static bool by_wait_until(matrix_thread *self)
{
    int64_t deadline_ns = matrix_deadline(self);
    return matrix_in_time(hf_event_wait_until(&event, deadline_ns), deadline_ns);
}

/* As an event loop: steps now and then, and may give up. */
static bool by_polling(matrix_thread *self)
{
    if (hf__event_resets_itself(&event)) {
        return gate_by_polling(self, (gate_request){&event.gate, HF__EVENT_CAPACITY, HF__EVENT_CAPACITY, 0});
    }
    uint32_t token = hf__event_begin(&event);
    while (hf__event_step(&event, token) != HF__DONE) {
        if (matrix_chance(self, 100)) {
            return false;
        }
        matrix_look_elsewhere(self);
    }
    return true;
}

typedef bool (*way)(matrix_thread *self);
static const way WAYS[] = {by_wait, by_wait, by_wait_until, by_polling};

static void wait_for_event(matrix_thread *self)
{
    while (!WAYS[random_below(&self->random, COUNT(WAYS))](self)) {
    }
    watchdog_progress();
}

/* The first thread sends data to the others, round after round. */
static void tell(matrix_thread *self)
{
    for (uint32_t round = 1; round <= ROUNDS; round += 1) {
        matrix_meet();
        if (self->number == 0) {
            matrix_look_elsewhere(self); /* so that other threads have to wait */
            told = round;
            hf_event_set(&event);
        } else {
            wait_for_event(self);
            matrix_require(told == round, "a wait ended before the set");
        }
        matrix_meet();
        if (self->number == 0) {
            matrix_require(hf_event_is_set(&event), "it does not stay set");
            hf_event_reset(&event);
            watchdog_progress();
        }
    }
}

/* Waits for the event by checking whether it is set. */
static void look(matrix_thread *self)
{
    for (uint32_t round = 1; round <= ROUNDS; round += 1) {
        matrix_meet();
        if (self->number == 0) {
            told = round;
            hf_event_set(&event);
        } else {
            while (!hf_event_is_set(&event)) {
                matrix_look_elsewhere(self);
            }
            matrix_require(told == round, "it was seen set before the set");
        }
        watchdog_progress();
        matrix_meet();
        if (self->number == 0) {
            hf_event_reset(&event);
        }
    }
}

/* The first thread sets and resets at once when all others have begun to wait. */
static void pulse(matrix_thread *self)
{
    for (uint32_t round = 1; round <= PULSES; round += 1) {
        if (self->number == 0) {
            while (hf__load_rlx(&waiting) < (uint32_t)self->threads - 1) {
                matrix_pass_time(0);
            }
            hf__store_rlx(&waiting, 0);
            matrix_pass_time(matrix_chance(self, 2) ? 0 : 20 * HF_MICROSECOND);
            told = round;
            hf_event_set(&event);
            hf_event_reset(&event);
        } else {
            uint32_t token = hf__event_begin(&event);
            hf__add_rlx(&waiting, 1);
            while (hf__event_wait(&event, token, 0, -1) != HF_OK) {
            }
            matrix_require(told == round, "a wait ended before the set");
        }
        watchdog_progress();
        matrix_meet();
    }
}

/* One set for each thread that is let through: they are in the section one at a time. */
static void pass_one_by_one(matrix_thread *self)
{
    for (int round = 0; round < PASSES; round += 1) {
        wait_for_event(self);
        matrix_be_alone(&section, 0);
        passed[self->number] += 1;
        if (matrix_chance(self, 4)) {
            hf_event_reset(&event); /* the wait has already reset it */
        }
        hf_event_set(&event);
    }
}

static void run_one_by_one(int threads)
{
    hf_event_init(&event, true);
    hf_event_set(&event);
    section = (matrix_section){0};
    for (int at = 0; at < MATRIX_THREADS_MAX; at += 1) {
        passed[at] = 0;
    }
    printf("one that resets by itself, ");
    matrix_run(threads, pass_one_by_one);
    uint64_t sum = 0;
    for (int at = 0; at < threads; at += 1) {
        sum += passed[at];
    }
    matrix_require(section.entered == sum, "sections were lost");
    matrix_require(hf_event_is_set(&event), "the last set was lost");
    matrix_require_zero(&event.gate.word, sizeof event.gate.word);
    matrix_require_zero(&event.gate.line, sizeof event.gate.line);
}

int main(void)
{
    matrix_begin("event_matrix", &event, sizeof event);
    for (int at = 0; at < MATRIX_THREAD_COUNTS; at += 1) {
        int threads = MATRIX_THREADS[at];
        hf_event_init(&event, false);
        printf("one that stays set, ");
        matrix_run(threads, tell);
        printf("looks, ");
        matrix_run(threads, look);
        waiting = 0;
        printf("pulses, ");
        matrix_run(threads, pulse);
        matrix_require(!hf_event_is_set(&event), "it is still set");
        run_one_by_one(threads);
    }
    return matrix_end();
}
