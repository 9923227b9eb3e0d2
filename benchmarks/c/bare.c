/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include <stdbool.h>
#include <stdint.h>

/* The two instructions that no lock can do without, for JavaScript to call just as the glue calls its module
 * (rivals/bare.js). */
#define EXPORT(name) __attribute__((export_name(#name))) name

/* Takes the word if it is 0. Returns what it found: 0 iff it took it. */
uint32_t EXPORT(take)(uint32_t *word, uint32_t self)
{
    uint32_t found = 0;
    __atomic_compare_exchange_n(word, &found, self, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
    return found;
}

/* Returns what it found: 0 iff nobody had taken it. */
uint32_t EXPORT(give)(uint32_t *word)
{
    return __atomic_exchange_n(word, 0, __ATOMIC_RELEASE);
}
