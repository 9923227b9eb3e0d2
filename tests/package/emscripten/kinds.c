/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* A thread of C that takes turns with JavaScript by each primitive; kinds.mjs is the other side. Their data
 * is plain, and guarded by the primitive under test. */
#include <holdfast/holdfast.h>

#include <emscripten.h>
#include <pthread.h>

static struct {
    hf_event begin; /* automatic */
    hf_event stays; /* set once, by C */
    hf_semaphore answered;
    hf_mutex mutex; /* guards the turns */
    hf_condition changed;
    hf_rwlock rwlock;       /* guards the pair */
    hf_recursive_mutex sum; /* guards the sum */
    hf_barrier meeting;
    hf_latch end;
    hf_once once;
} all;

static struct {
    int round, turn_of_c, turn_of_js;
    int pair[2];
    int sum;
    int done;
    int failures;
    int rounds;
} told;

static void *places[] = {&all.begin, &all.stays,   &all.answered, &all.mutex, &all.changed, &all.rwlock,
                         &all.sum,   &all.meeting, &all.end,      &all.once,  &told};

EMSCRIPTEN_KEEPALIVE void *place(int at)
{
    return places[at];
}

static void take_turns_by_condition(int round)
{
    hf_mutex_lock(&all.mutex);
    while (told.turn_of_c < round) {
        told.failures += hf_condition_wait(&all.changed, &all.mutex) != HF_OK;
    }
    told.turn_of_js = round;
    hf_mutex_unlock(&all.mutex);
    hf_condition_notify(&all.changed, HF_CONDITION_ALL);
}

static void add_to_sum(void)
{
    hf_recursive_mutex_lock(&all.sum);
    hf_recursive_mutex_lock(&all.sum);
    told.sum += 1;
    told.failures += hf_recursive_mutex_depth(&all.sum) != 2;
    hf_recursive_mutex_unlock(&all.sum);
    hf_recursive_mutex_unlock(&all.sum);
}

static void write_pair(void)
{
    hf_rwlock_lock(&all.rwlock);
    told.pair[0] += 1;
    told.pair[1] += 1;
    hf_rwlock_unlock(&all.rwlock);
}

/* Reads the pair, which JavaScript writes meanwhile. */
static void read_pair_until(int last)
{
    int left;
    do {
        hf_rwlock_lock_shared(&all.rwlock);
        left = told.pair[0];
        told.failures += left != told.pair[1];
        hf_rwlock_unlock_shared(&all.rwlock);
    } while (left != last);
}

static void *play(void *unused)
{
    if (hf_once_begin(&all.once) == HF_OK) {
        hf_event_set(&all.stays);
        hf_event_wait(&all.begin);
        told.done += 1;
        hf_once_end(&all.once, 1);
    }
    for (int round = 1; round <= told.rounds; round += 1) {
        hf_event_wait(&all.begin);
        told.failures += told.round != round;
        add_to_sum();
        write_pair();
        hf_semaphore_leave(&all.answered, 2);
        take_turns_by_condition(round);
        read_pair_until(2 * round);
        hf_barrier_arrive_and_wait(&all.meeting);
    }
    hf_latch_count_down(&all.end, 1);
    return unused;
}

EMSCRIPTEN_KEEPALIVE void start(int rounds)
{
    hf_event_init(&all.begin, 1);
    hf_semaphore_init(&all.answered, 0, 2);
    hf_barrier_init(&all.meeting, 2);
    hf_latch_init(&all.end, 1);
    told.rounds = rounds;
    pthread_t thread;
    told.failures += pthread_create(&thread, NULL, play, NULL) != 0;
}
