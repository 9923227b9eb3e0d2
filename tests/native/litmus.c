/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Litmus tests: what each primitive promises of data beside it, in the shapes in which processors break it.
 * Two threads begin each round together, each after a pause of its own. Nobody sleeps in vain: the verdict at
 * the end of a round says who would have. */
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "event.h"

#include "matrix.h"

#ifdef __SANITIZE_THREAD__
enum { ROUNDS = 2000 };
#else
enum { ROUNDS = 5000 };
#endif

enum { PARTS = 2, LOOKS_BEFORE_YIELD = 20000, LONGEST_PAUSE = 60, LINE_BYTES = 64 };

typedef struct litmus {
    const char *name;
    void (*prepare)(void);
    void (*parts[PARTS])(matrix_thread *self, uint32_t round);
    const char *(*verdict)(uint32_t round); /* NULL: as promised */
} litmus;

/* In a line of the cache of its own. */
typedef struct word_alone {
    uint32_t word __attribute__((aligned(LINE_BYTES)));
} word_alone;

static struct {
    hf_event event __attribute__((aligned(LINE_BYTES)));
} object;
static uint32_t written;       /* plain: what is tested orders it */
static word_alone data[PARTS]; /* in no order by themselves */
static word_alone cold[PARTS];
static word_alone seen[PARTS];
static word_alone round_of[PARTS];
static const litmus *now;

/* Takes a line out of the caches: a write to it takes as long as memory, and so do the writes after it. */
static void cool(uint32_t *word)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_clflush(word);
#else
    (void)word;
#endif
}

/* Writes the data of a thread, which later reads may overtake. */
static void tell(matrix_thread *self, uint32_t round)
{
    hf__store_rlx(&cold[self->number].word, round);
    hf__store_rlx(&data[self->number].word, round);
}

/* ---- An event that is set already, and set again. ---- */

static void set_one_that_resets_itself(void)
{
    hf_event_init(&object.event, true);
    hf_event_set(&object.event);
}

static void set_one_that_stays_set(void)
{
    hf_event_init(&object.event, false);
    hf_event_set(&object.event);
}

static void tell_and_set(matrix_thread *self, uint32_t round)
{
    tell(self, round);
    hf_event_set(&object.event);
}

static void wait_and_look(matrix_thread *self, uint32_t round)
{
    (void)round;
    hf_event_wait(&object.event);
    seen[self->number].word = hf__load_rlx(&data[0].word);
}

static void reset_and_look(matrix_thread *self, uint32_t round)
{
    (void)round;
    hf_event_reset(&object.event);
    seen[self->number].word = hf__load_rlx(&data[0].word);
}

static const char *signal_is_lost(uint32_t round)
{
    bool would_sleep = seen[1].word != round && !hf_event_is_set(&object.event);
    return would_sleep ? "the data was not seen, and the event is not set" : NULL;
}

/* ---- An event that is not set yet: who knows that the reset comes after the set, sees what came before.
 * ---- */

static void unset_one_that_resets_itself(void)
{
    hf_event_init(&object.event, true);
}

static void unset_one_that_stays_set(void)
{
    hf_event_init(&object.event, false);
}

static void write_and_set(matrix_thread *self, uint32_t round)
{
    (void)self;
    written = round;
    hf_event_set(&object.event);
}

/* In no order with what else happens, unlike hf_event_is_set. */
static bool is_set_relaxed(void)
{
    return hf__event_resets_itself(&object.event) ? hf__gate_used(&object.event.gate) == 0
                                                  : hf__load_rlx(&object.event.gate.own) != 0;
}

static void reset_a_set_one_and_read(matrix_thread *self, uint32_t round)
{
    (void)round;
    while (!is_set_relaxed()) {
        sched_yield();
    }
    hf_event_reset(&object.event);
    seen[self->number].word = written;
}

static const char *is_unseen(uint32_t round)
{
    return seen[1].word == round ? NULL : "the data was not seen";
}

static const litmus TESTS[] = {
    {"event, automatic: set of a set one, wait",
     set_one_that_resets_itself,
     {tell_and_set, wait_and_look},
     signal_is_lost},
    {"event, automatic: set of a set one, reset",
     set_one_that_resets_itself,
     {tell_and_set, reset_and_look},
     signal_is_lost},
    {"event, manual: set of a set one, reset",
     set_one_that_stays_set,
     {tell_and_set, reset_and_look},
     signal_is_lost},
    {"event, automatic: set, reset",
     unset_one_that_resets_itself,
     {write_and_set, reset_a_set_one_and_read},
     is_unseen},
    {"event, manual: set, reset",
     unset_one_that_stays_set,
     {write_and_set, reset_a_set_one_and_read},
     is_unseen},
};

/* Ends when both have come so far, within nanoseconds if both have a core. */
static void meet(matrix_thread *self, uint32_t step)
{
    hf__store_rel(&round_of[self->number].word, step);
    uint32_t *other = &round_of[1 - self->number].word;
    for (int look = 1; (int32_t)(hf__load_acq(other) - step) < 0; look += 1) {
        if (look % LOOKS_BEFORE_YIELD == 0) {
            sched_yield();
        }
    }
}

static void pause_a_little(matrix_thread *self)
{
    for (volatile uint32_t left = random_below(&self->random, LONGEST_PAUSE); left > 0; left -= 1) {
    }
}

static void play(matrix_thread *self)
{
    for (uint32_t round = 1; round <= ROUNDS; round += 1) {
        if (self->number == 0) {
            now->prepare();
        }
        cool(&cold[self->number].word);
        meet(self, 2 * round - 1);
        pause_a_little(self);
        now->parts[self->number](self, round);
        meet(self, 2 * round);
        const char *complaint = self->number == 0 ? now->verdict(round) : NULL;
        if (complaint) {
            fprintf(stderr, "%s, round %u: ", now->name, (unsigned)round);
            matrix_fail(complaint);
        }
        watchdog_progress();
    }
}

/* An argument is the beginning of the names of the tests that are to run. */
int main(int count, char **arguments)
{
    const char *begins = count > 1 ? arguments[1] : "";
    matrix_begin("litmus", &object, sizeof object);
    for (size_t at = 0; at < sizeof TESTS / sizeof TESTS[0]; at += 1) {
        now = &TESTS[at];
        if (strncmp(now->name, begins, strlen(begins)) != 0) {
            continue;
        }
        round_of[0].word = 0;
        round_of[1].word = 0;
        data[0].word = 0;
        printf("%s, ", now->name);
        matrix_run(PARTS, play);
    }
    return matrix_end();
}
