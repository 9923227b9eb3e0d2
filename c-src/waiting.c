/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include "waiting.h"

#include "futex.h"
#include "holdfast/atomic.h"
#include "holdfast/result.h"

__attribute__((noinline)) int64_t hf__slice_ns(uint32_t slices)
{
    return slices < HF__SLICES_MOST ? HF__SLICE_NS << slices : hf__longest_slice_ns(hf__asleep());
}

__attribute__((noinline)) uint32_t hf__one_slice_more(uint32_t slices)
{
    return slices < HF__SLICES_MOST ? slices + 1 : slices;
}

/* They take about 50 us, as long as a sleep and a wake (npm run bench -- handoff), so they cost at most twice
 * the better choice (A. Karlin et al., "Empirical studies of competitive spinning", 1991). */
enum { LOOKS_FOR_A_CHANGE = 25000 };

__attribute__((noinline)) bool hf__changes_soon(const uint64_t *word, uint32_t shift, uint32_t mask,
                                                uint32_t expected)
{
    uint32_t looks_left = LOOKS_FOR_A_CHANGE;
    do {
        if (((uint32_t)(hf__load64_rlx(word) >> shift) & mask) != expected) {
            return true;
        }
        looks_left -= 1;
    } while (looks_left > 0);
    return false;
}

__attribute__((noinline)) uint32_t hf__wait_once(uint32_t *word, hf__outcome step, uint32_t before,
                                                 int64_t limit_ns)
{
    if (step == HF__DONE) {
        return HF_OK;
    }
    if (limit_ns == 0) {
        return HF_TIMEOUT;
    }
    uint32_t slices = before & ~HF__WAIT_MORE;
    int64_t slice = hf__slice_ns(slices);
    bool cut_short = (uint64_t)limit_ns < (uint64_t)slice; /* a negative limit is none */
    hf__wait_result woken = hf__wait(word, (uint32_t)step, cut_short ? limit_ns : slice);
    bool in_vain = woken == HF__TIMED_OUT && !cut_short;
    return HF__WAIT_MORE | (in_vain ? hf__one_slice_more(slices) : 0);
}
