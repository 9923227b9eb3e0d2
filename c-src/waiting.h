/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_WAITING_H
#define HOLDFAST_WAITING_H

#include <stdbool.h>
#include <stdint.h>

#include "futex.h"
#include "holdfast/clock.h"
#include "holdfast/thread.h"

typedef enum hf__kind {
    HF__BLOCKING = 0, /* sleeps on a word */
    HF__ASYNC = 1,    /* an event loop, with waitAsync */
    HF__POLLING = 2,  /* an event loop that polls, or whose jobs have no pauses */
} hf__kind;

/* A waiter's knowledge from its earlier steps; at first 0. Its bits are in gate_word.h. */
typedef uint32_t hf__token;

typedef enum hf__next {
    HF__DONE = 0,
    HF__WAIT_TURN = 1,   /* on the word; of a gate, on its upper half */
    HF__WAIT_LINE = 2,   /* a blocking thread: on the lower half; an event loop: on `line`; if it has no
                            entry there yet, it arms one and then makes one more step */
    HF__WAIT_BESIDE = 3, /* waits as with HF__WAIT_LINE, but watches a slot or the oldest waiter,
                            not a reservation (gate.h) */
} hf__next;

/* The outcome of a step.
 *   bits 0-31   wait while the word has this value; with HF__DONE an hf_result, HF_OK or HF_ABANDONED
 *   bits 32-33  hf__next
 *   bit  34     the reservation to watch is the longer one
 *   bits 35-63  the number to watch (gate.h); 0: none */
typedef uint64_t hf__outcome;
enum { HF__OUTCOME_NEXT = 32, HF__OUTCOME_NEXT_MASK = 3, HF__OUTCOME_IS_LONG = 34, HF__OUTCOME_WATCHED = 35 };

static inline hf__outcome hf__wait_for(hf__next next, uint32_t expected)
{
    return expected | (uint64_t)next << HF__OUTCOME_NEXT;
}

static inline hf__next hf__next_in(hf__outcome step)
{
    return (hf__next)((step >> HF__OUTCOME_NEXT) & HF__OUTCOME_NEXT_MASK);
}

/* Set in a result: the caller has to call again, with this result as its token or count. */
#define HF__WAIT_MORE (UINT32_C(1) << 31)

/* The longest wait without a step: a wake may have gone to a thread that died. Slices double while no wake
 * comes, so that sleeping threads cost little (npm run bench -- idle). With more than 500 sleepers the
 * longest slice grows, so that together they step at most 500 times a second. */
#define HF__SLICE_NS (20 * HF_MILLISECOND)
#define HF__LONGEST_SLICE_NS (1000 * HF_MILLISECOND)
#define HF__WAKE_OF_EACH_NS (2 * HF_MILLISECOND)

/* After this many slices, each is the longest. */
enum { HF__SLICES_MOST = 6 };

static inline int64_t hf__longest_slice_ns(uint32_t asleep)
{
    int64_t all_ns = asleep * HF__WAKE_OF_EACH_NS;
    return all_ns > HF__LONGEST_SLICE_NS ? all_ns : HF__LONGEST_SLICE_NS;
}

/* `slices` counts slices without a wake. hf__slice_ns returns the length of the next slice,
 * hf__one_slice_more the count after it. */
int64_t hf__slice_ns(uint32_t slices);
uint32_t hf__one_slice_more(uint32_t slices);

/* Spins until the bits of `mask` in the word, shifted right, differ from `expected`, but no longer than a
 * sleep and a wake take (natively 50 us). No memory order. Returns whether they differ. */
bool hf__changes_soon(const uint64_t *word, uint32_t shift, uint32_t mask, uint32_t expected);

/* Blocks: unless the step is HF__DONE, waits on `word`, for a slice or at most limit_ns (negative: no limit;
 * 0: not at all). `before` is what the last call in this wait returned, 0 at first. Returns HF_OK iff the
 * step is done, HF_TIMEOUT iff limit_ns is 0, or HF__WAIT_MORE with the count of slices. */
uint32_t hf__wait_once(uint32_t *word, hf__outcome step, uint32_t before, int64_t limit_ns);

/* Each function that may block a C thread calls hf__thread_will_block first. In an Emscripten program it
 * aborts in a thread that must not block (the page, an audio worklet), and its message names the call to make
 * instead. With a host (host.h) it traps. Both happen even if the call would not block this time, which
 * depends on other threads. */
#define HF__CALL(instead) "holdfast: this thread must not block: call " instead
#if defined(HF__EMSCRIPTEN_PROGRAM) || defined(HF__HOST)
static inline bool hf__thread_may_abort(void)
{
    return !hf__thread_id_to_block;
}

static inline void hf__thread_will_block(const char *message)
{
    if (hf__thread_may_abort()) {
        hf__thread_blocks_first(message);
    }
}
#else
static inline bool hf__thread_may_abort(void)
{
    return false;
}

static inline void hf__thread_will_block(const char *message)
{
    (void)message;
}
#endif

static inline uint32_t *hf__low_half(uint64_t *word)
{
    return (uint32_t *)word + (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
}

static inline uint32_t *hf__high_half(uint64_t *word)
{
    return (uint32_t *)word + (__BYTE_ORDER__ != __ORDER_BIG_ENDIAN__);
}

#endif
