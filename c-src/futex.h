/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_FUTEX_H
#define HOLDFAST_FUTEX_H

#include <stdint.h>

/* The platform's seam: two functions and a number, one small backend a platform (futex_wasm.c,
 * futex_linux.c).
 *
 * A wake is only a hint. It may reach a thread that is dying, or none; so a caller passes a bounded
 * timeout, looks at the word again whatever came back, and loops.
 *
 * Orders: none for what a lock protects. But every platform guarantees of the word itself that a wait which
 * comes after a wake compares none that is older than what the waker saw, and that a thread which was woken
 * reads none that is older. Locks rely on both. */

typedef enum hf__wait_result {
    HF__WOKEN = 0,     /* by a wake, or for no reason (Spurious: yes, on Linux) */
    HF__CHANGED = 1,   /* the word did not hold the expected value */
    HF__TIMED_OUT = 2, /* On timeout: the word was not looked at again */
} hf__wait_result;

#define HF__WAKE_ALL UINT32_MAX

/* Blocks: while *word == expected, for at most timeout_ns (negative: no limit).
 * Requires: a thread that may block. */
hf__wait_result hf__wait(uint32_t *word, uint32_t expected, int64_t timeout_ns);

/* Never blocks. Wakes up to count threads that wait on word, async JavaScript waiters included. */
void hf__wake(uint32_t *word, uint32_t count);

/* Never blocks. Returns about how many threads are in hf__wait, or 0 where that is not counted: a module for
 * the web has no data of its own, and threads are few there. */
#ifdef __wasm__
static inline uint32_t hf__asleep(void)
{
    return 0;
}
#else
uint32_t hf__asleep(void);
#endif

#endif
