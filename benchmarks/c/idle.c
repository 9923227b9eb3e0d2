/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Measures the cost of threads that sleep in a wait: the process's processor time. For Linux only. `idle
 * <threads> <milliseconds before> <milliseconds> <what they wait for>...`. Prints JSON: shares of a core. */
#define _GNU_SOURCE /* nanosleep */
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
static hf_event event;
static pthread_mutex_t other_mutex = PTHREAD_MUTEX_INITIALIZER;

static uint32_t begun;

static const char *const WAYS[] = {"mutex", "event", "pthread_mutex"};

enum way { MUTEX, EVENT, OTHER, WAYS_COUNT };

static void take(enum way way)
{
    if (way == MUTEX) {
        hf_mutex_lock(&mutex);
    } else if (way == EVENT) {
        hf_event_wait(&event);
    } else {
        pthread_mutex_lock(&other_mutex);
    }
}

static void give(enum way way)
{
    if (way == MUTEX) {
        hf_mutex_unlock(&mutex);
    } else if (way == EVENT) {
        hf_event_set(&event);
    } else {
        pthread_mutex_unlock(&other_mutex);
    }
}

static void *waiter(void *given)
{
    enum way way = (enum way)(intptr_t)given;
    hf__add_rlx(&begun, 1);
    take(way);
    give(way);
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

/* Returns the share of a core that the threads take after they have waited for a while. */
static double share_of(enum way way, uint32_t threads, int64_t settle_ms, int64_t measure_ms)
{
    pthread_t *all = calloc(threads, sizeof *all);
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, STACK_BYTES);
    begun = 0;
    if (way == EVENT) {
        hf_event_init(&event, false);
    } else {
        take(way);
    }
    for (uint32_t at = 0; at < threads; at += 1) {
        if (!all || pthread_create(&all[at], &small, waiter, (void *)(intptr_t)way) != 0) {
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
    give(way);
    for (uint32_t at = 0; at < threads; at += 1) {
        pthread_join(all[at], NULL);
    }
    pthread_attr_destroy(&small);
    free(all);
    return share;
}

int main(int count, char **words)
{
    const char *separator = "{";
    for (int word = 4; word < count; word += 1) {
        for (int way = 0; way < WAYS_COUNT; way += 1) {
            if (strcmp(words[word], WAYS[way]) == 0) {
                double share = share_of((enum way)way, (uint32_t)strtoul(words[1], NULL, 10),
                                        strtol(words[2], NULL, 10), strtol(words[3], NULL, 10));
                printf("%s \"%s\": %.5f", separator, WAYS[way], share);
                separator = ",";
            }
        }
    }
    printf(" }\n");
    return EXIT_SUCCESS;
}
