/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include "random.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "holdfast/clock.h"

/* Odd constants of Vigna's splitmix64 and xorshift64*. */
#define SPLIT UINT64_C(0x9e3779b97f4a7c15)
#define STAR UINT64_C(0x2545f4914f6cdd1d)

uint64_t random_seed(void)
{
    const char *given = getenv("HOLDFAST_SEED");
    uint64_t seed = given ? strtoull(given, NULL, 0) : (uint64_t)hf_now_ns();
    printf("HOLDFAST_SEED=%" PRIu64 "\n", seed);
    fflush(stdout);
    return seed;
}

int rounds_in_tier(int all)
{
    return getenv("HOLDFAST_QUICK") ? all / 12 : all;
}

random_source random_of(uint64_t seed, uint64_t number)
{
    uint64_t state = (seed + (number + 1) * SPLIT) * STAR;
    return (random_source){state ? state : SPLIT};
}

uint32_t random_below(random_source *source, uint32_t limit)
{
    source->state ^= source->state >> 12;
    source->state ^= source->state << 25;
    source->state ^= source->state >> 27;
    return (uint32_t)((source->state * STAR) >> 32) % limit;
}
