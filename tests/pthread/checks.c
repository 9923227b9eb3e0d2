/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include "families.h"

#include <pthread.h>
#include <stdlib.h>

enum { PATIENCE_SECONDS = 30, MOST_THREADS = 8 };

static int checks;
static int failures;
static int steps;
static const char *family;

void count_check(bool holds, const char *what, const char *file, int line)
{
    progress();
    __atomic_fetch_add(&checks, 1, __ATOMIC_RELAXED);
    if (!holds) {
        __atomic_fetch_add(&failures, 1, __ATOMIC_RELAXED);
        fprintf(stderr, "%s:%d: not so: %s\n", file, line, what);
    }
}

void check_is(long expected, long actual, const char *what, const char *file, int line)
{
    count_check(expected == actual, what, file, line);
    if (expected != actual) {
        fprintf(stderr, "    it is %ld, not %ld\n", actual, expected);
    }
}

void progress(void)
{
    __atomic_fetch_add(&steps, 1, __ATOMIC_RELAXED);
}

static void sleep_ns(long ns)
{
    struct timespec time = {.tv_nsec = ns};
    nanosleep(&time, NULL);
}

void pause_a_little(void)
{
    sleep_ns(NS_IN_A_MS / 10);
}

static void *watch(void *unused)
{
    int seen = __atomic_load_n(&steps, __ATOMIC_RELAXED);
    int tenths = 0;
    for (;;) {
        sleep_ns(100L * NS_IN_A_MS);
        int now = __atomic_load_n(&steps, __ATOMIC_RELAXED);
        tenths = now == seen ? tenths + 1 : 0;
        seen = now;
        if (tenths == PATIENCE_SECONDS * 10) {
            fprintf(stderr, "watchdog: nothing has happened for %d s in the family of %s\n", PATIENCE_SECONDS,
                    family);
            abort();
        }
    }
    return unused;
}

struct timespec in_ms(clockid_t clock, long ms)
{
    struct timespec time;
    clock_gettime(clock, &time);
    long ns = time.tv_nsec + ms % MS_IN_A_SECOND * NS_IN_A_MS;
    long second = (long)MS_IN_A_SECOND * NS_IN_A_MS;
    time.tv_sec += ms / MS_IN_A_SECOND + ns / second;
    time.tv_nsec = ns % second;
    return time;
}

double ms_on(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec * MS_IN_A_SECOND + (double)time.tv_nsec / NS_IN_A_MS;
}

void in_threads(int count, routine *run, void *argument)
{
    pthread_t threads[MOST_THREADS];
    for (int at = 0; at < count; at += 1) {
        if (pthread_create(&threads[at], NULL, run, argument) != 0) {
            abort();
        }
    }
    for (int at = 0; at < count; at += 1) {
        pthread_join(threads[at], NULL);
        progress();
    }
}

long elsewhere(routine *run, void *argument)
{
    pthread_t thread;
    void *result;
    if (pthread_create(&thread, NULL, run, argument) != 0 || pthread_join(thread, &result) != 0) {
        abort();
    }
    return (long)result;
}

void start_watchdog(void)
{
    pthread_t watchdog;
    if (pthread_create(&watchdog, NULL, watch, NULL) != 0) {
        abort();
    }
    pthread_detach(watchdog);
}

void begin_family(const char *name)
{
    family = name;
}

bool tell_checks(void)
{
    printf("%d checks, %d failures\n", checks, failures);
    fflush(stdout);
    return failures == 0 && checks > 0;
}
