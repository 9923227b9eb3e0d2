/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Litmus tests: the promises of each primitive about data beside it, in the shapes in which processors break
 * them. Two threads begin each round at once, each after a short pause. A thread that has missed a signal
 * does not wait for it: the verdict at the end of the round says which thread would have waited. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* sched_setaffinity */
#endif
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "condition.h"
#include "event.h"
#include "holdfast/barrier.h"
#include "holdfast/latch.h"
#include "holdfast/mutex.h"
#include "holdfast/once.h"
#include "holdfast/recursive_mutex.h"
#include "holdfast/rwlock.h"
#include "holdfast/semaphore.h"

#include "matrix.h"

#ifdef __SANITIZE_THREAD__
enum { ROUNDS = 2000 };
#else
enum { ROUNDS = 10000 };
#endif
enum { PARTS = 2, LOOKS_BEFORE_YIELD = 20000, LONGEST_PAUSE = 60, LINE_BYTES = 64 };

typedef void (*part)(matrix_thread *self, uint32_t round);

typedef struct litmus {
    const char *name;
    void (*prepare)(void); /* called after the objects are zeroed */
    part parts[PARTS];
    const char *(*verdict)(uint32_t round);    /* NULL: as promised */
    void (*enter[PARTS])(matrix_thread *self); /* of a section */
    void (*leave[PARTS])(void);
} litmus;

/* A word in a cache line of its own. */
typedef struct word_alone {
    uint32_t word __attribute__((aligned(LINE_BYTES)));
} word_alone;

static struct {
    hf_mutex mutex __attribute__((aligned(LINE_BYTES)));
    hf_recursive_mutex recursive __attribute__((aligned(LINE_BYTES)));
    hf_rwlock rwlock __attribute__((aligned(LINE_BYTES)));
    hf_semaphore semaphore __attribute__((aligned(LINE_BYTES)));
    hf_condition condition __attribute__((aligned(LINE_BYTES)));
    hf_event event __attribute__((aligned(LINE_BYTES)));
    hf_latch latch __attribute__((aligned(LINE_BYTES)));
    hf_barrier barrier __attribute__((aligned(LINE_BYTES)));
    hf_once once __attribute__((aligned(LINE_BYTES)));
} it;

static word_alone data[PARTS]; /* the round, as each thread writes it */
static word_alone seen[PARTS]; /* the round that each thread has read from the other one */
static word_alone cold[PARTS];
static word_alone step_of[PARTS];
static const litmus *now;
static uint32_t ticket;
static bool waits;

/* Takes a line out of the caches. A write to the line then waits for memory, and so do the writes after it.
 * Later reads may overtake them. */
static void cool(uint32_t *word)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_clflush(word);
#else
    (void)word;
#endif
}

/* Plain accesses, if the primitive orders writes and reads: then ThreadSanitizer checks that too. */
static void write(int number, uint32_t round)
{
    cold[number].word = round;
    data[number].word = round;
}

static void read_other(int number)
{
    seen[number].word = data[1 - number].word;
}

/* Writes atomically: here both threads may access the data at once. */
static void tell(int number, uint32_t round)
{
    cold[number].word = round;
    hf__store_rlx(&data[number].word, round);
}

static void look_at_other(int number)
{
    seen[number].word = hf__load_rlx(&data[1 - number].word);
}

/* ---- Sections: of two, the later one sees what was written in the earlier one. ---- */

static void use_section(matrix_thread *self, uint32_t round)
{
    now->enter[self->number](self);
    write(self->number, round);
    read_other(self->number);
    now->leave[self->number]();
}

static const char *each_came_first(uint32_t round)
{
    return seen[0].word != round && seen[1].word != round ? "neither section has seen the other" : NULL;
}

/* Tries, a time limit, or no limit. */
#define WAY_TO_ENTER(name, try, until, without)                                                              \
    static void name(matrix_thread *self)                                                                    \
    {                                                                                                        \
        if (matrix_chance(self, 3)) {                                                                        \
            while ((try) != HF_OK) {                                                                         \
            }                                                                                                \
        } else {                                                                                             \
            matrix_expect(matrix_chance(self, 2) ? (until) : (without), HF_OK);                              \
        }                                                                                                    \
    }

WAY_TO_ENTER(lock_mutex, hf_mutex_trylock(&it.mutex), hf_mutex_lock_until(&it.mutex, HF_FOREVER),
             hf_mutex_lock(&it.mutex))
WAY_TO_ENTER(lock_once_more, hf_recursive_mutex_trylock(&it.recursive),
             hf_recursive_mutex_lock_until(&it.recursive, HF_FOREVER), hf_recursive_mutex_lock(&it.recursive))
WAY_TO_ENTER(lock_rwlock, hf_rwlock_trylock(&it.rwlock), hf_rwlock_lock_until(&it.rwlock, HF_FOREVER),
             hf_rwlock_lock(&it.rwlock))
WAY_TO_ENTER(lock_shared, hf_rwlock_trylock_shared(&it.rwlock),
             hf_rwlock_lock_shared_until(&it.rwlock, HF_FOREVER), hf_rwlock_lock_shared(&it.rwlock))
WAY_TO_ENTER(enter_semaphore, hf_semaphore_tryenter(&it.semaphore, 1),
             hf_semaphore_enter_until(&it.semaphore, 1, HF_FOREVER), hf_semaphore_enter(&it.semaphore, 1))

static void unlock_mutex(void)
{
    matrix_expect(hf_mutex_unlock(&it.mutex), HF_OK);
}

static void lock_recursive(matrix_thread *self)
{
    lock_once_more(self);
    lock_once_more(self);
}

static void unlock_recursive(void)
{
    matrix_expect(hf_recursive_mutex_unlock(&it.recursive), HF_OK);
    matrix_expect(hf_recursive_mutex_unlock(&it.recursive), HF_OK);
}

static void unlock_rwlock(void)
{
    matrix_expect(hf_rwlock_unlock(&it.rwlock), HF_OK);
}

static void unlock_shared(void)
{
    matrix_expect(hf_rwlock_unlock_shared(&it.rwlock), HF_OK);
}

static void leave_semaphore(void)
{
    matrix_expect(hf_semaphore_leave(&it.semaphore, 1), HF_OK);
}

/* ---- A signal: writes before the signal are visible after the wait for it. ---- */

static const char *is_unseen(uint32_t round)
{
    return seen[1].word == round ? NULL : "what came before the signal was not seen";
}

static void no_permits(void)
{
    hf_semaphore_init(&it.semaphore, 0, 1);
}

static void write_and_leave(matrix_thread *self, uint32_t round)
{
    write(self->number, round);
    leave_semaphore();
}

static void enter_and_read(matrix_thread *self, uint32_t round)
{
    (void)round;
    enter_semaphore(self);
    read_other(self->number);
}

static void automatic_event(void)
{
    hf_event_init(&it.event, true);
}

static void manual_event(void)
{
    hf_event_init(&it.event, false);
}

static void write_and_set(matrix_thread *self, uint32_t round)
{
    write(self->number, round);
    hf_event_set(&it.event);
}

static void wait_and_read(matrix_thread *self, uint32_t round)
{
    (void)round;
    hf_event_wait(&it.event);
    read_other(self->number);
}

/* Orders nothing, unlike hf_event_is_set. */
static bool is_set_relaxed(void)
{
    return hf__event_resets_itself(&it.event) ? hf__gate_used(&it.event.gate) == 0
                                              : hf__load_rlx(&it.event.gate.own) != 0;
}

static void reset_and_read(matrix_thread *self, uint32_t round)
{
    (void)round;
    while (!is_set_relaxed()) {
        sched_yield();
    }
    hf_event_reset(&it.event);
    read_other(self->number);
}

static void latch_of_two(void)
{
    hf_latch_init(&it.latch, PARTS);
}

static void write_and_count_down(matrix_thread *self, uint32_t round)
{
    write(self->number, round);
    matrix_expect(hf_latch_count_down(&it.latch, 1), HF_OK);
}

static void count_down_and_wait(matrix_thread *self, uint32_t round)
{
    write_and_count_down(self, round);
    hf_latch_wait(&it.latch);
    read_other(self->number);
}

static void count_down_and_look(matrix_thread *self, uint32_t round)
{
    write_and_count_down(self, round);
    if (hf_latch_count(&it.latch) == 0) {
        read_other(self->number);
    }
}

static const char *neither_was_last(uint32_t round)
{
    return seen[0].word != round && seen[1].word != round ? "neither has seen that all had counted down"
                                                          : NULL;
}

static void barrier_of_two(void)
{
    hf_barrier_init(&it.barrier, PARTS);
}

static void arrive_and_read(matrix_thread *self, uint32_t round)
{
    write(self->number, round);
    hf_barrier_arrive_and_wait(&it.barrier);
    read_other(self->number);
}

static const char *one_is_unseen(uint32_t round)
{
    return seen[0].word == round && seen[1].word == round ? NULL : "one has not seen what the other wrote";
}

static void do_once(matrix_thread *self, uint32_t round)
{
    (void)self;
    (void)round;
    bool is_done = matrix_chance(self, 2) && hf_once_is_done(&it.once);
    if (!is_done && hf_once_begin(&it.once) == HF_OK) {
        ticket = round;
        matrix_expect(hf_once_end(&it.once, true), HF_OK);
    }
    seen[self->number].word = ticket;
}

/* ---- A second signal: a thread that takes or resets the first, or sleeps, sees the writes before the
 * second. ---- */

static void set_automatic_event(void)
{
    automatic_event();
    hf_event_set(&it.event);
}

static void set_manual_event(void)
{
    manual_event();
    hf_event_set(&it.event);
}

static void tell_and_set(matrix_thread *self, uint32_t round)
{
    tell(self->number, round);
    hf_event_set(&it.event);
}

static void wait_and_look(matrix_thread *self, uint32_t round)
{
    (void)round;
    hf_event_wait(&it.event);
    look_at_other(self->number);
}

static void reset_and_look(matrix_thread *self, uint32_t round)
{
    (void)round;
    hf_event_reset(&it.event);
    look_at_other(self->number);
}

static const char *set_is_lost(uint32_t round)
{
    bool would_sleep = seen[1].word != round && !hf_event_is_set(&it.event);
    return would_sleep ? "what came before the set was not seen, and the event is not set" : NULL;
}

static void tell_and_leave(matrix_thread *self, uint32_t round)
{
    tell(self->number, round);
    hf_semaphore_leave(&it.semaphore, 1); /* the permit may be there already */
}

static void enter_and_look(matrix_thread *self, uint32_t round)
{
    (void)round;
    enter_semaphore(self);
    look_at_other(self->number);
}

static const char *permit_is_lost(uint32_t round)
{
    bool would_sleep = seen[1].word != round && hf_semaphore_value(&it.semaphore) == 0;
    return would_sleep ? "what came before the leave was not seen, and no permit is free" : NULL;
}

/* ---- A condition: a thread that finds no data and begins to wait is notified of later data. ---- */

static void write_and_notify(matrix_thread *self, uint32_t round)
{
    lock_mutex(self);
    write(self->number, round);
    bool inside = matrix_chance(self, 2);
    if (inside) {
        hf_condition_notify(&it.condition, 1);
    }
    unlock_mutex();
    if (!inside) {
        hf_condition_notify(&it.condition, 1);
    }
}

static void read_or_begin_to_wait(matrix_thread *self, uint32_t round)
{
    lock_mutex(self);
    read_other(self->number);
    waits = seen[self->number].word != round;
    ticket = waits ? hf__condition_begin(&it.condition) : 0;
    unlock_mutex();
}

static const char *notify_is_lost(uint32_t round)
{
    (void)round;
    bool would_sleep = waits && hf__condition_step(&it.condition, ticket) != HF__DONE;
    return would_sleep ? "what came before the notify was not seen, and nobody was notified" : NULL;
}

/* ---- The table. ---- */

#define BOTH(function)                                                                                       \
    {                                                                                                        \
        function, function                                                                                   \
    }
#define SECTION .parts = BOTH(use_section), .verdict = each_came_first

static const litmus TESTS[] = {
    {"mutex", SECTION, .enter = BOTH(lock_mutex), .leave = BOTH(unlock_mutex)},
    {"recursive mutex", SECTION, .enter = BOTH(lock_recursive), .leave = BOTH(unlock_recursive)},
    {"rwlock, exclusive", SECTION, .enter = BOTH(lock_rwlock), .leave = BOTH(unlock_rwlock)},
    {"rwlock, exclusive and shared", SECTION, .enter = {lock_rwlock, lock_shared},
     .leave = {unlock_rwlock, unlock_shared}},
    {"semaphore of 1", SECTION, .enter = BOTH(enter_semaphore), .leave = BOTH(leave_semaphore)},
    {"semaphore, leave and enter", no_permits, .parts = {write_and_leave, enter_and_read},
     .verdict = is_unseen},
    {"semaphore, leave of a free permit", NULL, .parts = {tell_and_leave, enter_and_look},
     .verdict = permit_is_lost},
    {"condition, notify", NULL, .parts = {write_and_notify, read_or_begin_to_wait},
     .verdict = notify_is_lost},
    {"event, automatic, set and wait", automatic_event, .parts = {write_and_set, wait_and_read},
     .verdict = is_unseen},
    {"event, automatic, set and reset", automatic_event, .parts = {write_and_set, reset_and_read},
     .verdict = is_unseen},
    {"event, automatic, set of a set one and wait", set_automatic_event,
     .parts = {tell_and_set, wait_and_look}, .verdict = set_is_lost},
    {"event, automatic, set of a set one and reset", set_automatic_event,
     .parts = {tell_and_set, reset_and_look}, .verdict = set_is_lost},
    {"event, manual, set and wait", manual_event, .parts = {write_and_set, wait_and_read},
     .verdict = is_unseen},
    {"event, manual, set and reset", manual_event, .parts = {write_and_set, reset_and_read},
     .verdict = is_unseen},
    {"event, manual, set of a set one and reset", set_manual_event, .parts = {tell_and_set, reset_and_look},
     .verdict = set_is_lost},
    {"latch, wait", latch_of_two, .parts = {write_and_count_down, count_down_and_wait}, .verdict = is_unseen},
    {"latch, look at the count", latch_of_two, .parts = BOTH(count_down_and_look),
     .verdict = neither_was_last},
    {"barrier", barrier_of_two, .parts = BOTH(arrive_and_read), .verdict = one_is_unseen},
    {"once", NULL, .parts = BOTH(do_once), .verdict = one_is_unseen},
};

/* On one core they would take turns, and nothing would be detected. */
static void take_a_core(int number)
{
    cpu_set_t allowed;
    cpu_set_t one;
    int cores = sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? CPU_COUNT(&allowed) : 0;
    int at = 0;
    for (size_t core = 0; at < cores && core < CPU_SETSIZE; core += 1) {
        if (CPU_ISSET(core, &allowed) && at++ == number) {
            CPU_ZERO(&one);
            CPU_SET(core, &one);
            sched_setaffinity(0, sizeof one, &one);
            return;
        }
    }
}

/* Returns when both threads have come this far: within nanoseconds, if both run. */
static void meet(int number, uint32_t step)
{
    hf__store_rel(&step_of[number].word, step);
    for (int look = 1; (int32_t)(hf__load_acq(&step_of[1 - number].word) - step) < 0; look += 1) {
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

static void lay_out(void)
{
    memset(&it, 0, sizeof it);
    if (now->prepare) {
        now->prepare();
    }
}

static void judge(uint32_t round)
{
    const char *complaint = now->verdict(round);
    if (complaint) {
        fprintf(stderr, "%s, round %u: ", now->name, (unsigned)round);
        matrix_fail(complaint);
    }
    watchdog_progress();
}

static void play(matrix_thread *self)
{
    take_a_core(self->number);
    for (uint32_t round = 1; round <= ROUNDS; round += 1) {
        if (self->number == 0) {
            lay_out();
        }
        cool(&cold[self->number].word);
        meet(self->number, 2 * round - 1);
        pause_a_little(self);
        now->parts[self->number](self, round);
        meet(self->number, 2 * round);
        if (self->number == 0) {
            judge(round);
        }
    }
}

/* Argument: run only the tests whose names begin with it. */
int main(int count, char **arguments)
{
    const char *beginning = count > 1 ? arguments[1] : "";
    matrix_begin("litmus", &it, sizeof it);
    for (size_t at = 0; at < sizeof TESTS / sizeof TESTS[0]; at += 1) {
        now = &TESTS[at];
        if (strncmp(now->name, beginning, strlen(beginning)) == 0) {
            memset(step_of, 0, sizeof step_of);
            memset(data, 0, sizeof data);
            printf("%s, ", now->name);
            matrix_run(PARTS, play);
        }
    }
    return matrix_end();
}
