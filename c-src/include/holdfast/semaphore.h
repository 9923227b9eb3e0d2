/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_SEMAPHORE_H
#define HOLDFAST_SEMAPHORE_H

#include <stdbool.h>
#include <stdint.h>

#include "holdfast/gate.h"
#include "holdfast/result.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A semaphore: a number of permits, which threads take (enter) and give back (leave). It has no owner: a
 * permit may be given back by another thread than the one that took it. It may be used from C and, through
 * the glue, from JavaScript at the same time, on the page too.
 *
 *   static hf_semaphore seats;
 *   hf_semaphore_init(&seats, 5, 5);
 *
 *   hf_semaphore_enter(&seats, 1);
 *   // at most 5 threads are here
 *   hf_semaphore_leave(&seats, 1);
 *
 * Storage: 16 bytes, 8-aligned; all-zero is valid: a binary semaphore whose permit nobody has. It need not be
 * destroyed, and may be freed by the thread that left it last.
 *
 * Cost: without contention one atomic read-modify-write to enter and one to leave; no system call, no wake.
 *
 * Fairness: as of a mutex (gate.h). One who waits for many permits becomes the successor like others, and
 * nobody takes any before it then, so it is not starved by those who want one. */
typedef struct hf_semaphore {
    hf__gate gate; /* in use: permits taken; its own word: the most permits, less 1 */
} hf_semaphore;

/* The most permits that a semaphore may have. */
#define HF_SEMAPHORE_MOST HF_THREAD_MASK

/* Makes one of any memory. Requires: 1 <= max <= HF_SEMAPHORE_MOST, initial <= max, and that no other thread
 * knows the semaphore yet.
 * Never blocks. */
void hf_semaphore_init(hf_semaphore *semaphore, uint32_t initial, uint32_t max);

/* Takes permits.
 * Blocks: until so many are free, without limit. Requires: a thread that may block (not a browser's page).
 * Returns HF_OK, or HF_OVERFLOW iff permits is 0 or more than max. */
hf_result hf_semaphore_enter(hf_semaphore *semaphore, uint32_t permits);

/* Takes permits if that is possible at once. Never blocks; safe in an audio callback.
 * Returns HF_OK, HF_OVERFLOW as above, or HF_BUSY iff too few are free, or they are reserved for another. As
 * with hf_mutex_trylock, a reservation of a dead thread lasts until some thread waits. */
hf_result hf_semaphore_tryenter(hf_semaphore *semaphore, uint32_t permits);

/* Takes permits, but gives up at deadline_ns (on hf_now_ns()).
 * Blocks: until then. Requires: a thread that may block.
 * On timeout: nothing is taken. Free permits are taken even after the deadline.
 * Returns HF_OK, HF_TIMEOUT, or HF_OVERFLOW as above. */
hf_result hf_semaphore_enter_until(hf_semaphore *semaphore, uint32_t permits, int64_t deadline_ns);

/* Gives permits back, or makes some, up to max. Never blocks.
 * Returns HF_OK, or HF_OVERFLOW iff permits is 0 or there would be more than max; nothing is changed then. */
hf_result hf_semaphore_leave(hf_semaphore *semaphore, uint32_t permits);

/* Never blocks. Returns how many permits are free. It may be late: others enter and leave meanwhile. */
uint32_t hf_semaphore_value(const hf_semaphore *semaphore);

/* Never blocks. Returns the most permits that it may have. */
uint32_t hf_semaphore_max(const hf_semaphore *semaphore);

#ifdef __cplusplus
}
#endif
#endif
