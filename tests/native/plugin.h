/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef PLUGIN_H
#define PLUGIN_H

/* A shared library that has the C library within it. */

/* Uses a lock, in a program with a table of threads. */
void plugin_work(void);

#endif
