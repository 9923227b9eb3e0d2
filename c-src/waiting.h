/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_WAITING_H
#define HOLDFAST_WAITING_H

#include <stdint.h>

#include "holdfast/clock.h"

/* What every primitive's step comes to: it has done what was asked for, or says where to wait. */
typedef enum hf__next {
    HF__DONE = 0,
    HF__WAIT_TURN = 1,   /* on the primitive's own word, while it has the expected value */
    HF__WAIT_QUEUE = 2,  /* among all who wait: a blocking thread on the other half of the word; an event loop
                            enters the queue of `line`, and steps again then */
    HF__WAIT_BESIDE = 3, /* the same, but what is watched is a place (gate.h) */
} hf__next;

/*   bits 0-31   the value of the word to wait for a change of
 *   bits 32-33  hf__next
 *   bit  34     the thread whose call is watched comes late
 *   bits 35-63  the watched call, or place (gate.h); 0: none */
typedef uint64_t hf__outcome;
enum { HF__OUTCOME_NEXT = 32, HF__OUTCOME_NEXT_MASK = 3, HF__OUTCOME_POLLS = 34, HF__OUTCOME_WATCHED = 35 };

static inline hf__outcome hf__wait_for(hf__next next, uint32_t expected)
{
    return expected | (uint64_t)next << HF__OUTCOME_NEXT;
}

static inline hf__next hf__next_in(hf__outcome step)
{
    return (hf__next)((step >> HF__OUTCOME_NEXT) & HF__OUTCOME_NEXT_MASK);
}

/* The result of a blocking call that has waited once, and of which another one must come. */
#define HF__WAIT_MORE (UINT32_C(1) << 31)

/* No wake needs the limit of a slice. It rescues a waiter whose wake went to a thread that died of it. Slices
 * double while a thread waits in vain, since a thousand that sleep would else keep a processor busy: so it
 * looks again before it has waited twice as long as it had, and at least once a second, unless more than
 * 2,500 threads sleep: all of them together look 2,500 times a second at most. */
#define HF__SLICE_NS (20 * HF_MILLISECOND)
#define HF__LONGEST_SLICE_NS (1000 * HF_MILLISECOND)
#define HF__LOOK_OF_EACH_NS (400 * HF_MICROSECOND)

/* How many slices in a row nothing came of; what comes after so many is the longest. */
enum { HF__SLICES_MOST = 6 };

/* Returns how long the longest slice is while so many threads sleep. */
static inline int64_t hf__longest_slice_ns(uint32_t asleep)
{
    int64_t all_ns = asleep * HF__LOOK_OF_EACH_NS;
    return all_ns > HF__LONGEST_SLICE_NS ? all_ns : HF__LONGEST_SLICE_NS;
}

/* Returns how long the next slice is after so many, and how many it then was. */
int64_t hf__slice_ns(uint32_t slices);
uint32_t hf__one_slice_more(uint32_t slices);

/* Blocks: waits once on `word`, if the step did not come to HF__DONE, for a slice or at most limit_ns
 * (negative: no limit of the caller's; 0: does not wait). `before` is what it returned the last time in this
 * wait, 0 at first. Returns HF_OK iff the step was done, HF_TIMEOUT iff the limit is 0, or HF__WAIT_MORE with
 * the number of slices. */
uint32_t hf__wait_once(uint32_t *word, hf__outcome step, uint32_t before, int64_t limit_ns);

/* What is left of the time to a deadline. */
static inline int64_t hf__left(int64_t deadline_ns)
{
    if (deadline_ns == HF_FOREVER) {
        return HF_FOREVER; /* reading the clock is a call out of the module */
    }
    int64_t now_ns = hf_now_ns();
    return now_ns < deadline_ns ? deadline_ns - now_ns : 0;
}

/* The halves of a word, for waits. */
static inline uint32_t *hf__low_half(uint64_t *word)
{
    return (uint32_t *)word + (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
}

static inline uint32_t *hf__high_half(uint64_t *word)
{
    return (uint32_t *)word + (__BYTE_ORDER__ != __ORDER_BIG_ENDIAN__);
}

#endif
