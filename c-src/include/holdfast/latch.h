/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_LATCH_H
#define HOLDFAST_LATCH_H

#include <stdint.h>

#include "holdfast/clock.h"
#include "holdfast/result.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A latch: threads wait until a count has come down to 0. It stays at 0. Rules of all headers: holdfast.h.
 *
 * Storage: 8 bytes, 8-aligned; all-zero is valid: a latch that nobody waits for. It need not be destroyed.
 * The only waiter may free it as soon as its wait has returned with a count of 0. With several waiters, it
 * may be freed when all their waits have returned. Calls of hf_latch_count_down may still be running, but no
 * other call. */
typedef struct hf_latch {
    uint32_t word __attribute__((aligned(8))); /* the count, and whether a thread waits */
    uint32_t reserved;
} hf_latch;

/* The largest count. */
#define HF_LATCH_MOST (UINT32_MAX >> 1)

/* Initialises it in any memory. Never blocks. Requires: count <= HF_LATCH_MOST; no other thread uses it
 * yet. */
void hf_latch_init(hf_latch *latch, uint32_t count);

/* Subtracts `by` from the count. Never blocks.
 * Returns HF_OK, or HF_OVERFLOW iff `by` is 0 or more than the count. */
hf_result hf_latch_count_down(hf_latch *latch, uint32_t by);

/* Never blocks. Returns the count; other threads may change it at any time. If it is 0, all that came
 * before the calls that counted down is visible. */
uint32_t hf_latch_count(const hf_latch *latch);

/* Blocks: until the count is 0. */
void hf_latch_wait(hf_latch *latch);

/* Blocks: until the count is 0, or deadline_ns. Returns HF_OK or HF_TIMEOUT. */
hf_result hf_latch_wait_until(hf_latch *latch, int64_t deadline_ns);

#ifdef __cplusplus
}
#endif
#endif
