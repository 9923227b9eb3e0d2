/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include "futex_spy.h"

#include <stddef.h>

#include "futex.h"

enum { REMEMBERED = 4096 };

static uint32_t waits;
static uint32_t wakes;
static const uint32_t *woken_words[REMEMBERED];
static void (*at_next_wake)(void);

hf__wait_result __real_hf__wait(uint32_t *word, uint32_t expected, int64_t timeout_ns);
hf__wait_result __wrap_hf__wait(uint32_t *word, uint32_t expected, int64_t timeout_ns);
void __real_hf__wake(uint32_t *word, uint32_t count);
void __wrap_hf__wake(uint32_t *word, uint32_t count);

hf__wait_result __wrap_hf__wait(uint32_t *word, uint32_t expected, int64_t timeout_ns)
{
    waits += 1;
    return __real_hf__wait(word, expected, timeout_ns);
}

void __wrap_hf__wake(uint32_t *word, uint32_t count)
{
    woken_words[wakes % REMEMBERED] = word;
    wakes += 1;
    void (*hook)(void) = at_next_wake;
    at_next_wake = NULL;
    if (hook) {
        hook();
    }
    __real_hf__wake(word, count);
}

void futex_spy_reset(void)
{
    waits = 0;
    wakes = 0;
    at_next_wake = NULL;
}

uint32_t futex_spy_waits(void)
{
    return waits;
}

uint32_t futex_spy_wakes(const uint32_t *word)
{
    uint32_t found = 0;
    for (uint32_t at = 0; at < wakes && at < REMEMBERED; at += 1) {
        found += !word || woken_words[at] == word;
    }
    return found;
}

void futex_spy_at_next_wake(void (*hook)(void))
{
    at_next_wake = hook;
}
