/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include "latch.h"

#include "futex.h"
#include "holdfast/atomic.h"

/* STATES      n --count down by m <= n [R1]--> n - m ... --count down [R1]: wakes all--> 0, for ever
 *             The word has the count and LATCH_WAITERS: threads may wait on the word.
 * INVARIANTS  I1  The count never grows.
 *             I2  The last count down clears LATCH_WAITERS and wakes all: a count of 0 is all zero.
 *             I3  A thread sleeps only for a value with LATCH_WAITERS, which the last count down changes
 *                 before it wakes.
 * ORDERS      A1  load in step       acq  R1  what comes after the wait comes after every count
 *             R1  cas in count_down  rel  A1  each continues the release sequences of the earlier ones
 *             A load of 0 is enough, since the count stays 0. A refused count down returns after a load: it
 *             counts nothing, so no thread waits for what came before it.
 * CHECKED     models/ on the shipped bytes; tests/native/latch_*.c */

#define LATCH_WAITERS (UINT32_C(1) << 31)

void hf_latch_init(hf_latch *latch, uint32_t count)
{
    hf__store_rlx(&latch->word, count);
    hf__store_rlx(&latch->reserved, 0);
}

hf_result hf_latch_count_down(hf_latch *latch, uint32_t by)
{
    uint32_t word;
    uint32_t next;
    do {
        word = hf__load_rlx(&latch->word);
        uint32_t count = word & ~LATCH_WAITERS;
        if (by == 0 || by > count) {
            return HF_OVERFLOW;
        }
        next = by == count ? 0 : word - by;
    } while (!hf__cas_rel(&latch->word, word, next)); /* [R1] */
    if (word & ~next & LATCH_WAITERS) {
        hf__wake(&latch->word, HF__WAKE_ALL);
    }
    return HF_OK;
}

uint32_t hf_latch_count(const hf_latch *latch)
{
    return hf__load_acq(&latch->word) & ~LATCH_WAITERS; /* [A1] */
}

__attribute__((noinline)) hf__outcome hf__latch_step(hf_latch *latch)
{
    for (;;) {
        uint32_t word = hf__load_acq(&latch->word); /* [A1] */
        if (word == 0) {
            return HF__DONE;
        }
        if ((word & LATCH_WAITERS) || hf__cas_rlx(&latch->word, word, word | LATCH_WAITERS)) {
            return hf__wait_for(HF__WAIT_TURN, word | LATCH_WAITERS);
        }
    }
}

uint32_t hf__latch_wait(hf_latch *latch, uint32_t before, int64_t limit_ns)
{
    return hf__wait_once(&latch->word, hf__latch_step(latch), before, limit_ns);
}

hf_result hf_latch_wait_until(hf_latch *latch, int64_t deadline_ns)
{
    hf__thread_will_block(HF__CALL("hf_latch_wait_async"));
    uint32_t result = 0;
    do {
        result = hf__latch_wait(latch, result, hf__left(deadline_ns));
    } while (result & HF__WAIT_MORE);
    return (hf_result)result;
}

void hf_latch_wait(hf_latch *latch)
{
    hf_latch_wait_until(latch, HF_FOREVER);
}
