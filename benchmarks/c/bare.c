/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include <stdbool.h>
#include <stdint.h>

/* The two instructions that each lock needs, for JavaScript to call as the glue calls its module
 * (rivals/bare.js). They have the slow path that each lock needs, too: it is never taken, but engines make a
 * frame for its call. */
#define EXPORT(name) __attribute__((export_name(#name))) name

/* Returns the value that was found. */
__attribute__((noinline)) static uint32_t fail(uint32_t *word, uint32_t found)
{
    __builtin_wasm_memory_atomic_notify((int *)word, 1);
    return found;
}

/* Takes the word if it is 0. Returns its value before: 0 iff the caller now has it. */
uint32_t EXPORT(take)(uint32_t *word, uint32_t self)
{
    uint32_t found = 0;
    if (__atomic_compare_exchange_n(word, &found, self, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
        return 0;
    }
    return fail(word, found);
}

/* Requires: the caller has taken the word with the same `self`. Returns its value before. */
uint32_t EXPORT(give)(uint32_t *word, uint32_t self)
{
    const uint32_t found = __atomic_exchange_n(word, 0, __ATOMIC_RELEASE);
    return found == self ? found : fail(word, found);
}
