/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The cost of threads that sleep in a wait: the processor time of the process meanwhile. For Linux only. */
#define _GNU_SOURCE /* nanosleep, sysconf */
#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "holdfast/holdfast.h"

#define NANOSECONDS_IN_A_SECOND INT64_C(1000000000)
#define STACK_BYTES ((size_t)(64 * 1024))

static hf_mutex mutex;
static hf_condition condition;
static hf_event event;
static hf_semaphore semaphore;
static hf_latch latch;
static hf_barrier barrier;
static pthread_mutex_t other_mutex = PTHREAD_MUTEX_INITIALIZER;

static uint32_t begun;
static bool is_met;

static void wait_for_mutex(void)
{
    hf_mutex_lock(&mutex);
    hf_mutex_unlock(&mutex);
}

static void wait_for_permit(void)
{
    hf_semaphore_enter(&semaphore, 1);
    hf_semaphore_leave(&semaphore, 1);
}

static void wait_for_notify(void)
{
    hf_mutex_lock(&mutex);
    while (!is_met) {
        hf_condition_wait(&condition, &mutex);
    }
    hf_mutex_unlock(&mutex);
}

static void wait_for_set(void)
{
    hf_event_wait(&event);
}

static void wait_for_latch(void)
{
    hf_latch_wait(&latch);
}

static void wait_for_others(void)
{
    hf_barrier_arrive_and_wait(&barrier);
}

static void wait_for_other_mutex(void)
{
    pthread_mutex_lock(&other_mutex);
    pthread_mutex_unlock(&other_mutex);
}

static void prepare(uint32_t threads)
{
    hf_semaphore_init(&semaphore, 0, 1);
    hf_event_init(&event, false);
    hf_latch_init(&latch, 1);
    hf_barrier_init(&barrier, threads + 1);
    is_met = false;
}

static void hold(void)
{
    hf_mutex_lock(&mutex);
    pthread_mutex_lock(&other_mutex);
}

static void let_go(void)
{
    hf_mutex_unlock(&mutex);
    pthread_mutex_unlock(&other_mutex);
}

static void meet_permit(void)
{
    hf_semaphore_leave(&semaphore, 1);
}

static void meet_notify(void)
{
    hf_mutex_lock(&mutex);
    is_met = true;
    hf_mutex_unlock(&mutex);
    hf_condition_notify(&condition, HF_CONDITION_ALL);
}

static void meet_set(void)
{
    hf_event_set(&event);
}

static void meet_latch(void)
{
    hf_latch_count_down(&latch, 1);
}

static void nothing(void)
{
}

typedef struct way {
    const char *name;
    void (*before)(void);
    void (*wait)(void);
    void (*meet)(void);
} way;

static const way WAYS[] = {
    {"mutex", hold, wait_for_mutex, let_go},
    {"semaphore", nothing, wait_for_permit, meet_permit},
    {"condition", nothing, wait_for_notify, meet_notify},
    {"event", nothing, wait_for_set, meet_set},
    {"latch", nothing, wait_for_latch, meet_latch},
    {"barrier", nothing, wait_for_others, wait_for_others},
    {"pthread_mutex", hold, wait_for_other_mutex, let_go},
};

static void *waiter(void *given)
{
    const way *chosen = (const way *)given;
    hf__add_rlx(&begun, 1);
    chosen->wait();
    return NULL;
}

static void sleep_for(int64_t milliseconds)
{
    struct timespec left = {
        .tv_sec = (time_t)(milliseconds / 1000),
        .tv_nsec = (long)(milliseconds % 1000 * HF_MILLISECOND),
    };
    while (nanosleep(&left, &left) != 0) {
        /* a signal */
    }
}

static int64_t processor_ns(void)
{
    struct timespec used;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return used.tv_sec * NANOSECONDS_IN_A_SECOND + used.tv_nsec;
}

/* Returns the share of a core that the threads take, once they have waited for a while. */
static double share_of(const way *chosen, uint32_t threads, int64_t settle_ms, int64_t measure_ms)
{
    pthread_t *all = calloc(threads, sizeof *all);
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, STACK_BYTES);
    prepare(threads);
    begun = 0;
    chosen->before();
    for (uint32_t at = 0; at < threads; at += 1) {
        if (!all || pthread_create(&all[at], &small, waiter, (void *)chosen) != 0) {
            fprintf(stderr, "idle: there cannot be so many threads\n");
            exit(EXIT_FAILURE);
        }
    }
    while (hf__load_rlx(&begun) < threads) {
        sleep_for(1);
    }
    sleep_for(settle_ms);
    int64_t wall = hf_now_ns();
    int64_t processor = processor_ns();
    sleep_for(measure_ms);
    double share = (double)(processor_ns() - processor) / (double)(hf_now_ns() - wall);
    chosen->meet();
    for (uint32_t at = 0; at < threads; at += 1) {
        pthread_join(all[at], NULL);
    }
    pthread_attr_destroy(&small);
    free(all);
    return share;
}

int main(int count, char **words)
{
    if (count < 4) {
        fprintf(stderr, "idle threads milliseconds-before milliseconds [what they wait for]...\n");
        return EXIT_FAILURE;
    }
    uint32_t threads = (uint32_t)strtoul(words[1], NULL, 10);
    int64_t settle_ms = strtol(words[2], NULL, 10);
    int64_t measure_ms = strtol(words[3], NULL, 10);
    const char *separator = "{";
    for (size_t at = 0; at < sizeof WAYS / sizeof *WAYS; at += 1) {
        bool chosen = count == 4;
        for (int word = 4; word < count; word += 1) {
            chosen = chosen || strcmp(words[word], WAYS[at].name) == 0;
        }
        if (chosen) {
            printf("%s \"%s\": %.5f", separator, WAYS[at].name,
                   share_of(&WAYS[at], threads, settle_ms, measure_ms));
            separator = ",";
            fflush(stdout);
        }
    }
    printf(" }\n");
    return EXIT_SUCCESS;
}
