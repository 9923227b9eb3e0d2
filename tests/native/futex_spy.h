/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef FUTEX_SPY_H
#define FUTEX_SPY_H

#include <stdint.h>

/* The linker puts these between the library and its futex (--wrap): the library under test is the one that
 * is shipped, and a test sees, and may use, every call that crosses the seam. For one thread only. */

/* Forgets what was counted, and the hook. */
void futex_spy_reset(void);

/* Returns how often hf__wait was called. */
uint32_t futex_spy_waits(void);

/* Returns how often hf__wake was called for this word, or, for NULL, for any. */
uint32_t futex_spy_wakes(const uint32_t *word);

/* Calls the hook once, in the next wake: what it does falls into the middle of the waking function. */
void futex_spy_at_next_wake(void (*hook)(void));

#endif
