/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef RANDOM_H
#define RANDOM_H

#include <stdint.h>

/* One generator a thread (xorshift64*), all derived from one seed. */
typedef struct random_source {
    uint64_t state;
} random_source;

/* Returns the seed of this run: HOLDFAST_SEED if that is set, else a new one. Prints it. */
uint64_t random_seed(void);

/* Returns that number, or a twelfth of it in `npm test`, which sets HOLDFAST_QUICK. */
int rounds_in_tier(int all);

/* Returns a generator of its own for each number. */
random_source random_of(uint64_t seed, uint64_t number);

/* Returns a number in [0, limit). Requires: limit > 0. */
uint32_t random_below(random_source *source, uint32_t limit);

#endif
