/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include "futex_spy.h"

#include <stddef.h>

enum { REMEMBERED = 4096 };

static uint32_t waits;
static uint32_t wakes;
static uint32_t found;
static const uint32_t *woken_words[REMEMBERED];
static uint32_t wake_counts[REMEMBERED];
static const uint32_t *waited_on;
static int64_t last_timeout_ns;
static void (*at_next_wake)(void);
static void (*at_next_wait)(void);

hf__wait_result __real_hf__wait(uint32_t *word, uint32_t expected, int64_t timeout_ns);
hf__wait_result __wrap_hf__wait(uint32_t *word, uint32_t expected, int64_t timeout_ns);
uint32_t __real_hf__wake(uint32_t *word, uint32_t count);
uint32_t __wrap_hf__wake(uint32_t *word, uint32_t count);

/* Calls the hook once. Clears it first, since the hook may wait or wake too. */
static void call_once(void (**hook)(void))
{
    void (*now)(void) = *hook;
    *hook = NULL;
    if (now) {
        now();
    }
}

hf__wait_result __wrap_hf__wait(uint32_t *word, uint32_t expected, int64_t timeout_ns)
{
    waits += 1;
    waited_on = word;
    last_timeout_ns = timeout_ns;
    call_once(&at_next_wait);
    return __real_hf__wait(word, expected, timeout_ns);
}

uint32_t __wrap_hf__wake(uint32_t *word, uint32_t count)
{
    woken_words[wakes % REMEMBERED] = word;
    wake_counts[wakes % REMEMBERED] = count;
    wakes += 1;
    call_once(&at_next_wake);
    uint32_t woken = __real_hf__wake(word, count);
    return woken > found ? woken : found;
}

void futex_spy_reset(void)
{
    waits = 0;
    wakes = 0;
    found = 0;
    at_next_wake = NULL;
    at_next_wait = NULL;
}

uint32_t futex_spy_waits(void)
{
    return waits;
}

uint32_t futex_spy_wakes(const uint32_t *word)
{
    uint32_t times = 0;
    for (uint32_t at = 0; at < wakes && at < REMEMBERED; at += 1) {
        times += !word || woken_words[at] == word;
    }
    return times;
}

uint32_t futex_spy_wake_count(const uint32_t *word)
{
    uint32_t count = 0;
    for (uint32_t at = 0; at < wakes && at < REMEMBERED; at += 1) {
        count = woken_words[at] == word ? wake_counts[at] : count;
    }
    return count;
}

const uint32_t *futex_spy_waited_on(void)
{
    return waited_on;
}

int64_t futex_spy_timeout_ns(void)
{
    return last_timeout_ns;
}

void futex_spy_at_next_wake(void (*hook)(void))
{
    at_next_wake = hook;
}

void futex_spy_at_next_wait(void (*hook)(void))
{
    at_next_wait = hook;
}

void futex_spy_finds(uint32_t count)
{
    found = count;
}
