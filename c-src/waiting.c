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

static inline bool is_still(const uint64_t *word, uint32_t shift, uint32_t mask, uint32_t expected)
{
    return ((uint32_t)(hf__load64_rlx(word) >> shift) & mask) == expected;
}

/* A thread spins about as long as a sleep and a wake take (npm run bench -- handoff). So spinning costs at
 * most twice the better choice (A. Karlin et al., "Empirical studies of competitive spinning", 1991). The module has
 * no clock, so it counts. */
enum { SPINS_FOR_A_CHANGE = 25000 };

#ifdef __wasm__
__attribute__((noinline)) bool hf__changes_soon(const uint64_t *word, uint32_t shift, uint32_t mask,
                                                uint32_t expected)
{
    uint32_t spins_left = SPINS_FOR_A_CHANGE;
    do {
        if (!is_still(word, shift, mask, expected)) {
            return true;
        }
        spins_left -= 1;
    } while (spins_left > 0);
    return false;
}
#else
#define SPIN_NS (50 * HF_MICROSECOND)
enum { SPINS_A_READING = 16 }; /* spins between two readings of the clock */

/* Pauses, leaving more of the core to its other hardware thread. Some processors take 10 times as long for a
 * pause as others, so a clock ends the spinning, not a count (docs/decisions/0003). */
static inline void pause_core(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ __volatile__("isb"); /* "yield" does nothing on most of these processors */
#endif
}

bool hf__changes_soon(const uint64_t *word, uint32_t shift, uint32_t mask, uint32_t expected)
{
    const int64_t end_ns = hf_now_ns() + SPIN_NS;
    do {
        for (int look = 0; look < SPINS_A_READING; look += 1) {
            if (!is_still(word, shift, mask, expected)) {
                return true;
            }
            pause_core();
        }
    } while (hf_now_ns() < end_ns);
    return false;
}
#endif

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
    bool cut_short = (uint64_t)limit_ns < (uint64_t)slice; /* negative: no limit */
    hf__wait_result woken = hf__wait(word, (uint32_t)step, cut_short ? limit_ns : slice);
    bool slept_through = woken == HF__TIMED_OUT && !cut_short;
    return HF__WAIT_MORE | (slept_through ? hf__one_slice_more(slices) : 0);
}
