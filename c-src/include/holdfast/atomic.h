/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_ATOMIC_H
#define HOLDFAST_ATOMIC_H

#include <stdint.h>

#include "holdfast/bool.h"

#if defined(__wasm__) && !defined(__wasm_atomics__)
#error "holdfast: compile with -pthread, without which atomics in wasm are plain loads and stores"
#endif

/* Not for users. Every access to a shared word is one of these, with its memory order in the name (rlx,
 * acq, rel). In wasm all of them are sequentially consistent. The orders are for the native build; `npm run
 * orders` checks them. */

static inline uint32_t hf__load_rlx(const uint32_t *word)
{
    return __atomic_load_n(word, __ATOMIC_RELAXED);
}

static inline void hf__store_rlx(uint32_t *word, uint32_t value)
{
    __atomic_store_n(word, value, __ATOMIC_RELAXED);
}

static inline uint32_t hf__load_acq(const uint32_t *word)
{
    return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

static inline void hf__store_rel(uint32_t *word, uint32_t value)
{
    __atomic_store_n(word, value, __ATOMIC_RELEASE);
}

static inline uint32_t hf__add_rlx(uint32_t *word, uint32_t addend)
{
    return __atomic_fetch_add(word, addend, __ATOMIC_RELAXED);
}

static inline uint32_t hf__add_rel(uint32_t *word, uint32_t addend)
{
    return __atomic_fetch_add(word, addend, __ATOMIC_RELEASE);
}

static inline uint32_t hf__or_rlx(uint32_t *word, uint32_t bits)
{
    return __atomic_fetch_or(word, bits, __ATOMIC_RELAXED);
}

static inline uint32_t hf__and_rlx(uint32_t *word, uint32_t mask)
{
    return __atomic_fetch_and(word, mask, __ATOMIC_RELAXED);
}

static inline uint32_t hf__and_rel(uint32_t *word, uint32_t mask)
{
    return __atomic_fetch_and(word, mask, __ATOMIC_RELEASE);
}

static inline void hf__fence_rel(void)
{
#ifndef __SANITIZE_THREAD__ /* GCC refuses fences under ThreadSanitizer */
    __atomic_thread_fence(__ATOMIC_RELEASE);
#endif
}

static inline hf_bool hf__cas_acq(uint32_t *word, uint32_t expected, uint32_t desired)
{
    return __atomic_compare_exchange_n(word, &expected, desired, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

static inline hf_bool hf__cas_rlx(uint32_t *word, uint32_t expected, uint32_t desired)
{
    return __atomic_compare_exchange_n(word, &expected, desired, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

static inline hf_bool hf__cas_rel(uint32_t *word, uint32_t expected, uint32_t desired)
{
    return __atomic_compare_exchange_n(word, &expected, desired, 0, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
}

static inline uint64_t hf__load64_acq(const uint64_t *word)
{
    return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

static inline void hf__store64_rlx(uint64_t *word, uint64_t value)
{
    __atomic_store_n(word, value, __ATOMIC_RELAXED);
}

static inline hf_bool hf__cas64_acq_rel(uint64_t *word, uint64_t expected, uint64_t desired)
{
    return __atomic_compare_exchange_n(word, &expected, desired, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

static inline uint64_t hf__load64_rlx(const uint64_t *word)
{
    return __atomic_load_n(word, __ATOMIC_RELAXED);
}

static inline hf_bool hf__cas64_rlx(uint64_t *word, uint64_t expected, uint64_t desired)
{
    return __atomic_compare_exchange_n(word, &expected, desired, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

static inline hf_bool hf__cas64_acq(uint64_t *word, uint64_t expected, uint64_t desired)
{
    return __atomic_compare_exchange_n(word, &expected, desired, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

static inline hf_bool hf__cas64_rel(uint64_t *word, uint64_t expected, uint64_t desired)
{
    return __atomic_compare_exchange_n(word, &expected, desired, 0, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
}

#endif
