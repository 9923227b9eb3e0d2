/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef FAMILIES_H
#define FAMILIES_H

#include <stdbool.h>
#include <stdio.h>
#include <time.h>

/* Shared by the families of calls, natively and in Emscripten. */

#ifdef __cplusplus
extern "C" {
#endif

void count_check(bool holds, const char *what, const char *file, int line);
#define CHECK(condition) count_check(condition, #condition, __FILE__, __LINE__)
#define IT_FAILS(what) count_check(false, what, __FILE__, __LINE__)
#define CHECK_IS(expected, actual) check_is(expected, actual, #actual, __FILE__, __LINE__)
void check_is(long expected, long actual, const char *what, const char *file, int line);

/* Starts a watchdog, which ends the process with a message if no progress is reported for long. It uses no
 * lock. */
void start_watchdog(void);
void begin_family(const char *name);
void progress(void);

/* Prints the number of checks, and returns whether all held. */
bool tell_checks(void);

/* A pause in a loop that waits for another thread; each call pauses a little longer. */
void pause_a_little(void);

/* Less than a slice of a wait (waiting.h), which has no end in some programs (endless_slices.c). */
enum { SOON_MS = 15 };
/* Emscripten's CLOCK_REALTIME counts in whole ms. */
enum { CLOCKS_DIFFER_MS = 2 };
enum { MS_IN_A_SECOND = 1000, NS_IN_A_MS = 1000000 };

struct timespec in_ms(clockid_t clock, long ms);
double ms_on(clockid_t clock);

typedef void *routine(void *);

/* Runs the function in `count` threads at a time, and waits for them. */
void in_threads(int count, routine *run, void *argument);

/* Runs the function in another thread, and returns its result. */
long elsewhere(routine *run, void *argument);

void try_mutexes(void);
void try_conditions(void);
void try_rwlocks(void);
void try_semaphores(void);
void try_c11(void);
void try_cxx(void);
void try_lives(void);
/* For programs with slices of waits that end, and with a table of threads. */
void try_cancellation(void);
void try_robust(void);

#ifdef __cplusplus
}
#endif
#endif
