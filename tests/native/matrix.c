/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include "matrix.h"

#include <inttypes.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static const char *matrix_name;
static random_source seeds;
static pthread_barrier_t meeting;

void matrix_begin(const char *name, const void *words, size_t bytes)
{
    matrix_name = name;
    seeds = random_of(random_seed(), 0);
    watchdog_start(words, bytes / sizeof(uint32_t));
}

int matrix_end(void)
{
    watchdog_stop();
    return 0;
}

void matrix_meet(void)
{
    pthread_barrier_wait(&meeting);
}

/* All threads start together; otherwise short runs would follow one another. */
static void *start(void *argument)
{
    matrix_thread *self = argument;
    matrix_meet();
    self->work(self);
    return NULL;
}

void matrix_run(int threads, void (*work)(matrix_thread *self))
{
    matrix_thread all[MATRIX_THREADS_MAX];
    pthread_barrier_init(&meeting, NULL, (unsigned)threads);
    int64_t begin_ns = hf_now_ns();
    for (int at = 0; at < threads; at += 1) {
        uint64_t seed = random_below(&seeds, UINT32_MAX);
        all[at] = (matrix_thread){
            .random = random_of(seed, (uint64_t)at), .number = at, .threads = threads, .work = work};
        if (pthread_create(&all[at].thread, NULL, start, &all[at]) != 0) {
            matrix_fail("no thread could be started");
        }
    }
    for (int at = 0; at < threads; at += 1) {
        pthread_join(all[at].thread, NULL);
    }
    pthread_barrier_destroy(&meeting);

    printf("threads %d: %" PRId64 " ms\n", threads, (hf_now_ns() - begin_ns) / HF_MILLISECOND);
    fflush(stdout);
}

void matrix_fail(const char *what)
{
    fprintf(stderr, "%s: %s\n", matrix_name, what);
    abort();
}

void matrix_require(bool condition, const char *otherwise)
{
    if (!condition) {
        matrix_fail(otherwise);
    }
}

void matrix_expect(hf_result result, hf_result expected)
{
    if (result != expected) {
        fprintf(stderr, "%s: result %d instead of %d\n", matrix_name, (int)result, (int)expected);
        abort();
    }
}

void matrix_require_zero(const void *object, size_t bytes)
{
    const uint32_t *words = object;
    for (size_t at = 0; at < bytes / sizeof(uint32_t); at += 1) {
        if (words[at] != 0) {
            fprintf(stderr, "%s: word %zu is left at %08" PRIx32 "\n", matrix_name, at, words[at]);
            abort();
        }
    }
}

bool matrix_chance(matrix_thread *self, uint32_t chances)
{
    return random_below(&self->random, chances) == 0;
}

int64_t matrix_deadline(matrix_thread *self)
{
    uint32_t longest_us = matrix_chance(self, 8) ? 3000 : 200;
    return hf_now_ns() + random_below(&self->random, longest_us) * HF_MICROSECOND;
}

bool matrix_in_time(hf_result result, int64_t deadline_ns)
{
    if (result == HF_OK) {
        return true;
    }
    matrix_expect(result, HF_TIMEOUT);
    matrix_require(hf_now_ns() >= deadline_ns, "a wait ended before its deadline");
    return false;
}

void matrix_pass_time(int64_t ns)
{
    if (ns == 0) {
        sched_yield();
        return;
    }
    int64_t end = hf_now_ns() + ns;
    while (hf_now_ns() < end) {
    }
}

void matrix_look_elsewhere(matrix_thread *self)
{
    matrix_pass_time(matrix_chance(self, 400) ? 3 * HF_MILLISECOND : 20 * HF_MICROSECOND);
    sched_yield();
}

void matrix_be_alone(matrix_section *section, int64_t ns)
{
    matrix_require(section->entered == section->left, "two threads are in one section");
    section->entered += 1;
    matrix_pass_time(ns);
    section->left += 1;
    matrix_require(section->entered == section->left, "another thread has come into the section");
}

void matrix_look(const matrix_section *section, int64_t ns)
{
    uint64_t entered = section->entered;
    matrix_require(entered == section->left, "somebody has the section alone");
    matrix_pass_time(ns);
    matrix_require(entered == section->entered && entered == section->left, "the section has changed");
}
