/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_SEMAPHORE_H
#define HOLDFAST_SEMAPHORE_H

#include <stdint.h>

#include "holdfast/gate.h"
#include "holdfast/result.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A semaphore: a number of permits. A thread gets permits (enter) and gives them back (leave). A semaphore
 * has no owner: any thread may give a permit back. Rules of all headers: holdfast.h.
 *
 *   static hf_semaphore seats;
 *   hf_semaphore_init(&seats, 5, 5);
 *
 *   hf_semaphore_enter(&seats, 1);
 *   // at most 5 threads are here
 *   hf_semaphore_leave(&seats, 1);
 *
 * Storage: 16 bytes, 8-aligned; all-zero is valid: one permit, which is free. It need not be destroyed. It
 * may be freed while no call runs, except a hf_semaphore_leave whose permits were already acquired. So a
 * thread that has taken the last permits may free it at once.
 *
 * Cost: without contention one atomic read-modify-write to enter and one to leave; no system call, no wake.
 *
 * Fairness: as of a mutex for which few wait (gate.h). A thread that waits for many permits becomes the
 * heir like any other. No other thread gets permits then, so threads that ask for one permit do not starve
 * it. */
typedef struct hf_semaphore {
    hf__gate gate; /* in use: permits that are not free; `own`: the most permits, less 1 */
} hf_semaphore;

/* The most permits that a semaphore may have. */
#define HF_SEMAPHORE_MOST HF_THREAD_MASK

/* Initialises it in any memory, with `initial` free permits of at most `max`. Never blocks.
 * Requires: 1 <= max <= HF_SEMAPHORE_MOST, initial <= max; no other thread uses it yet. */
void hf_semaphore_init(hf_semaphore *semaphore, uint32_t initial, uint32_t max);

/* Gets permits, all of them at once.
 * Blocks: until so many are free.
 * Returns HF_OK, or HF_OVERFLOW iff permits is 0 or more than max. */
hf_result hf_semaphore_enter(hf_semaphore *semaphore, uint32_t permits);

/* Gets permits if that is possible at once. Never blocks; may be called in an audio callback too.
 * Returns HF_OK, HF_OVERFLOW as above, or HF_BUSY iff too few are free, or they are reserved for a waiter
 * (hf_mutex_trylock says for how long). */
hf_result hf_semaphore_tryenter(hf_semaphore *semaphore, uint32_t permits);

/* As hf_semaphore_enter, but gives up at deadline_ns: HF_TIMEOUT. */
hf_result hf_semaphore_enter_until(hf_semaphore *semaphore, uint32_t permits, int64_t deadline_ns);

/* Gives permits back, or adds permits, up to max. Never blocks.
 * Returns HF_OK, or HF_OVERFLOW iff permits is 0 or more than max would be free. Even then the next thread
 * that enters sees what came before this call. */
hf_result hf_semaphore_leave(hf_semaphore *semaphore, uint32_t permits);

/* Never blocks. Returns how many permits are free; other threads may change that at any time. */
uint32_t hf_semaphore_value(const hf_semaphore *semaphore);

/* Never blocks. Returns the most permits that may be free. */
uint32_t hf_semaphore_max(const hf_semaphore *semaphore);

#ifdef __cplusplus
}
#endif
#endif
