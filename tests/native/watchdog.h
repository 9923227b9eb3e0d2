/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef WATCHDOG_H
#define WATCHDOG_H

#include <stddef.h>
#include <stdint.h>

/* Ends the process when nothing has happened for long: prints the watched words in hexadecimal, and aborts.
 * So a hung test says on which words it hung, and its exit code is not 0. */

/* Starts the watchdog's thread. The words must outlive it, and are read with atomic loads. */
void watchdog_start(const uint32_t *words, size_t count);

/* Never blocks. Reports progress of the test. Any thread may call it. */
void watchdog_progress(void);

/* Ends the watchdog's thread. */
void watchdog_stop(void);

#endif
