/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* A bounded queue with two conditions, whose items are neither lost nor doubled; a ring that passes a turn
 * on; a baton that goes to an earlier waiter; and a crowd that is released at once. The first three notify
 * one waiter only: if a notify is lost, or stolen by a later waiter, some thread waits for ever, or the theft
 * is detected. The results of all notifies add up to the number of waits that they ended. */
#include "condition.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

#include "matrix.h"

enum { ITEMS = 2000, TURNS = 1000, BATONS = 6000, CROWDS = 1000 };
enum { PAIRS_MAX = MATRIX_THREADS_MAX / 2, ROOM_MAX = 5, NOBODY = -1 };

/* The bits of a condition's word that count how often it was notified. */
#define EPOCHS (((UINT64_C(1) << 27) - 1) << 19)

static const uint32_t ROOMS[] = {1, ROOM_MAX};

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

static struct {
    hf_mutex mutex;
    hf_condition not_full;
    hf_condition not_empty;
    hf_condition waiting;
    hf_condition turns[MATRIX_THREADS_MAX];
} words;

/* The mutex guards all below; so they are plain. */
static uint32_t room;
static uint32_t queue[ROOM_MAX]; /* a ring, with put - taken items in it */
static uint32_t put;
static uint32_t taken;
static uint8_t times_taken[ITEMS * PAIRS_MAX];
static uint32_t turn;
static int come;
static int holder;

static uint32_t notified; /* waits */

/* The sum of the notifies' results; atomic, since some threads notify without the mutex. */
static _Atomic uint32_t counted;

static void notify(hf_condition *condition, uint32_t count)
{
    uint32_t released = hf_condition_notify(condition, count);
    atomic_fetch_add_explicit(&counted, released, memory_order_relaxed);
}

/* Each way to wait has the mutex again when it returns, for whatever reason. */

static void by_wait(matrix_thread *self, hf_condition *condition)
{
    (void)self;
    matrix_expect(hf_condition_wait(condition, &words.mutex), HF_OK);
    notified += 1;
}

static void by_wait_until(matrix_thread *self, hf_condition *condition)
{
    int64_t deadline_ns = matrix_deadline(self);
    hf_result result = hf_condition_wait_until(condition, &words.mutex, deadline_ns);
    matrix_in_time(result, deadline_ns);
    notified += result == HF_OK;
}

/* As an event loop: steps now and then, and may give up. */
static void by_polling(matrix_thread *self, hf_condition *condition)
{
    uint32_t token = hf__condition_begin(condition);
    matrix_require(token != HF__CONDITION_FULL, "too many wait");
    matrix_expect(hf_mutex_unlock(&words.mutex), HF_OK);
    hf_result result = HF_OK;
    while (hf__condition_step(condition, token) != HF__DONE) {
        matrix_look_elsewhere(self);
        if (matrix_chance(self, 100)) {
            result = hf__condition_give_up(condition, token);
            break;
        }
    }
    matrix_expect(hf_mutex_lock(&words.mutex), HF_OK);
    notified += result == HF_OK;
    hf__condition_pass_on(condition);
}

typedef void (*way)(matrix_thread *self, hf_condition *condition);
static const way WAYS[] = {by_wait, by_wait, by_wait, by_wait_until, by_polling};

static void wait_for(matrix_thread *self, hf_condition *condition)
{
    WAYS[random_below(&self->random, COUNT(WAYS))](self, condition);
    matrix_require(hf_mutex_is_mine(&words.mutex), "a wait ended without the mutex");
    watchdog_progress();
}

/* Notifies with the mutex held, or right after its release. */
static void unlock_and_notify(matrix_thread *self, hf_condition *condition)
{
    bool notifies_first = matrix_chance(self, 2);
    if (notifies_first) {
        notify(condition, 1);
    }
    matrix_expect(hf_mutex_unlock(&words.mutex), HF_OK);
    if (!notifies_first) {
        notify(condition, 1);
    }
}

static void put_one(matrix_thread *self)
{
    hf_mutex_lock(&words.mutex);
    while (put - taken == room) {
        wait_for(self, &words.not_full);
    }
    queue[put % room] = put;
    put += 1;
    unlock_and_notify(self, &words.not_empty);
}

static void take_one(matrix_thread *self)
{
    hf_mutex_lock(&words.mutex);
    while (put == taken) {
        wait_for(self, &words.not_empty);
    }
    times_taken[queue[taken % room]] += 1;
    taken += 1;
    unlock_and_notify(self, &words.not_full);
}

/* Half of the threads put, half of them take; one alone does both. */
static void use_queue(matrix_thread *self)
{
    for (int item = 0; item < ITEMS; item += 1) {
        if (self->number % 2 == 0) {
            put_one(self);
        }
        if (self->number % 2 == 1 || self->threads == 1) {
            take_one(self);
        }
        watchdog_progress();
    }
}

static void run_queue(int threads)
{
    uint32_t items = (uint32_t)(ITEMS * (threads == 1 ? 1 : threads / 2));
    put = taken = 0;
    for (uint32_t item = 0; item < items; item += 1) {
        times_taken[item] = 0;
    }
    printf("queue with room for %" PRIu32 ", ", room);
    matrix_run(threads, use_queue);
    for (uint32_t item = 0; item < items; item += 1) {
        matrix_require(times_taken[item] == 1, "an item was lost or doubled");
    }
}

/* Each thread waits for its own turn. */
static void use_ring(matrix_thread *self)
{
    for (int round = 0; round < TURNS; round += 1) {
        hf_mutex_lock(&words.mutex);
        while (turn != (uint32_t)self->number) {
            wait_for(self, &words.turns[self->number]);
        }
        turn = (turn + 1) % (uint32_t)self->threads;
        unlock_and_notify(self, &words.turns[turn]);
    }
}

/* All wait for one condition and check nothing when they return. A notifier waits again at once, without
 * having released the mutex: its own notify is not for it. */
static void use_baton(matrix_thread *self)
{
    hf_mutex_lock(&words.mutex);
    come += 1;
    if (come < self->threads) {
        by_wait(self, &words.waiting);
    }
    for (; turn < BATONS; turn += 1) {
        matrix_require(holder != self->number, "a notify released one that began to wait after it");
        holder = self->number;
        notify(&words.waiting, 1);
        by_wait(self, &words.waiting);
        watchdog_progress();
    }
    notify(&words.waiting, HF_CONDITION_ALL);
    hf_mutex_unlock(&words.mutex);
}

/* The last thread to come releases all others at once, round after round. */
static void use_crowd(matrix_thread *self)
{
    for (uint32_t round = 0; round < CROWDS; round += 1) {
        hf_mutex_lock(&words.mutex);
        matrix_require(turn == round, "two rounds are mixed");
        come += 1;
        if (come == self->threads) {
            come = 0;
            turn += 1;
            notify(&words.waiting, HF_CONDITION_ALL);
        } else {
            by_wait(self, &words.waiting);
            matrix_require(turn == round + 1, "a wait ended before the notify");
        }
        hf_mutex_unlock(&words.mutex);
        watchdog_progress();
    }
}

/* Checks that the word has nothing but the number of notifies. */
static void require_nobody_waits(void)
{
    matrix_require_zero(&words.mutex, sizeof words.mutex);
    matrix_require(notified == counted,
                   "notifies told another number than that of the waits that they ended");
    for (hf_condition *each = &words.not_full; each < words.turns + MATRIX_THREADS_MAX; each += 1) {
        matrix_require((each->word & ~EPOCHS) == 0 && each->line == 0, "a waiter or a grant is left");
    }
}

static void run(const char *name, int threads, void (*use)(matrix_thread *self))
{
    turn = 0;
    come = 0;
    holder = NOBODY;
    printf("%s, ", name);
    matrix_run(threads, use);
}

int main(void)
{
    matrix_begin("condition_matrix", &words, sizeof words);
    for (int at = 0; at < MATRIX_THREAD_COUNTS; at += 1) {
        int threads = MATRIX_THREADS[at];
        for (int choice = 0; choice < COUNT(ROOMS); choice += 1) {
            room = ROOMS[choice];
            run_queue(threads);
        }
        run("ring", threads, use_ring);
        run("crowd", threads, use_crowd);
        if (threads > 1) {
            run("baton", threads, use_baton);
        }
        require_nobody_waits();
    }
    return matrix_end();
}
