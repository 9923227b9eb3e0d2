/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef MATRIX_H
#define MATRIX_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "holdfast/clock.h"
#include "holdfast/result.h"
#include "random.h"
#include "watchdog.h"

/* Shared by the tests on real threads: a seed, runs of several threads that start together, a watchdog,
 * detectors, and an end of the process that names the failure.  A wait of a whole slice never ends here
 * (endless_slices.c). So a lost wake hangs the test, and the watchdog ends it; in the library, the waiter
 * would check again after the slice. No deadline here is as long as a slice. */

enum { MATRIX_THREADS_MAX = 8 };
static const int MATRIX_THREADS[] = {1, 2, 4, MATRIX_THREADS_MAX};
enum { MATRIX_THREAD_COUNTS = sizeof(MATRIX_THREADS) / sizeof(MATRIX_THREADS[0]) };

typedef struct matrix_thread {
    pthread_t thread;
    random_source random;
    int number; /* from 0 */
    int threads;
    void (*work)(struct matrix_thread *self);
} matrix_thread;

/* Prints the seed, and starts the watchdog on the words. */
void matrix_begin(const char *name, const void *words, size_t bytes);

/* Runs `work` on that many threads at once, and waits for them. The caller has begun a line with a description;
 * this ends the line with the time taken. */
void matrix_run(int threads, void (*work)(matrix_thread *self));

/* Stops the watchdog. Returns the result of main. */
int matrix_end(void);

/* Waits for all threads of the run, by means of the system and not of the library. */
void matrix_meet(void);

/* Ends the process and says what was wrong. */
_Noreturn void matrix_fail(const char *what);
void matrix_require(bool condition, const char *otherwise);
void matrix_expect(hf_result result, hf_result expected);

/* Requires all bytes to be zero. */
void matrix_require_zero(const void *object, size_t bytes);

/* Returns true at random, in one of so many calls on average. */
bool matrix_chance(matrix_thread *self, uint32_t chances);

/* Returns a deadline: some are past, most come during a wait, and the longest outlast the patience. */
int64_t matrix_deadline(matrix_thread *self);

/* Requires that the result is HF_OK, or HF_TIMEOUT and not too early. Returns whether it is HF_OK. */
bool matrix_in_time(hf_result result, int64_t deadline_ns);

/* Computes for that time; with 0, lets another thread run instead. */
void matrix_pass_time(int64_t ns);

/* Lets others run for a moment, as an event loop does between two steps. The moment is seldom longer than a
 * reservation. */
void matrix_look_elsewhere(matrix_thread *self);

/* A section that its threads have alone, or only read together. The counters are plain: two threads inside
 * make them differ, and ThreadSanitizer reports them. Invariant: entered == left. */
typedef struct matrix_section {
    uint64_t entered;
    uint64_t left;
} matrix_section;

void matrix_be_alone(matrix_section *section, int64_t ns);
void matrix_look(const matrix_section *section, int64_t ns);

#endif
