/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include <stdbool.h>

#include "futex.h"
#include "gate.h"
#include "gate_word.h"

/* How a blocking thread waits between its steps (gate.c).
 *
 * It spins for a moment. Then it is patient: it sleeps for HF_PATIENCE_NS, or at a gate for one until a release
 * wakes it. If it is woken and overtaken, it naps twice, in the second nap without a flag, so that releases cost no
 * wake. Then it claims the slot. It sleeps as the heir, or, if another waiter has the slot, in slices that grow while
 * no wake comes. The token carries this from one call to the next.
 *
 * Of the waiters of a mutex one naps without a flag, and the others sleep behind it, with no flag either. When it
 * passes as the heir, it wakes the next one, which then naps. So a mutex that threads lock again and again is handed
 * over about once in HF_PATIENCE_NS, however many wait, and the sleepers come in their order (docs/decisions/0003). A
 * mutex that its waiters find free is not: each that passes leaves SLEEPERS, and each release wakes the next.
 *
 * ORDERS      A1  cas in passes_at_once  acq  R1  the section cannot float above it; R1 is in gate.c */

enum { SPINS_BEFORE_SLEEP = 100 };

/* The lower half while a writer waits behind one reader. (Waiters of a mutex do not set LARGE.)
 *
 * The writer spins before its first sleep: with few threads its core would be idle. Its flags are set
 * already, so the reader makes a wake call when it leaves, and the writer passes during that call. The writer
 * then counts as woken. It does not spin if a time limit cuts its sleep short. */
#define BEHIND_ONE_READER (SLEEPERS | LARGE | 1)

/* The largest capacity of a semaphore whose permits keep cores busy. A larger capacity is taken for an rwlock's, where
 * spinning is fine, since no readers come while a writer waits (npm run bench -- semaphore rwlock). */
enum { PERMITS_BY_CORES = 1023 };

/* The first of two naps is short, since the gate may open soon. A nap that is handed over is shorter than both: its
 * thread took a while to wake. */
#define FIRST_NAP_NS (HF_PATIENCE_NS / 5)
#define ONLY_NAP_NS (HF_PATIENCE_NS * 3 / 5)

/* How long a thread sleeps behind a napper, which may have died: for at most an eighth of its time limit, so that it
 * claims the slot before it gives up. A thread that was woken in vain has lost its place among the sleepers, so it
 * sleeps for an eighth of that. So does a patient one that relies on a release, whose wake may reach a dead thread. */
#define BEHIND_NS (200 * HF_MILLISECOND)
enum { LEAST_SLEEPS_IN_A_LIMIT = 8, WOKEN_SLEEPS_LESS = 8 };

/* A waiter of a gate for one that is out of patience sleeps for 1 ms, since another waiter has the slot for a
 * moment only, then for four times as long, up to 256 ms, then as others do. */
enum { SLICES_TIMES_FOUR = 5 };

/* After these slices, 300 ms in all, of a gate for one 85 ms, the caller probes whether the owner lives. */
enum { SLICES_BEFORE_PROBE = 4 };

/* The heir spins first: a sleep takes longer than a short section. Returns whether its turn comes meanwhile.
 * The heir does not spin if several threads may be inside: one of them may need this core. */
static inline bool turn_comes_soon(const hf__gate *gate, uint32_t self, uint32_t capacity)
{
    if (capacity > 1 && capacity <= PERMITS_BY_CORES) {
        return false;
    }
    return hf__changes_soon(&gate->word, 32, (uint32_t)((HEIR | RESERVED) >> 32), self);
}

static inline int64_t behind_ns(uint32_t stage, int64_t limit_ns)
{
    uint64_t most = stage == WOKEN_IN_VAIN ? BEHIND_NS / WOKEN_SLEEPS_LESS : BEHIND_NS;
    uint64_t of_limit = (uint64_t)limit_ns / LEAST_SLEEPS_IN_A_LIMIT; /* negative: no limit */
    most = of_limit < most ? of_limit : most;
    return most > HF_PATIENCE_NS ? (int64_t)most : HF_PATIENCE_NS;
}

/* Returns how long the next sleep may take: a watch, a slice, the patience or a nap. A watch comes first: the
 * waiter may pass at its end, however patient it is. */
static inline int64_t slice_ns(hf__outcome step, uint32_t stage, uint32_t slices, bool for_one)
{
    uint64_t watched = step >> HF__OUTCOME_WATCHED;
    if (hf__next_in(step) == HF__WAIT_BESIDE) {
        return HF_BESIDE_NS;
    }
    if (watched == HF__NAPS) {
        return stage == HAS_NAPPED ? HF_PATIENCE_NS - FIRST_NAP_NS : FIRST_NAP_NS;
    }
    if (watched == HF__NAPS_ONCE) {
        return ONLY_NAP_NS;
    }
    if (watched) {
        bool is_long = (step >> HF__OUTCOME_IS_LONG) & 1;
        return is_long ? HF_POLLED_RESERVATION_NS : HF_RESERVATION_NS;
    }
    if (stage != OUT_OF_PATIENCE) {
        return HF_PATIENCE_NS;
    }
    bool is_short = for_one && slices < SLICES_TIMES_FOUR;
    return is_short ? HF_PATIENCE_NS << 2 * slices : hf__slice_ns(slices);
}

/* Makes one attempt to pass an open gate that has no heir. */
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

/* Ends a wait whose time is up, after a last attempt to pass. */
static inline hf_result give_up(hf__gate *gate, uint32_t self, hf__token token, uint32_t amount,
                                uint32_t capacity)
{
    /* Keeps the stage, which says whether this thread answers for other sleepers (I2), but not the watched
     * number: the last attempt overtakes no heir. */
    token &= HF__TOKEN_STAGE_MASK;
    uint64_t word = hf__gate_pass_now(gate, self, HF__BLOCKING, token, amount, capacity);
    if (word == 0) {
        return HF_OK;
    }
    hf__gate_withdraw(gate, self, HF__BLOCKING, token, capacity);
    return is_abandoned(word, capacity) ? HF_ABANDONED : HF_TIMEOUT;
}

/* One step and one wait. Returns an hf_result, or HF__WAIT_MORE: call again with the result as the token. */
__attribute__((noinline)) uint32_t hf__gate_wait(hf__gate *gate, uint32_t self, hf__token token,
                                                 int64_t limit_ns, uint32_t amount, uint32_t capacity)
{
    if (limit_ns == 0) {
        return give_up(gate, self, token, amount, capacity);
    }
    for (int spin = token == 0 ? 0 : SPINS_BEFORE_SLEEP; spin != SPINS_BEFORE_SLEEP; spin += 1) {
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
    const bool for_one = capacity == HF__GATE_FOR_ONE;
    bool is_heir_now = hf__next_in(step) == HF__WAIT_TURN;
    uint32_t watched = (uint32_t)(step >> HF__OUTCOME_WATCHED);
    bool naps = watched == HF__NAPS || watched == HF__NAPS_ONCE;
    uint32_t stage = stage_of(token);
    uint32_t slices = stage == OUT_OF_PATIENCE ? slices_of(token) : 0;
    if (stage == HAS_NAPPED && !naps) {
        stage = OUT_OF_PATIENCE;
    }
    /* An heir sleeps on the upper half, where NAPPER's bit is that of ASYNC_HEIR: clear for a blocking heir. */
    bool relies = for_one && stage < HAS_NAPPED && watched == 0 && (step & NAPPER);
    /* A release wakes a patient thread of a gate for one. A timer that ends before the system's next tick may take
     * longer to set than a switch of threads (npm run bench -- loaded). */
    bool needs_no_timer = for_one && stage == PATIENT && watched == 0 && !is_heir_now;
    int64_t slice = relies || needs_no_timer ? behind_ns(relies ? stage : WOKEN_IN_VAIN, limit_ns)
                                             : slice_ns(step, stage, slices, for_one);
    uint32_t *half = is_heir_now ? hf__high_half(&gate->word) : hf__low_half(&gate->word);
    bool cut_short = (uint64_t)limit_ns < (uint64_t)slice; /* negative: no limit */
    hf__wait_result woken = HF__CHANGED;
    bool may_spin = stage == PATIENT && !cut_short;
    bool spins = may_spin && amount > capacity && (uint32_t)step == BEHIND_ONE_READER;
    if (spins && hf__changes_soon(&gate->word, 0, HF_THREAD_MASK, 1)) {
        woken = HF__WOKEN;
    } else if (!is_heir_now || slices > 0 || !turn_comes_soon(gate, self, capacity)) {
        woken = hf__wait(half, (uint32_t)step, cut_short ? limit_ns : slice);
    }
    /* Others rely on a napper, so a wake, such as a signal's, ends its nap. */
    bool outlasted = (woken == HF__TIMED_OUT || (woken == HF__WOKEN && naps && for_one)) && !cut_short;
    /* The next token has the number of an obstacle that was watched for its whole time, or a count of slices.
     * A wait that its limit cut short has watched nothing. */
    watched = outlasted ? watched : 0;
    if (stage == OUT_OF_PATIENCE) {
        watched = outlasted && watched == 0 ? hf__one_slice_more(slices) : watched;
    } else if (naps) {
        watched = watched == HF__NAPS_ONCE || (watched && stage == HAS_NAPPED); /* a count of slices */
        stage = HAS_NAPPED;
    } else if (outlasted && relies) {
        stage = HAS_NAPPED; /* out of patience, and relies on no napper */
        watched = 1;
    } else if (outlasted) {
        bool goes_behind = for_one && (hf__load64_rlx(&gate->word) & NAPPER);
        stage = goes_behind ? PATIENT : OUT_OF_PATIENCE;
    } else if (woken == HF__WOKEN) {
        stage = WOKEN_IN_VAIN;
    } else if (relies) {
        stage = PATIENT; /* the napper now answers for those that it answered for */
    }
    uint32_t was_heir = is_heir_now ? HF__TOKEN_WAS_HEIR : token & HF__TOKEN_WAS_HEIR;
    return HF__WAIT_MORE | stage << HF__TOKEN_STAGE | was_heir | watched;
}

/* Waits without a limit, and returns early when the caller should probe whether the owner lives. */
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
    /* Tries to pass first, since to read the clock takes longer (npm run bench -- semaphore rwlock). */
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
