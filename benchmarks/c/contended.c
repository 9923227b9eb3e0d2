/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Threads that lock the same lock again and again:
 * `contended <threads> <section ns> <warm-up ms> <measured ms> <contestant>`.
 * Prints JSON: sections per second by thread. Without arguments, which contestants there are. */
#define _POSIX_C_SOURCE 199309L /* nanosleep */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "contestants.h"

/* Nothing here takes as much as a second but what is measured; the rest is for a busy machine. */
#define PATIENCE_NS (20000 * HF_MILLISECOND)

#define NANOSECONDS_IN_A_SECOND INT64_C(1000000000)

/* In wasm all stacks lie in one memory, so that they are small. */
enum { STACK_BYTES = 64 * 1024 };

static arena shared;
static const contestant *chosen;
static uint32_t threads;

static void *work(void *number)
{
    const uint32_t thread = (uint32_t)(uintptr_t)number;
    hf__add_rlx(&shared.started, 1);
    while (!arena_is_stopped(&shared)) {
        chosen->sections(&shared, thread);
    }
    hf__add_rlx(&shared.ended, 1);
    return NULL;
}

static void sleep_ns(int64_t ns)
{
    struct timespec time = {
        .tv_sec = (time_t)(ns / NANOSECONDS_IN_A_SECOND),
        .tv_nsec = (long)(ns % NANOSECONDS_IN_A_SECOND),
    };
    nanosleep(&time, NULL);
}

static _Noreturn void fail(const char *what)
{
    fprintf(stderr, "contended: %s, %" PRIu32 " threads, sections of %" PRIu32 " ns: %s\n", chosen->name,
            threads, shared.section_ns, what);
    exit(EXIT_FAILURE);
}

/* The watchdog is the main thread, which takes no part in the lock and waits for others in this way only. */
static void wait_for_all(const uint32_t *count, const char *what)
{
    const int64_t deadline_ns = hf_now_ns() + PATIENCE_NS;
    while (hf__load_rlx(count) != threads) {
        if (hf_now_ns() > deadline_ns) {
            fprintf(stderr, "contended: the words are\n");
            for (int at = 0; at < CACHE_LINE / 8; at += 1) {
                fprintf(stderr, "  lock[%d] %016" PRIx64 "\n", at, hf__load64_rlx(&shared.lock[at]));
            }
            for (uint32_t thread = 0; thread < threads; thread += 1) {
                fprintf(stderr, "  thread %" PRIu32 ": %" PRIu32 " sections\n", thread,
                        shared.tallies[thread].sections);
            }
            fail(what);
        }
        sleep_ns(HF_MILLISECOND);
    }
}

static void start_threads(pthread_t *handles)
{
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    for (uint32_t thread = 0; thread < threads; thread += 1) {
        if (pthread_create(&handles[thread], &attributes, work, (void *)(uintptr_t)thread) != 0) {
            fail("a thread did not start");
        }
    }
    pthread_attr_destroy(&attributes);
    wait_for_all(&shared.started, "not all threads have started");
}

/* Returns when that was. */
static int64_t read_tallies(uint32_t *sections)
{
    for (uint32_t thread = 0; thread < threads; thread += 1) {
        sections[thread] = shared.tallies[thread].sections;
    }
    return hf_now_ns();
}

/* Call when all threads have ended. */
static void check_counters(void)
{
    uint32_t sections = 0;
    for (uint32_t thread = 0; thread < threads; thread += 1) {
        sections += shared.tallies[thread].sections;
    }
    const counters *counters = &shared.counters;
    if (counters->torn != 0 || counters->entered != sections || counters->left != sections) {
        fprintf(stderr, "contended: %" PRIu32 " sections ran, the counters say %" PRIu32 " and %" PRIu32 "\n",
                sections, counters->entered, counters->left);
        fail("updates were lost");
    }
}

static void measure(int64_t warm_up_ns, int64_t measured_ns)
{
    static pthread_t handles[THREADS_MAX];
    static uint32_t before[THREADS_MAX];
    static uint32_t after[THREADS_MAX];

    start_threads(handles);
    sleep_ns(warm_up_ns);
    const int64_t from_ns = read_tallies(before);
    sleep_ns(measured_ns);
    const int64_t to_ns = read_tallies(after);
    hf__or_rlx(&shared.stop, 1);
    wait_for_all(&shared.ended, "it hangs: not all threads have ended");
    for (uint32_t thread = 0; thread < threads; thread += 1) {
        pthread_join(handles[thread], NULL);
    }
    check_counters();

    const double seconds = (double)(to_ns - from_ns) / (double)NANOSECONDS_IN_A_SECOND;
    printf("{ \"rates\": [");
    for (uint32_t thread = 0; thread < threads; thread += 1) {
        printf("%s%.1f", thread == 0 ? "" : ", ", (after[thread] - before[thread]) / seconds);
    }
    printf("] }\n");
}

static void print_contestants(void)
{
    printf("{ ");
    for (int at = 0; at < contestant_count; at += 1) {
        const contestant *contestant = &contestants[at];
        const char *cannot = contestant->missing ? contestant->missing : contestant->never_waits;
        printf("%s\"%s\": { ", at == 0 ? "" : ", ", contestant->name);
        printf(cannot ? "\"cannot\": \"%s\" }" : "}", cannot);
    }
    printf(" }\n");
}

int main(int argc, char **argv)
{
    if (argc == 1) {
        print_contestants();
        return EXIT_SUCCESS;
    }
    chosen = argc == 6 ? contestant_named(argv[5]) : NULL;
    threads = (uint32_t)strtoul(argv[1], NULL, 10);
    if (!chosen || !chosen->sections || threads == 0 || threads > THREADS_MAX) {
        fprintf(stderr, "usage: contended <threads> <section ns> <warm-up ms> <measured ms> <contestant>\n");
        return EXIT_FAILURE;
    }
    shared.section_ns = (uint32_t)strtoul(argv[2], NULL, 10);
    measure(strtol(argv[3], NULL, 10) * HF_MILLISECOND, strtol(argv[4], NULL, 10) * HF_MILLISECOND);
    return EXIT_SUCCESS;
}
