/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Compiled without the macros of counted.h: the counting itself is not counted. */
#include "counted.h"

#undef __atomic_load_n
#undef __atomic_store_n
#undef __atomic_exchange_n
#undef __atomic_compare_exchange_n
#undef __atomic_fetch_add
#undef __atomic_fetch_or
#undef __atomic_fetch_and

#include <stdbool.h>
#include <stddef.h>

#include "arena.h"
#include "futex.h"

enum { LINES = 256, THREADS_EVER = 256 };

static struct {
    uintptr_t begin;
    uintptr_t end;
} ranges[COUNTED_RANGES];

/* How often each line was changed. Two lines that are far apart may share an entry. */
static uint64_t versions[LINES];

/* The counts of one thread, which other threads read. */
typedef struct OWN_LINE counter {
    counts counts;
    uint64_t seen[LINES];
} counter;

static counter all[THREADS_EVER];
static uint32_t begun;
static _Thread_local counter *own;

static counter *mine(void)
{
    if (!own) {
        own = &all[__atomic_fetch_add(&begun, 1, __ATOMIC_RELAXED) % THREADS_EVER];
    }
    return own;
}

/* Only the count's own thread calls this. */
static void increment(uint64_t *count)
{
    __atomic_store_n(count, *count + 1, __ATOMIC_RELAXED);
}

void counted_watch(int range, const void *bytes, size_t size)
{
    ranges[range].begin = (uintptr_t)bytes;
    ranges[range].end = (uintptr_t)bytes + size;
}

static bool is_watched(uintptr_t address)
{
    for (int at = 0; at < COUNTED_RANGES; at += 1) {
        if (address >= ranges[at].begin && address < ranges[at].end) {
            return true;
        }
    }
    return false;
}

static void see(counter *thread, size_t line, uint64_t version, uint64_t after)
{
    if (thread->seen[line] != version) {
        increment(&thread->counts.fetches);
    }
    thread->seen[line] = after;
}

void counted_read(const volatile void *word)
{
    uintptr_t address = (uintptr_t)word;
    if (is_watched(address)) {
        size_t line = address / CACHE_LINE % LINES;
        uint64_t version = __atomic_load_n(&versions[line], __ATOMIC_RELAXED);
        see(mine(), line, version, version);
    }
}

void counted_change(const volatile void *word)
{
    uintptr_t address = (uintptr_t)word;
    if (is_watched(address)) {
        counter *thread = mine();
        size_t line = address / CACHE_LINE % LINES;
        uint64_t version = __atomic_fetch_add(&versions[line], 1, __ATOMIC_RELAXED);
        see(thread, line, version, version + 1);
        increment(&thread->counts.changes);
    }
}

counts counted_so_far(void)
{
    counts sum = {0};
    for (int at = 0; at < THREADS_EVER; at += 1) {
        const counts *thread = &all[at].counts;
        sum.changes += __atomic_load_n(&thread->changes, __ATOMIC_RELAXED);
        sum.fetches += __atomic_load_n(&thread->fetches, __ATOMIC_RELAXED);
        sum.sleeps += __atomic_load_n(&thread->sleeps, __ATOMIC_RELAXED);
        sum.wakes += __atomic_load_n(&thread->wakes, __ATOMIC_RELAXED);
    }
    return sum;
}

hf__wait_result __real_hf__wait(uint32_t *word, uint32_t expected, int64_t timeout_ns);
hf__wait_result __wrap_hf__wait(uint32_t *word, uint32_t expected, int64_t timeout_ns);
uint32_t __real_hf__wake(uint32_t *word, uint32_t count);
uint32_t __wrap_hf__wake(uint32_t *word, uint32_t count);

hf__wait_result __wrap_hf__wait(uint32_t *word, uint32_t expected, int64_t timeout_ns)
{
    hf__wait_result result = __real_hf__wait(word, expected, timeout_ns);
    if (result != HF__CHANGED) {
        increment(&mine()->counts.sleeps);
    }
    return result;
}

uint32_t __wrap_hf__wake(uint32_t *word, uint32_t count)
{
    increment(&mine()->counts.wakes);
    return __real_hf__wake(word, count);
}
