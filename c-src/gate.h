/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_GATE_PARTS_H
#define HOLDFAST_GATE_PARTS_H

#include "holdfast/gate.h"

#include <stdbool.h>

#include "gate_word.h"
#include "holdfast/result.h"
#include "identity.h"
#include "records.h"
#include "waiting.h"

/* A gate is a semaphore word with a fair order of waiters. A thread passes it with an amount, and gives that
 * amount back when it leaves. Arguments and results are packed into numbers: the wasm module has no stack in
 * the memory that its instances share.
 *
 * `amount` is 1 to HF__GATE_MOST. At most `capacity` is in use, with one exception: an empty gate lets any
 * amount in. A thread whose amount is above the capacity is then alone inside, and the amount may be its
 * identity (owned.h). With capacity 0 every amount is above the capacity. */
#define HF__GATE_MOST HF_THREAD_MASK

/* Passes if possible, else says where to wait and what to watch. Never blocks. Returns HF__DONE with HF_OK,
 * or:
 *   HF_ABANDONED    with HF__DONE: the owner was found dead (hf__gate_abandon). The caller must withdraw. So
 *                   must a caller that gives up after one of these:
 *   HF__WAIT_TURN   the caller is the heir.
 *   HF__WAIT_LINE   the caller is not the heir. If there is a reservation, watch it for HF_RESERVATION_NS, or
 *                   for HF_POLLED_RESERVATION_NS with HF__OUTCOME_IS_LONG.
 *   HF__WAIT_BESIDE there is room, but another waiter has the slot: watch the slot for HF_BESIDE_NS. With
 *                   HF__OUTCOME_IS_LONG an event loop leaves the slot to the oldest waiter: watch that waiter
 *                   for HF_POLLED_RESERVATION_NS, a time that runs on while others have the slot.
 * If no wake came in the whole time, put the watched number into the next token. The step with that token
 * passes ahead of a late heir, reserves the gate for a watched slot, or claims the slot before the oldest
 * waiter. */
hf__outcome hf__gate_step(hf__gate *gate, uint32_t self, hf__kind kind, hf__token token, uint32_t amount,
                          uint32_t capacity);

/* Blocks: one step and one wait, for at most limit_ns (negative: no limit; 0: ends the wait at once). Returns
 * HF_OK iff the caller has passed, HF_TIMEOUT, HF_ABANDONED, or HF__WAIT_MORE with the next token. */
uint32_t hf__gate_wait(hf__gate *gate, uint32_t self, hf__token token, int64_t limit_ns, uint32_t amount,
                       uint32_t capacity);

/* Blocks: until the caller has passed, or has slept for so long that it should probe whether the owner lives.
 * It needs no clock. Returns as hf__gate_wait. */
uint32_t hf__gate_enter(hf__gate *gate, uint32_t self, uint32_t amount, uint32_t capacity);

/* Passes if there is room and no heir. Never blocks. Returns false also if another thread changes the word
 * meanwhile. */
bool hf__gate_pass_at_once(hf__gate *gate, uint32_t self, uint32_t amount, uint32_t capacity);

/* Blocks: until the caller has passed, or deadline_ns. Returns HF_OK, HF_TIMEOUT or HF_ABANDONED. */
hf_result hf__gate_enter_until(hf__gate *gate, uint32_t self, uint32_t amount, uint32_t capacity,
                               int64_t deadline_ns);

/* Passes if possible. Never blocks. Returns HF_OK, HF_ABANDONED, or HF__WAIT_MORE with the number of the
 * reservation or slot that keeps the caller out; 0: none. A caller with a clock that has seen one number
 * for a whole reservation passes that number as `watched`: this try overtakes that reservation, or reserves
 * that slot. */
uint32_t hf__gate_try_after(hf__gate *gate, uint32_t self, uint32_t watched, uint32_t amount,
                            uint32_t capacity);

/* Passes if possible, by a token. Never blocks. Returns 0 if the caller passed, else the word that kept it
 * out. */
uint64_t hf__gate_pass_now(hf__gate *gate, uint32_t self, hf__kind kind, hf__token token, uint32_t amount,
                           uint32_t capacity);

/* Ends a wait: gives back the slot, takes self off the async wait list, and forwards a wake that self may
 * have consumed. Never blocks. */
void hf__gate_withdraw(hf__gate *gate, uint32_t self, hf__kind kind, hf__token token, uint32_t capacity);

/* Gives `amount` back, and opens the gate if no more than `opens_at` is left in use. Never blocks. Returns
 * false, with the word unchanged, if less than `amount` or more than `most` is in use. Even then a thread
 * that passes later sees what came before this call. */
bool hf__gate_leave(hf__gate *gate, uint32_t amount, uint32_t most, uint32_t opens_at);

/* Replaces the owner of a gate (owned.h) by `left`, and wakes all waiters to see it. If `left` is
 * abandoned, no thread passes until hf__gate_take_over. Never blocks. Returns false, and changes nothing,
 * unless exactly `owner` is in use. */
bool hf__gate_abandon(hf__gate *gate, uint32_t owner, uint32_t left);

/* Passes an abandoned gate, whichever waiter is the heir. Never blocks. Returns false, and changes nothing,
 * unless exactly `left` is in use. */
bool hf__gate_take_over(hf__gate *gate, uint32_t left, uint32_t self);

/* Passes beside the threads inside, whichever waiter is the heir. Requires: a gate with amounts; the caller
 * is inside already, or inside another gate that others wait for. Never blocks. Returns false, and changes
 * nothing, unless a thread is inside and there is room. */
bool hf__gate_join(hf__gate *gate, uint32_t amount, uint32_t capacity);

/* Adds the amount if nothing is in use, even if the gate is reserved. The heir keeps its slot. Everything
 * before each earlier leave is visible after this call. Never blocks. */
void hf__gate_shut(hf__gate *gate, uint32_t amount);

/* Wakes the threads that the change from `word` to `next` concerns. Never blocks. */
void hf__gate_wake_for(hf__gate *gate, uint64_t word, uint64_t next);

/* As hf__gate_wake_for, but inlined: makes no call if only the amount has changed. */
static inline void hf__gate_wake_any_for(hf__gate *gate, uint64_t word, uint64_t next)
{
    if ((word ^ next) & ~(uint64_t)HF_THREAD_MASK) {
        hf__gate_wake_for(gate, word, next);
    }
}

/* Records that self has passed, if the gate has records. */
static inline void hf__gate_passed(hf__gate *gate, uint32_t self, uint32_t amount, uint32_t capacity)
{
    if (!hf__records_pass(gate, self, amount, capacity)) {
        hf__gate_leave(gate, amount, HF__HOLDS_MOST, hf__opens_at(gate));
    }
}

static inline uint32_t hf__gate_used(const hf__gate *gate)
{
    return (uint32_t)hf__load64_rlx(&gate->word) & HF_THREAD_MASK;
}

/* Abandons the gate if its owner is known to be dead, in a program that has a table of threads. `asks` is
 * as in hf__threads.probe (identity.h). Never blocks. An owner has more than the capacity, and the upgradable reader
 * more than half of it (rwlock.h). */
static inline void hf__gate_probe_owner(hf__gate *gate, uint32_t capacity, bool asks)
{
    if (hf__threads.probe && hf__gate_used(gate) > capacity / 2) {
        hf__threads.probe(gate, capacity, asks);
    }
}

#endif
