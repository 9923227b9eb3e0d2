/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Runs threads that use the same lock or other primitive again and again. In each round the contestants take
 * turns:
 * `contended <threads> <rounds> <warm-up ms> <measured ms> <primitive> <section ns> <amount> <contestant>...`, by default
 * all contestants; with `-NAME` all but this one. Prints JSON, a line per round, of each contestant: the sections per second by
 * thread, the longest wait in ms and the share of a core; or why it cannot; or which contestant failed, and how. The program
 * `counted` prints counts too. With 0 threads, times a loop without contention: nanoseconds per pair of calls. */
#define _POSIX_C_SOURCE 199309L /* nanosleep */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "contestants.h"

/* The measurement takes a second at most; the rest is for busy machines. */
#define PATIENCE_NS (20000 * HF_MILLISECOND)

#define NANOSECONDS_IN_A_SECOND INT64_C(1000000000)

/* Long enough that reading the clock costs nothing, short enough to end on time. */
enum { PAIRS_A_CALL = 5000 };

/* Small, since in wasm all stacks lie in one memory. */
enum { STACK_BYTES = 64 * 1024 };

static arena shared;
static const contestant *chosen;

static void *work(void *number)
{
    const uint32_t thread = (uint32_t)(uintptr_t)number;
    shared.tallies[thread].worked_ns = hf_now_ns();
    hf__add_rlx(&shared.started, 1);
    while (chosen->sections(&shared, thread)) {
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
            shared.threads, shared.section_ns, what);
    printf("\n{ \"failed\": \"%s\", \"what\": \"%s\" }\n", chosen->name, what);
    exit(EXIT_FAILURE);
}

/* The main thread is the watchdog: it does not use the lock, and waits for other threads only here. */
static void wait_for_all(const uint32_t *count, const char *what)
{
    const int64_t deadline_ns = hf_now_ns() + PATIENCE_NS;
    while (hf__load_rlx(count) != shared.threads) {
        if (hf_now_ns() > deadline_ns) {
            fprintf(stderr, "contended: the words are\n");
            for (int at = 0; at < CACHE_LINE / 8; at += 1) {
                fprintf(stderr, "  lock[%d] %016" PRIx64 " condition[%d] %016" PRIx64 "\n", at,
                        hf__load64_rlx(&shared.lock[at]), at, hf__load64_rlx(&shared.condition[at]));
            }
            for (uint32_t thread = 0; thread < shared.threads; thread += 1) {
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
    for (uint32_t thread = 0; thread < shared.threads; thread += 1) {
        if (pthread_create(&handles[thread], &attributes, work, (void *)(uintptr_t)thread) != 0) {
            fail("a thread did not start");
        }
    }
    pthread_attr_destroy(&attributes);
    wait_for_all(&shared.started, "not all threads have started");
}

/* Requires: all threads have ended. */
static void check_sections(void)
{
    uint32_t exclusive = 0;
    uint32_t torn = 0;
    for (uint32_t thread = 0; thread < shared.threads; thread += 1) {
        exclusive += shared.tallies[thread].exclusive;
        torn += shared.tallies[thread].torn;
    }
    const counters *counters = &shared.counters;
    if (torn != 0 || counters->entered != exclusive || counters->left != exclusive || shared.inside != 0) {
        fprintf(stderr,
                "contended: %" PRIu32 " sections saw others; %" PRIu32 " counted, the counters say %" PRIu32
                " and %" PRIu32 "; %" PRIu32 " are still inside\n",
                torn, exclusive, counters->entered, counters->left, shared.inside);
        fail("it let two threads in at once");
    }
}

/* All that is measured, at a moment. */
typedef struct reading {
    uint32_t sections[THREADS_MAX];
    int64_t at_ns;
    clock_t worked; /* by all threads together */
#ifdef COUNTED_H
    counts counts;
#endif
} reading;

static void take_reading(reading *reading)
{
    for (uint32_t thread = 0; thread < shared.threads; thread += 1) {
        reading->sections[thread] = shared.tallies[thread].sections;
    }
    reading->at_ns = hf_now_ns();
    reading->worked = clock();
#ifdef COUNTED_H
    reading->counts = counted_so_far();
#endif
}

/* Returns how long a thread has waited at most for a section. */
static double longest_ms(int64_t now_ns)
{
    int64_t longest_ns = 0;
    for (uint32_t thread = 0; thread < shared.threads; thread += 1) {
        const tally *own = &shared.tallies[thread];
        const int64_t waits_ns = shared.section_ns > 0 ? now_ns - own->worked_ns : 0;
        const int64_t own_ns = own->longest_ns > waits_ns ? own->longest_ns : waits_ns;
        longest_ns = own_ns > longest_ns ? own_ns : longest_ns;
    }
    return (double)longest_ns / (double)HF_MILLISECOND;
}

static void print_measured(const reading *from, const reading *to)
{
    const double seconds = (double)(to->at_ns - from->at_ns) / (double)NANOSECONDS_IN_A_SECOND;
    uint32_t sections = 0;
    printf("\"rates\": [");
    for (uint32_t thread = 0; thread < shared.threads; thread += 1) {
        const uint32_t own = to->sections[thread] - from->sections[thread];
        printf("%s%.1f", thread == 0 ? "" : ", ", own / seconds);
        sections += own;
    }
    printf("], \"sections\": %" PRIu32 ", \"longest\": %.4f, \"cores\": %.5f", sections,
           longest_ms(to->at_ns), (double)(to->worked - from->worked) / CLOCKS_PER_SEC / seconds);
#ifdef COUNTED_H
    const counts *before = &from->counts;
    const counts *after = &to->counts;
    printf(", \"counts\": { \"changes\": %" PRIu64 ", \"fetches\": %" PRIu64 ", \"sleeps\": %" PRIu64
           ", \"wakes\": %" PRIu64 " }",
           after->changes - before->changes, after->fetches - before->fetches, after->sleeps - before->sleeps,
           after->wakes - before->wakes);
#endif
}

static void measure(int64_t warm_up_ns, int64_t measured_ns)
{
    static pthread_t handles[THREADS_MAX];
    static reading from;
    static reading to;

    start_threads(handles);
    sleep_ns(warm_up_ns);
    for (uint32_t thread = 0; thread < shared.threads; thread += 1) {
        shared.tallies[thread].longest_ns = 0;
    }
    take_reading(&from);
    sleep_ns(measured_ns);
    take_reading(&to);
    hf__or_rlx(&shared.stop, 1);
    if (chosen->release) {
        chosen->release(&shared);
    }
    wait_for_all(&shared.ended, "it hangs: not all threads have ended");
    for (uint32_t thread = 0; thread < shared.threads; thread += 1) {
        pthread_join(handles[thread], NULL);
    }
    check_sections();
    print_measured(&from, &to);
}

/* Returns nanoseconds per pair. */
static double time_pairs(int64_t turn_ns)
{
    uint32_t count = 1;
    chosen->pairs(&shared, count); /* a free object that was used may differ from a new one */
    const uint64_t unlocked = shared.lock[0];
    const int64_t start_ns = hf_now_ns();
    int64_t now_ns = start_ns;
    while (now_ns < start_ns + turn_ns) {
        chosen->pairs(&shared, PAIRS_A_CALL);
        count += PAIRS_A_CALL;
        now_ns = hf_now_ns();
    }
    if (shared.counters.entered != count || shared.lock[0] != unlocked) {
        fail("the counter differs from how often the lock was acquired, or the lock is still taken");
    }
    return (double)(now_ns - start_ns) / (count - 1);
}

/* Resets the state that one run shares. */
static void start_anew(uint32_t threads, uint32_t section_ns, uint32_t amount)
{
    memset(&shared, 0, sizeof(shared));
    shared.threads = threads;
    shared.section_ns = section_ns;
    shared.amount = chosen->amount ? chosen->amount : amount;
    if (chosen->prepare) {
        chosen->prepare(&shared);
    }
}

enum { THREADS = 1, ROUNDS, WARM_UP, MEASURED, PRIMITIVE, SECTION, AMOUNT, CONTESTANT };

/* Returns whether the arguments name it, or name none but others to leave out. */
static bool is_wanted(int argc, char **argv, const char *name)
{
    bool wanted = argc == CONTESTANT || argv[CONTESTANT][0] == '-';
    for (int at = CONTESTANT; at < argc; at += 1) {
        const bool is_out = argv[at][0] == '-';
        if (strcmp(&argv[at][is_out], name) == 0) {
            wanted = !is_out;
        }
    }
    return wanted;
}

static void run_chosen(const uint32_t *numbers)
{
    printf("\"%s\": { ", chosen->name);
    start_anew(numbers[THREADS], numbers[SECTION], numbers[AMOUNT]);
    if (numbers[THREADS] == 0 && chosen->pairs) {
        printf("\"nanoseconds\": %.4f", time_pairs(numbers[MEASURED] * HF_MILLISECOND));
    } else if (numbers[THREADS] > 0 && chosen->sections) {
        measure(numbers[WARM_UP] * HF_MILLISECOND, numbers[MEASURED] * HF_MILLISECOND);
    } else {
        printf("\"cannot\": \"%s\"", chosen->cannot ? chosen->cannot : "it has no such calls");
    }
    printf(" }");
}

int main(int argc, char **argv)
{
    uint32_t numbers[CONTESTANT] = {0};
    for (int at = THREADS; at < CONTESTANT && at < argc; at += 1) {
        numbers[at] = (uint32_t)strtoul(argv[at], NULL, 10);
    }
    if (argc < CONTESTANT || numbers[THREADS] > THREADS_MAX) {
        fprintf(stderr, "contended: the arguments are wrong; contended.c lists them\n");
        return EXIT_FAILURE;
    }
    for (uint32_t round = 0; round < numbers[ROUNDS]; round += 1) {
        const char *separator = round == 0 ? "[{ " : ",\n{ ";
        for (int number = 0; number < PRIMITIVES; number += 1) {
            const primitive *primitive = &primitives[number];
            for (int at = 0; at < primitive->count && strcmp(primitive->name, argv[PRIMITIVE]) == 0;
                 at += 1) {
                chosen = &primitive->contestants[at];
                if (is_wanted(argc, argv, chosen->name)) {
                    printf("%s", separator);
                    run_chosen(numbers);
                    separator = ", ";
                }
            }
        }
        printf(" }");
    }
    printf("]\n");
    return EXIT_SUCCESS;
}
