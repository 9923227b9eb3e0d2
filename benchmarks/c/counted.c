/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#define _XOPEN_SOURCE 600 /* ucontext */

#include "counted.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <time.h>
#include <ucontext.h>

#include "contestants.h"
#include "futex.h"

/* A model of a machine with a core for each thread. Threads are contexts of one real thread, each with its own time, and the
 * one whose time is the earliest goes on, so a run gives the same counts each time.
 *
 * A line is in the caches of its sharers. A read or a change by another core, or a change while there are other sharers,
 * fetches it. One fetch of a line follows the other, so a line that many cores want becomes the bottleneck. Nothing else
 * costs more with more cores: no sockets, no shared links, no scheduler. */

/* About as on servers, for cores of one socket. docs/benchmarks.md has these times. */
enum { HIT_NS = 2, FETCH_NS = 100, CLOCK_NS = 25, CALL_NS = 1000, WAKE_NS = 5000 };
enum { LINES = 4096, STACK_BYTES = 64 * 1024, CORES = 64, MAIN = CORES };

typedef struct line {
    uint64_t sharers;
    int64_t free_ns; /* the end of its last fetch */
} line;

typedef struct modelled {
    ucontext_t context;
    int64_t time_ns; /* of a thread that sleeps: when it ends by itself */
    const uint32_t *sleeps_on;
    uint64_t since; /* orders sleepers of the same word */
    line *spins_on; /* until it is no sharer of this line */
    bool is_alive;
    bool is_woken;
    void *(*start)(void *);
    void *argument;
    char stack[STACK_BYTES];
} modelled;

static line lines[LINES];
static modelled threads[CORES + 1] = {[MAIN] = {.is_alive = true}};
static uint32_t self = MAIN;
static counts all;
static uint64_t sleepers_ever;

extern _Thread_local uint32_t hf__thread_id_cache;

/* Returns between half and one and a half times as much. With fixed times, threads would run in lockstep. */
static int64_t about(int64_t ns)
{
    static uint32_t random;
    random = random * 1664525 + 1013904223;
    return ns / 2 + ns * (random >> 16) / 65536;
}

static uint64_t core_of(uint32_t thread)
{
    return thread == MAIN ? 0 : UINT64_C(1) << thread;
}

/* Lets the earliest thread go on. */
static void go_on(void)
{
    uint32_t next = MAIN;
    for (uint32_t at = 0; at < MAIN; at += 1) {
        modelled *thread = &threads[at];
        if (thread->spins_on && !(thread->spins_on->sharers & core_of(at))) {
            thread->time_ns = thread->spins_on->free_ns;
            thread->spins_on = NULL;
        }
        if (thread->is_alive && !thread->spins_on && thread->time_ns < threads[next].time_ns) {
            next = at;
        }
    }
    if (next != self) {
        modelled *before = &threads[self];
        self = next;
        hf__thread_id_cache = next + 1;
        swapcontext(&before->context, &threads[next].context);
    }
}

static void spend(int64_t ns)
{
    threads[self].time_ns += ns;
    go_on();
}

static line *line_of(const volatile void *address)
{
    return &lines[(uintptr_t)address / CACHE_LINE % LINES];
}

static void touch(const volatile void *address, bool changes)
{
    line *line = line_of(address);
    const uint64_t core = core_of(self);
    const int64_t now_ns = threads[self].time_ns;
    const bool is_here = changes ? line->sharers == core : (line->sharers & core) != 0;
    line->sharers = (changes ? 0 : line->sharers) | core;
    if (self == MAIN) {
        return;
    }
    if (!is_here) {
        line->free_ns = (line->free_ns > now_ns ? line->free_ns : now_ns) + about(FETCH_NS);
        all.fetches += 1;
    }
    spend(is_here ? HIT_NS : line->free_ns - now_ns);
}

void counted_read(const volatile void *word)
{
    touch(word, false);
}

void counted_change(const volatile void *word)
{
    all.changes += self != MAIN;
    touch(word, true);
}

void counted_data(const volatile void *data)
{
    touch(data, true);
}

void counted_pause(int64_t ns)
{
    spend(about(ns));
}

void counted_spin(const volatile void *word)
{
    threads[self].spins_on = line_of(word);
    go_on();
}

uint32_t counted_thread(void)
{
    return self;
}

counts counted_so_far(void)
{
    return all;
}

/* ---- In the place of the system's calls ---- */

int64_t __wrap_hf_now_ns(void)
{
    if (self != MAIN) {
        spend(CLOCK_NS);
    }
    return threads[self].time_ns;
}

int __wrap_nanosleep(const struct timespec *time, struct timespec *left)
{
    (void)left;
    spend(time->tv_sec * INT64_C(1000000000) + time->tv_nsec);
    return 0;
}

static void run(void)
{
    threads[self].start(threads[self].argument);
    threads[self].is_alive = false;
    go_on();
}

int __wrap_pthread_create(pthread_t *handle, const pthread_attr_t *attributes, void *(*start)(void *),
                          void *argument)
{
    (void)attributes;
    if ((uintptr_t)argument >= CORES) {
        return EAGAIN;
    }
    modelled *thread = &threads[(uintptr_t)argument];
    *handle = 0;
    getcontext(&thread->context);
    thread->context.uc_stack = (stack_t){.ss_sp = thread->stack, .ss_size = STACK_BYTES};
    thread->start = start;
    thread->argument = argument;
    thread->time_ns = threads[MAIN].time_ns;
    thread->is_alive = true;
    makecontext(&thread->context, run, 0);
    return 0;
}

int __wrap_pthread_join(pthread_t handle, void **result)
{
    (void)handle, (void)result;
    return 0;
}

hf__wait_result __wrap_hf__wait(uint32_t *word, uint32_t expected, int64_t timeout_ns)
{
    modelled *own = &threads[self];
    spend(about(CALL_NS));
    touch(word, false);
    if (*word != expected) {
        return HF__CHANGED;
    }
    all.sleeps += 1;
    own->sleeps_on = word;
    own->since = sleepers_ever++;
    own->is_woken = false;
    own->time_ns = timeout_ns < 0 ? INT64_MAX : own->time_ns + timeout_ns;
    go_on();
    own->sleeps_on = NULL;
    return own->is_woken ? HF__WOKEN : HF__TIMED_OUT;
}

uint32_t __wrap_hf__wake(uint32_t *word, uint32_t count)
{
    all.wakes += 1;
    spend(about(CALL_NS));
    for (uint32_t woken = 0; woken < count; woken += 1) {
        modelled *oldest = NULL;
        for (uint32_t at = 0; at < MAIN; at += 1) {
            modelled *thread = &threads[at];
            if (thread->sleeps_on == word && (!oldest || thread->since < oldest->since)) {
                oldest = thread;
            }
        }
        if (!oldest) {
            return woken;
        }
        oldest->sleeps_on = NULL;
        oldest->is_woken = true;
        oldest->time_ns = threads[self].time_ns + about(WAKE_NS);
    }
    return count;
}
