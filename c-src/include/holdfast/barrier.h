/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_BARRIER_H
#define HOLDFAST_BARRIER_H

#include <stdint.h>

#include "holdfast/bool.h"
#include "holdfast/clock.h"
#include "holdfast/result.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A barrier: a number of threads wait until all of them have arrived, round after round. A thread that
 * arrives early in the next round waits for the others there. A thread that dies while it waits counts as
 * arrived. Rules of all headers: holdfast.h.
 *
 * Storage: 16 bytes, 8-aligned; all-zero is valid: a barrier of one thread, at which nobody waits. It may
 * be freed or initialised again after hf_barrier_destroy, or when all calls have returned.
 *
 * Cost: a waiting thread spins for about 50 us, and then sleeps. If spinning does not help, since rounds take
 * longer or there are more threads than cores, nearly all rounds go without it.
 *
 * Completion (as in C++'s std::barrier<F>): a parameter of the calls, since the object contains no pointer.
 *
 * Source: a counter and a round number in one word, the sense-reversing barrier (J. Mellor-Crummey, M.
 * Scott, "Algorithms for scalable synchronization", 1991) with a number in place of the sense. */
typedef struct hf_barrier {
    uint64_t word __attribute__((aligned(8))); /* the round, its threads, arrivals and sleepers */
    uint32_t inside;                           /* how many C threads will still touch it */
    uint32_t pause;                            /* how long to skip spinning before a sleep; see barrier.c */
} hf_barrier;

/* Not for users: the bit at which the number of threads, less 1, begins in the word. */
enum { HF__BARRIER_PARTIES_AT = 32 };

/* The most threads. */
#define HF_BARRIER_MOST ((UINT32_C(1) << 16) - 1)

/* Initialises it in any memory, for `parties` threads. Never blocks. Requires: 1 <= parties <=
 * HF_BARRIER_MOST; no other thread uses it yet. */
void hf_barrier_init(hf_barrier *barrier, uint32_t parties);

/* Arrives, and waits for the others.
 * Blocks: until all have arrived.
 * Returns whether the caller was the last; that is one thread of each round. */
hf_bool hf_barrier_arrive_and_wait(hf_barrier *barrier);

/* As hf_barrier_arrive_and_wait, but gives up at deadline_ns. On timeout: the arrival is taken back.
 * Returns HF_OK, HF_TIMEOUT, or HF_DONE iff the caller was the last. */
hf_result hf_barrier_arrive_and_wait_until(hf_barrier *barrier, int64_t deadline_ns);

/* A completion, as of C++'s std::barrier: the last thread of a round runs it before any thread is let
 * through, itself included. It sees what all threads did before they arrived, and all see what it did. It
 * must return, and must not use the barrier.
 * Requires, of a barrier with a completion:
 * - All C threads pass it in each of their calls.
 * - No more threads arrive in a round than the barrier is for: else several may run the completion, even at
 *   once.
 * - No thread gives up (hf_barrier_arrive_and_wait_until): else the completion may run twice in that round,
 *   or miss what a thread did that gave up and came again.
 * - No JavaScript thread takes part: as the last one it would run none. */
typedef struct hf_barrier_completion {
    void (*run)(void *argument);
    void *argument;
} hf_barrier_completion;

/* As hf_barrier_arrive_and_wait; `completion` may be NULL: none. */
hf_bool hf_barrier_arrive_and_wait_with(hf_barrier *barrier, const hf_barrier_completion *completion);

/* The round in which a thread has arrived. */
typedef uint32_t hf_barrier_token;

/* Arrives, and does not wait. Never blocks, but for the completion (NULL: none).
 * Returns a token, to wait with or not. The arrival stays. */
hf_barrier_token hf_barrier_arrive(hf_barrier *barrier, const hf_barrier_completion *completion);

/* Arrives in this round, and leaves the barrier: later rounds are for one thread fewer. Never blocks, but for
 * the completion (NULL: none). A thread that has not arrived in this round may call it. The last thread that
 * drops leaves a barrier of one thread. */
void hf_barrier_arrive_and_drop(hf_barrier *barrier, const hf_barrier_completion *completion);

/* Waits until the round of the token is over.
 * Blocks: until then. Any thread that may block may call it, any number of times. */
void hf_barrier_wait(hf_barrier *barrier, hf_barrier_token token);

/* As hf_barrier_wait, but gives up at deadline_ns. On timeout: the arrival stays; the caller may wait
 * again. Returns HF_OK or HF_TIMEOUT. */
hf_result hf_barrier_wait_until(hf_barrier *barrier, hf_barrier_token token, int64_t deadline_ns);

/* Waits until all C threads that were let through are out of it. After that it may be freed or initialised
 * again. As with pthread, any thread whose own wait has returned may call this, while others are about to
 * return.
 * Blocks: until each of these threads, which are woken already, has run once more; for ever if one died in
 * the barrier, because its worker was terminated. A page may call it (holdfast.h).
 * Requires: nobody arrives any more, nor waits in a round that is not over; one thread at a time destroys
 * it. A thread that has a token and has not begun to wait with it is not waited for. Nor are JavaScript
 * threads: their waits must have ended. */
void hf_barrier_destroy(hf_barrier *barrier);

/* As hf_barrier_destroy, but gives up at deadline_ns: for programs that terminate workers.
 * Returns HF_OK, or HF_TIMEOUT: a thread is still inside, perhaps a dead one. */
hf_result hf_barrier_destroy_until(hf_barrier *barrier, int64_t deadline_ns);

#ifdef __cplusplus
}
#endif
#endif
