/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef FUTEX_SPY_H
#define FUTEX_SPY_H

#include "futex.h"

/* The linker puts these between the library and its futex (--wrap): the tested library is the shipped one,
 * and a test can count and use every call of the futex. For one thread only. */

/* Forgets what was counted, the hooks and futex_spy_finds. */
void futex_spy_reset(void);

/* Returns how often hf__wait was called. */
uint32_t futex_spy_waits(void);

/* Returns the word and the time limit of the last hf__wait. Requires: there was one. */
const uint32_t *futex_spy_waited_on(void);
int64_t futex_spy_timeout_ns(void);

/* Returns how often hf__wake was called for this word, or, for NULL, for any. */
uint32_t futex_spy_wakes(const uint32_t *word);

/* Returns the count that was passed to the last hf__wake for this word; 0: there was none. */
uint32_t futex_spy_wake_count(const uint32_t *word);

/* The next wakes return `count`, whether or not threads sleep. */
void futex_spy_finds(uint32_t count);

/* Calls the hook once, in the next wake: it runs in the middle of the waking function. */
void futex_spy_at_next_wake(void (*hook)(void));

/* Calls the hook once, before the next wait: it runs between the step and the sleep. The wait must not sleep
 * if the hook has changed the word. */
void futex_spy_at_next_wait(void (*hook)(void));

#endif
