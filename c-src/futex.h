/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_FUTEX_H
#define HOLDFAST_FUTEX_H

#include <stdint.h>

#include "holdfast/clock.h"

/* The package's module is not an Emscripten program, though emcc compiles it too. */
#if defined(__EMSCRIPTEN__) && !defined(HF__MODULE)
#define HF__EMSCRIPTEN_PROGRAM
#endif

/* The seam to the platform: futex_wasm.c and futex_linux.c.
 * A wake is only a hint, and may reach a dying thread. So a caller sets a timeout, checks the word again
 * after each wait, and loops.
 * Orders: a wait and a wake give no memory order for data that a lock protects. The locks rely on two
 * guarantees about the word itself: a wait that comes after a wake does not compare an older value than the
 * waker saw, and a woken thread does not read an older one. */

typedef enum hf__wait_result {
    HF__WOKEN = 0,     /* may be spurious on Linux */
    HF__CHANGED = 1,   /* the word was not `expected` */
    HF__TIMED_OUT = 2, /* the word was not read again */
} hf__wait_result;

#define HF__WAKE_ALL UINT32_MAX

/* Blocks: while *word == expected, for at most timeout_ns (negative: no limit). */
hf__wait_result hf__wait(uint32_t *word, uint32_t expected, int64_t timeout_ns);

/* Returns the time until the deadline, as a limit for hf__wait. */
static inline int64_t hf__left(int64_t deadline_ns)
{
    if (deadline_ns == HF_FOREVER) {
        return HF_FOREVER; /* reading the clock is a call into JavaScript */
    }
    int64_t now_ns = hf_now_ns();
    return now_ns < deadline_ns ? deadline_ns - now_ns : 0;
}

/* Wakes up to `count` waiters, those of JavaScript's waitAsync too. Never blocks. Returns how many were
 * woken. */
uint32_t hf__wake(uint32_t *word, uint32_t count);

/* Never blocks. Returns about how many threads are in hf__wait. Always 0 in wasm, where the module has no
 * data and programs have few threads. */
#ifdef __wasm__
static inline uint32_t hf__asleep(void)
{
    return 0;
}
#else
uint32_t hf__asleep(void);
#endif

#endif
