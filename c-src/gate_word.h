/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_GATE_WORD_H
#define HOLDFAST_GATE_WORD_H

#include <stdbool.h>
#include <stdint.h>

#include "holdfast/gate.h"
#include "waiting.h"

/* The word of a gate, and pure functions from word to word. gate.c says when each change is made. */

#define USED ((uint64_t)HF_THREAD_MASK)
#define LARGE (UINT64_C(1) << HF_THREAD_BITS)
#define ASYNC_WAITERS (UINT64_C(1) << (HF_THREAD_BITS + 1))
#define SLEEPERS (UINT64_C(1) << (HF_THREAD_BITS + 2))
#define FLAGS (LARGE | ASYNC_WAITERS | SLEEPERS)

#define HEIR (USED << 32)
#define ASYNC_HEIR (UINT64_C(1) << (32 + HF_THREAD_BITS))
#define POLLS (UINT64_C(1) << (32 + HF_THREAD_BITS + 1))
#define RESERVED (UINT64_C(1) << (32 + HF_THREAD_BITS + 2))

/* The token of a waiter (waiting.h).
 *   bits 0-27   watched: the number of a call, a place or a senior that was there for a whole reservation;
 *               0: none. Up to HF__SLICES_MOST it counts the slices that a blocking thread slept in vain
 *   bit  28     of a blocking thread: it has been the successor in this wait
 *   bits 29-30  of a blocking thread: how often it was woken, or napped, in vain
 *   bit  29     of an event loop: it waits on `line` already
 *   bits 30-31  of an event loop: its rank, from how long it has waited */
enum { HF__NUMBER_BITS = HF_THREAD_BITS - 1 };
#define HF__NUMBER_MASK ((UINT32_C(1) << HF__NUMBER_BITS) - 1)
#define HF__TOKEN_WAS_HEIR (UINT32_C(1) << HF__NUMBER_BITS)
enum { HF__TOKEN_OVERTAKEN = HF_THREAD_BITS, HF__TOKEN_OVERTAKEN_MAX = 3 };
#define HF__TOKEN_LISTED (UINT32_C(1) << HF_THREAD_BITS)
enum { HF__TOKEN_AGE_SHIFT = HF_THREAD_BITS + 1 };
#define HF__TOKEN_AGE (UINT32_C(3) << HF__TOKEN_AGE_SHIFT)
#define HF__AGE_TAKES_OVER (UINT32_C(2) << HF__TOKEN_AGE_SHIFT) /* it has waited for 16 ms */

enum { NAPS_FROM = 1, OUT_OF_PATIENCE = HF__TOKEN_OVERTAKEN_MAX };

/* Called, not inlined: so the module is smaller. */
#define SHARED __attribute__((noinline, unused)) static

static inline uint32_t used_in(uint64_t word)
{
    return (uint32_t)(word & USED);
}

static inline uint32_t heir_of(uint64_t word)
{
    return (uint32_t)((word & HEIR) >> 32);
}

static inline uint64_t without_heir(uint64_t word)
{
    return word & ~(HEIR | ASYNC_HEIR | POLLS | RESERVED);
}

SHARED bool is_abandoned(uint64_t word, uint32_t capacity)
{
    return used_in(word) > capacity && hf__is_abandoned(used_in(word));
}

static inline bool has_room(uint64_t word, uint32_t amount, uint32_t capacity)
{
    return used_in(word) == 0 || used_in(word) + amount <= capacity;
}

/* Names a call by the successor and by how much is in use: only the successor enters, so its next call has
 * another number. An uncalled place has a number that none of its calls has. */
SHARED uint32_t number_of(uint64_t word)
{
    uint32_t number = (heir_of(word) ^ used_in(word) << (HF_THREAD_BITS / 2)) & HF_THREAD_MASK;
    /* Fold in the first bit, which tells JavaScript threads from others. */
    number = (number ^ number >> HF__NUMBER_BITS << (HF_THREAD_BITS / 2 - 1)) & HF__NUMBER_MASK;
    number ^= word & RESERVED ? 0 : HF__NUMBER_MASK >> 1;
    /* In a token, smaller numbers count slices. */
    return number > HF__SLICES_MOST ? number : HF__NUMBER_MASK - number;
}

/* I8: of a word that a thread could not pass: only an uncalled place was in its way. */
SHARED bool is_beside(uint64_t word, uint32_t amount, uint32_t capacity)
{
    return !(word & RESERVED) && has_room(word, amount, capacity);
}

/* I7 */
static inline bool is_heir(uint64_t word, uint32_t self, hf__kind kind)
{
    return heir_of(word) == self && !(word & ASYNC_HEIR) == (kind == HF__BLOCKING);
}

/* The successor did not come for a whole reservation. */
static inline bool is_late(uint64_t word, uint32_t watched)
{
    return word & RESERVED && number_of(word) == watched;
}

/* I1 */
static inline bool may_pass(uint64_t word, uint32_t self, hf__kind kind, uint32_t watched)
{
    return heir_of(word) == 0 || is_heir(word, self, kind) || is_late(word, watched);
}

static inline uint32_t overtaken_of(hf__token token)
{
    return (token & ~HF__WAIT_MORE) >> HF__TOKEN_OVERTAKEN;
}

/* I2: one that may have been woken on the lower half answers for the other sleepers. */
static inline uint64_t others_of(hf__kind kind, hf__token token)
{
    return kind == HF__BLOCKING && overtaken_of(token) ? SLEEPERS : 0;
}

/* The place is free then, whoever held it. */
static inline uint64_t after_pass(uint64_t word, hf__kind kind, uint64_t others, uint32_t amount,
                                  uint32_t capacity)
{
    uint64_t loop = kind == HF__BLOCKING ? 0 : POLLS; /* I12 */
    uint64_t next = (without_heir(word) | others | loop) + amount;
    if (heir_of(word) == 0 && !others) {
        return next;
    }
    if (has_room(next, 1, capacity)) {
        return next & ~FLAGS;
    }
    if (heir_of(word) == 0) {
        return next;
    }
    /* I5: a waiter claims the place now; later it would be the thread that has just left, which is awake. The
     * line comes first, but event loops do not follow each other. */
    bool async_only = (word & ASYNC_WAITERS) && !(word & ASYNC_HEIR);
    return next & ~(async_only ? ASYNC_WAITERS : ASYNC_WAITERS | SLEEPERS);
}

/* The successor is called, or anybody may pass. */
static inline uint64_t opened(uint64_t word)
{
    if (heir_of(word) == 0) {
        return word & ~(FLAGS | POLLS);
    }
    /* An event loop may be busy for long, so others must be awake to watch its call. A blocking successor is
     * late only if it has died; then the end of a sleeper's slice is soon enough. */
    return (word & ASYNC_HEIR ? word & ~FLAGS : word) | RESERVED;
}

static inline uint64_t after_claim(uint64_t word, uint32_t self, hf__kind kind, hf__token token)
{
    bool keeps = (token & HF__TOKEN_WAS_HEIR) || (heir_of(word) == 0 && (word & POLLS)); /* I12 */
    bool polls = kind == HF__BLOCKING ? keeps : kind == HF__POLLING;
    return without_heir(word) | (uint64_t)self << 32 | (kind == HF__BLOCKING ? 0 : ASYNC_HEIR) |
           (polls ? POLLS : 0);
}

/* What the word is when that amount is given back. */
static inline uint64_t after_leave(uint64_t word, uint32_t amount, uint32_t opens_at)
{
    uint64_t next = word - amount;
    return used_in(next) <= opens_at ? opened(next) : next;
}

#endif
