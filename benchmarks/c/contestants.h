/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef CONTESTANTS_H
#define CONTESTANTS_H

#include <stdint.h>

#include "arena.h"

/* A lock that is compared, with the two loops that use it. There is a loop a contestant, so that the compiler
 * inlines as much of it as in a program that has only that lock. */
typedef struct contestant {
    const char *name;
    const char *missing;     /* why it is not there; NULL: it is */
    const char *never_waits; /* why it cannot contend; NULL: it can */

    /* Locks, increments a counter and unlocks, as often as told. Requires: nobody else there. */
    void (*pairs)(arena *arena, uint32_t times);

    /* Locks, keeps the lock for a section and unlocks, a few times or until the arena is stopped. */
    void (*sections)(arena *arena, uint32_t thread);
} contestant;

extern const contestant contestants[];
extern const int contestant_count;

/* Returns NULL iff there is none of that name. */
const contestant *contestant_named(const char *name);

#endif
