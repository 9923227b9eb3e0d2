/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include <stdbool.h>

#include "futex.h"
#include "gate.h"
#include "gate_word.h"

/* How a thread waits that blocks: it looks, naps and sleeps between its steps (gate.c). */

enum { SPINS_BEFORE_SLEEP = 100 };

/* What the lower half is for a writer that sleeps: nobody sets LARGE for a mutex. */
#define BEHIND_ONE_READER (SLEEPERS | LARGE | 1)

/* More than a semaphore has that is to keep cores busy. The others let readers in, who do not come while a
 * writer waits (npm run bench -- semaphore rwlock). */
enum { PERMITS_BY_CORES = 1023 };

/* A thread that was woken and overtaken naps twice before it claims the place: without a flag, so releases
 * cost no wake. The first nap is short, since the gate may open soon. */
#define FIRST_NAP_NS (HF_PATIENCE_NS / 5)

/* Each claimed turn costs switches and wakes. So of many C threads that wait for a mutex each is patient for
 * longer: with them, one claims about every 0.3 ms. Not all for the same time: those that were overtaken
 * together would claim together, and then nobody for long (docs/decisions/0027). */
enum { FEW_WAITERS = 4, MOST_SHARES = 16 };
#define SHARE_NS (40 * HF_MICROSECOND)

/* With a time limit it is patient for an eighth of that at most: it would give up before its turn. */
enum { LEAST_PATIENCES_IN_A_LIMIT = 8 };

/* 300 ms, by HF__SLICE_NS. */
enum { SLICES_BEFORE_PROBE = 4 };

/* After a short section the successor need not have slept. But where several may be inside, one of them may
 * be waiting for this core. */
static inline bool turn_comes_soon(const hf__gate *gate, uint32_t self, uint32_t capacity)
{
    if (capacity > 1 && capacity <= PERMITS_BY_CORES) {
        return false;
    }
    return hf__changes_soon(&gate->word, 32, (uint32_t)((HEIR | RESERVED) >> 32), self);
}

static inline uint32_t slices_of(hf__token token)
{
    uint32_t watched = token & HF__NUMBER_MASK;
    return watched > HF__SLICES_MOST ? 0 : watched;
}

/* In the module, and in memory that processes share, a waiter may die, and would be counted for ever. */
static inline bool is_counted(uint32_t capacity, uint32_t overtaken)
{
#if defined(HF__MODULE) || defined(HF_PROCESS_SHARED)
    (void)capacity;
    (void)overtaken;
    return false;
#else
    return capacity == HF__GATE_FOR_ONE && overtaken < OUT_OF_PATIENCE;
#endif
}

/* `seed` differs from waiter to waiter. */
static inline int64_t patience_ns(uint32_t waiters, uint32_t seed, int64_t limit_ns)
{
    uint32_t further = waiters > FEW_WAITERS ? waiters - FEW_WAITERS : 0;
    uint64_t longer = (uint64_t)further * (1 + seed % MOST_SHARES) * SHARE_NS;
    uint64_t most = (uint64_t)limit_ns / LEAST_PATIENCES_IN_A_LIMIT; /* a negative limit is none */
    most = most < HF__SLICE_NS ? most : HF__SLICE_NS;
    uint64_t patience = HF_PATIENCE_NS + longer < most ? HF_PATIENCE_NS + longer : most;
    return patience > HF_PATIENCE_NS ? (int64_t)patience : HF_PATIENCE_NS;
}

static inline int64_t slice_ns(hf__outcome step, uint32_t overtaken, uint32_t slices, int64_t patience)
{
    if (hf__next_in(step) == HF__WAIT_BESIDE) {
        return HF_BESIDE_NS;
    }
    if (step >> HF__OUTCOME_WATCHED) {
        bool polls = (step >> HF__OUTCOME_IS_LONG) & 1;
        return polls ? HF_POLLED_RESERVATION_NS : HF_RESERVATION_NS;
    }
    if (overtaken >= OUT_OF_PATIENCE) {
        return hf__slice_ns(slices);
    }
    if (overtaken < NAPS_FROM) {
        return patience;
    }
    return overtaken == NAPS_FROM ? FIRST_NAP_NS : patience - FIRST_NAP_NS;
}

/* May fail although there is room, if another thread changes the word meanwhile. */
static inline bool passes_at_once(hf__gate *gate, uint32_t self, uint32_t amount, uint32_t capacity)
{
    uint64_t word = hf__load64_rlx(&gate->word);
    bool is_open = heir_of(word) == 0 && has_room(word, amount, capacity);
    bool passes = is_open && hf__cas64_acq(&gate->word, word, (word & ~LOOP_PASSED) + amount); /* [A1] */
    if (passes) {
        hf__gate_passed(gate, self, amount, capacity);
    }
    return passes;
}

static inline hf_result give_up(hf__gate *gate, uint32_t self, hf__token token, uint32_t amount,
                                uint32_t capacity)
{
    /* I2: the token still says whether it answers for other sleepers. */
    uint64_t word = hf__gate_pass_now(gate, self, HF__BLOCKING, token & ~HF__NUMBER_MASK, amount, capacity);
    if (word == 0) {
        return HF_OK;
    }
    hf__gate_withdraw(gate, self, HF__BLOCKING, token, capacity);
    return is_abandoned(word, capacity) ? HF_ABANDONED : HF_TIMEOUT;
}

__attribute__((noinline)) uint32_t hf__gate_wait(hf__gate *gate, uint32_t self, hf__token token,
                                                 int64_t limit_ns, uint32_t amount, uint32_t capacity)
{
    if (limit_ns == 0) {
        return give_up(gate, self, token, amount, capacity);
    }
    for (int look = token == 0 ? 0 : SPINS_BEFORE_SLEEP; look != SPINS_BEFORE_SLEEP; look += 1) {
        if (passes_at_once(gate, self, amount, capacity)) {
            return HF_OK;
        }
    }
    hf__outcome step = hf__gate_step(gate, self, HF__BLOCKING, token, amount, capacity);
    if (hf__next_in(step) == HF__DONE) {
        if ((uint32_t)step == HF_ABANDONED) {
            hf__gate_withdraw(gate, self, HF__BLOCKING, token, capacity);
        }
        return (uint32_t)step;
    }
    bool is_heir_now = hf__next_in(step) == HF__WAIT_TURN;
    uint32_t overtaken = overtaken_of(token);
    uint32_t *half = is_heir_now ? hf__high_half(&gate->word) : hf__low_half(&gate->word);
    uint32_t slices = slices_of(token);
    bool counts = is_counted(capacity, overtaken);
    int64_t patience = HF_PATIENCE_NS;
    if (counts) {
        patience = patience_ns(hf__add_rlx(&gate->own, 1), (uint32_t)step ^ self, limit_ns);
    }
    int64_t slice = slice_ns(step, overtaken, slices, patience);
    bool cut_short = (uint64_t)limit_ns < (uint64_t)slice; /* a negative limit is none */
    hf__wait_result woken = HF__CHANGED;
    bool may_spin = overtaken == 0 && !cut_short;
    bool spins = may_spin && amount > capacity && (uint32_t)step == BEHIND_ONE_READER; /* I13 */
    if (spins && hf__changes_soon(&gate->word, 0, HF_THREAD_MASK, 1)) {
        woken = HF__WOKEN;
    } else if (!is_heir_now || slices > 0 || !turn_comes_soon(gate, self, capacity)) {
        woken = hf__wait(half, (uint32_t)step, cut_short ? limit_ns : slice);
    }
    if (counts) {
        hf__add_rlx(&gate->own, UINT32_MAX);
    }
    bool outlasted = woken == HF__TIMED_OUT && !cut_short;
    uint32_t watched = outlasted ? (uint32_t)(step >> HF__OUTCOME_WATCHED) : 0;
    if (overtaken == OUT_OF_PATIENCE) {
        watched = outlasted && watched == 0 ? hf__one_slice_more(slices) : watched;
    } else if (woken != HF__CHANGED) {
        bool patience_over = woken == HF__TIMED_OUT && overtaken < NAPS_FROM;
        overtaken = patience_over ? OUT_OF_PATIENCE : overtaken + 1;
    }
    uint32_t was_next = is_heir_now ? HF__TOKEN_WAS_HEIR : token & HF__TOKEN_WAS_HEIR;
    return HF__WAIT_MORE | overtaken << HF__TOKEN_OVERTAKEN | was_next | watched;
}

uint32_t hf__gate_enter(hf__gate *gate, uint32_t self, uint32_t amount, uint32_t capacity)
{
    uint32_t result = 0;
    do {
        result = hf__gate_wait(gate, self, result, -1, amount, capacity);
    } while (result & HF__WAIT_MORE && slices_of(result) < SLICES_BEFORE_PROBE);
    return result;
}

bool hf__gate_pass_at_once(hf__gate *gate, uint32_t self, uint32_t amount, uint32_t capacity)
{
    return passes_at_once(gate, self, amount, capacity);
}

hf_result hf__gate_enter_until(hf__gate *gate, uint32_t self, uint32_t amount, uint32_t capacity,
                               int64_t deadline_ns)
{
    /* Reading the clock takes longer than passing (npm run bench -- semaphore rwlock). */
    if (passes_at_once(gate, self, amount, capacity)) {
        return HF_OK;
    }
    uint32_t result = 0;
    do {
        hf__gate_probe_owner(gate, capacity, slices_of(result) >= SLICES_BEFORE_PROBE);
        result = hf__gate_wait(gate, self, result, hf__left(deadline_ns), amount, capacity);
    } while (result & HF__WAIT_MORE);
    return (hf_result)result;
}
