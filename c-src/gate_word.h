/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_GATE_WORD_H
#define HOLDFAST_GATE_WORD_H

#include <stdbool.h>
#include <stdint.h>

#include "holdfast/gate.h"
#include "waiting.h"

/* The word of a gate, and functions from word to word. Nothing here reads or writes memory; gate.c does.
 *
 * A gate is a semaphore word of 64 bits. Its lower half has the amount in use, and flags for threads that may
 * sleep. Its upper half has the waiter that is next: the heir. One compare-exchange changes both. I1 to I6
 * are the invariants of gate.c. Event loops wait on `line`, the async wait list (gate_async.h).
 *
 * A thread passes with an amount if there is room: then at most `capacity` is in use, or the gate was empty.
 * A mutex has capacity 0 (HF__GATE_FOR_ONE), and its owner's identity as amount. A waiter waits in steps
 * (hf__gate_step). It is a blocking thread, an event loop with waitAsync (HF__ASYNC), or one that polls or
 * often comes late (HF__POLLING). To watch is to see one obstacle unchanged for a time (HF_RESERVATION_NS and the like). */

/* Lower half: the amount in use. For a mutex, and an rwlock with a writer, this is the owner's identity. */
#define USED ((uint64_t)HF_THREAD_MASK)

/* Lower half, flags for waiters that a wake may be for. A flag may be set without such a waiter. While such a
 * waiter sleeps, its flag may be clear only if the thread that cleared it is about to wake that waiter, or another
 * one that will set the flag again. In place of SLEEPERS, NAPPER may be set. */
#define SLEEPERS (UINT64_C(1) << (HF_THREAD_BITS + 2))      /* blocking threads may sleep on the lower half */
#define LARGE (UINT64_C(1) << HF_THREAD_BITS)               /* some sleepers want an amount above 1 */
#define ASYNC_WAITERS (UINT64_C(1) << (HF_THREAD_BITS + 1)) /* event loops may wait on `line` */
#define FLAGS (LARGE | ASYNC_WAITERS | SLEEPERS)

/* The same bit, in a gate for one, where nobody sets LARGE: a thread naps, and answers for the sleepers. That
 * thread has put NAPPER in the place of SLEEPERS. It puts SLEEPERS back when it stops napping; another thread
 * does so if the napper may have died. Wakes clear SLEEPERS, never NAPPER.
 *
 * Both together: an heir that has passed has woken the next napper (hf__gate_pass_now), which has not stepped
 * yet. Until it does, others rely on it, so no release wakes a second thread. */
#define NAPPER LARGE
#define HANDED_OVER (NAPPER | SLEEPERS)

/* Upper half: the identity of the heir, who has the slot. 0: there is no heir, and ASYNC_HEIR and RESERVED
 * are clear. An heir that has died or is busy may stay here: others pass once its reservation has run out.
 * The slot may be taken from another waiter in two cases only: its whole reservation was watched, or it is a
 * blocking thread that an event loop displaces (gate_async.h). */
#define HEIR (USED << 32)

/* The heir is an event loop. Clear: a blocking thread. One thread may be either, by one identity. */
#define ASYNC_HEIR (UINT64_C(1) << (32 + HF_THREAD_BITS))

/* The gate has opened and is reserved for the heir. Cleared by an heir that needs more room, by a reset, by
 * hf__gate_take_over, and by any change that clears the slot. It may be set only with an heir, and with a
 * wake of the upper half. */
#define RESERVED (UINT64_C(1) << (32 + HF_THREAD_BITS + 2))

/* One bit with three meanings: the kind of heir and RESERVED say which. A change of RESERVED keeps the bit.
 * As side effects, a reservation of a kept slot is long, and a blocking heir that declines a long one keeps its slot. */
#define THIRD_BIT (UINT64_C(1) << (32 + HF_THREAD_BITS + 1))
#define LONG_RESERVATION THIRD_BIT /* ASYNC_HEIR or RESERVED: watch it for HF_POLLED_RESERVATION_NS */
#define KEEPS_SLOT THIRD_BIT       /* blocking heir, not RESERVED: no event loop takes the slot over */
#define LOOP_PASSED THIRD_BIT      /* no heir: an event loop passed last, and the gate has not opened since */

/* The token of a waiter: its knowledge from earlier steps.
 *   bits 0-27   watched: the number (number_of) of a reservation, a slot or an oldest waiter that stayed the
 *               same for a whole reservation; 0: none. Values up to HF__SLICES_MOST count the slices (sleeps
 *               without a wake, and a second nap) of a blocking thread
 *   bit  28     of a blocking thread: it has been the heir in this wait
 *   bits 29-30  of a blocking thread: its stage
 *   bit  31     of a blocking thread: HF__WAIT_MORE, which tells a token from an hf_result
 *   bit  29     of an event loop: it is on the async wait list (`line`)
 *   bits 30-31  of an event loop: its age class, by how long it has waited */
enum { HF__NUMBER_BITS = HF_THREAD_BITS - 1 };
#define HF__NUMBER_MASK ((UINT32_C(1) << HF__NUMBER_BITS) - 1)
#define HF__TOKEN_WAS_HEIR (UINT32_C(1) << HF__NUMBER_BITS)
enum { HF__TOKEN_STAGE = HF_THREAD_BITS };
#define HF__TOKEN_STAGE_MASK (UINT32_C(3) << HF__TOKEN_STAGE)
#define HF__TOKEN_LISTED (UINT32_C(1) << HF_THREAD_BITS)
enum { HF__TOKEN_AGE_SHIFT = HF_THREAD_BITS + 1 };
#define HF__TOKEN_AGE (UINT32_C(3) << HF__TOKEN_AGE_SHIFT)
#define HF__AGE_DISPLACES (UINT32_C(2) << HF__TOKEN_AGE_SHIFT) /* 16 ms: such a waiter may displace an heir */

/* The stages of a blocking thread (gate_block.c): it has not been woken; it was woken, and another thread passed; it
 * has napped once, or with a counted slice for the last time; it claims the slot. */
enum { PATIENT = 0, WOKEN_IN_VAIN = 1, HAS_NAPPED = 2, OUT_OF_PATIENCE = 3 };

/* A nap is a short sleep that the thread ends by itself. The numbers to watch of a waiter that naps: twice, or once if
 * the nap was handed over to it. number_of never returns these two. */
enum { HF__NAPS = 1, HF__NAPS_ONCE = 2 };

/* The capacity of a gate that one thread passes at a time, such as a mutex, and its `opens_at`: each leave opens it. */
enum { HF__GATE_FOR_ONE = 0 };
#define HF__OPENS_TO_ONE UINT32_MAX

/* Not inlined, for a smaller module. */
#define SHARED __attribute__((noinline, unused)) static

/* ---- Reading a word ---- */

static inline uint32_t used_in(uint64_t word)
{
    return (uint32_t)(word & USED);
}

static inline uint32_t heir_of(uint64_t word)
{
    return (uint32_t)((word & HEIR) >> 32);
}

/* Returns whether the owner was found dead: hf__gate_abandon has put a marked identity in its place. */
SHARED bool is_abandoned(uint64_t word, uint32_t capacity)
{
    return used_in(word) > capacity && hf__is_abandoned(used_in(word));
}

static inline bool has_room(uint64_t word, uint32_t amount, uint32_t capacity)
{
    return used_in(word) == 0 || used_in(word) + amount <= capacity;
}

/* Returns a number made of the heir and of the amount in use. A waiter that reads the same number again takes
 * it for the same reservation. A slot that is not yet reserved has another number.
 * Slack: two numbers may be equal by chance. A later reservation has the same number if heir and amount are
 * the same (of a mutex, the amount always is). Then a waiter passes an heir that is not late. */
SHARED uint32_t number_of(uint64_t word)
{
    uint32_t number = (heir_of(word) ^ used_in(word) << (HF_THREAD_BITS / 2)) & HF_THREAD_MASK;
    /* Fold in the top bit, which distinguishes JavaScript threads from others. */
    number = (number ^ number >> HF__NUMBER_BITS << (HF_THREAD_BITS / 2 - 1)) & HF__NUMBER_MASK;
    number ^= word & RESERVED ? 0 : HF__NUMBER_MASK >> 1;
    /* Small numbers are avoided, since in a token they count slices. */
    return number > HF__SLICES_MOST ? number : HF__NUMBER_MASK - number;
}

/* Returns whether self is the heir as a waiter of this kind. A blocking thread does not count as the heir
 * when its own event loop is: it must not overtake the other waiters. */
static inline bool is_heir(uint64_t word, uint32_t self, hf__kind kind)
{
    return heir_of(word) == self && !(word & ASYNC_HEIR) == (kind == HF__BLOCKING);
}

/* Returns whether the heir has not come for a whole reservation. */
static inline bool is_late(uint64_t word, uint32_t watched)
{
    return word & RESERVED && number_of(word) == watched;
}

/* Returns whether the slot lets the waiter pass, if there is room (I1). */
static inline bool may_pass(uint64_t word, uint32_t self, hf__kind kind, uint32_t watched)
{
    return heir_of(word) == 0 || is_heir(word, self, kind) || is_late(word, watched);
}

static inline uint32_t stage_of(hf__token token)
{
    return (token & ~HF__WAIT_MORE) >> HF__TOKEN_STAGE;
}

/* Returns the count of slices in a token; 0 if the token has the number of what was watched. */
static inline uint32_t slices_of(hf__token token)
{
    uint32_t watched = token & HF__NUMBER_MASK;
    return watched > HF__SLICES_MOST ? 0 : watched;
}

/* Returns whether this blocking thread claims the slot. */
static inline bool is_out_of_patience(hf__token token)
{
    return stage_of(token) == OUT_OF_PATIENCE || (stage_of(token) == HAS_NAPPED && slices_of(token) > 0);
}

/* Returns whether another thread naps, or is about to, so that this blocking thread need not. With HANDED_OVER a
 * woken thread may be the one that is to nap, so it relies on no other. */
static inline bool another_naps(uint64_t word, hf__token token)
{
    uint32_t stage = stage_of(token);
    return (word & NAPPER) && stage != HAS_NAPPED && (stage == PATIENT || !(word & SLEEPERS));
}

/* Returns whether a napper was woken that has not stepped yet. */
static inline bool is_handed_over(uint64_t word)
{
    return (word & HANDED_OVER) == HANDED_OVER;
}

/* Returns the flags that an opening clears. */
static inline uint64_t flags_to_clear(uint64_t word, bool for_one)
{
    return !for_one ? FLAGS : word & NAPPER ? ASYNC_WAITERS : ASYNC_WAITERS | SLEEPERS;
}

/* Returns whether this blocking thread may have consumed a wake (I2). */
static inline bool was_woken(hf__kind kind, hf__token token)
{
    return kind == HF__BLOCKING && stage_of(token) != PATIENT;
}

/* ---- The next word ---- */

static inline uint64_t without_heir(uint64_t word)
{
    return word & ~(HEIR | ASYNC_HEIR | THIRD_BIT | RESERVED);
}

/* The word when a blocking thread will sleep, or answers for other sleepers. In a gate for one it relies on a
 * napper. */
SHARED uint64_t with_sleepers(uint64_t word, hf__token token, uint32_t capacity)
{
    if (capacity != HF__GATE_FOR_ONE) {
        return word | SLEEPERS;
    }
    return another_naps(word, token) ? word : (word & ~NAPPER) | SLEEPERS;
}

/* The word after a waiter has passed. The slot is then free, whichever waiter had it. `answers`: from was_woken. */
static inline uint64_t after_pass(uint64_t word, hf__kind kind, bool answers, uint32_t amount,
                                  uint32_t capacity)
{
    uint64_t loop = kind == HF__BLOCKING ? 0 : LOOP_PASSED;
    uint64_t next = (without_heir(word) | loop) + amount;
    bool had_heir = heir_of(word) != 0;
    if (!had_heir && !answers) {
        return next;
    }
    if (has_room(next, 1, capacity)) {
        return next & ~FLAGS; /* one release may have made room for several */
    }
    /* I5: wakes waiters to claim the free slot. Otherwise the thread that left last, which is
     * awake, would claim it again. Event loops come first, but not two in a row. */
    bool async_only = had_heir && (word & ASYNC_WAITERS) && !(word & ASYNC_HEIR);
    if (had_heir) {
        next &= ~ASYNC_WAITERS;
    }
    if (!had_heir || async_only || !(next & SLEEPERS)) {
        return next;
    }
    return capacity == HF__GATE_FOR_ONE ? next | NAPPER : next & ~SLEEPERS;
}

/* The word after the gate has opened: for the heir if there is one, else for any thread. `flags`: from flags_to_clear. */
static inline uint64_t opened(uint64_t word, uint64_t flags)
{
    if (heir_of(word) == 0) {
        return word & ~(flags | LOOP_PASSED);
    }
    /* An event loop may be busy for long, so others are woken to watch its reservation. (A napper wakes soon by
     * itself.) A blocking heir is late only if it has died; then the end of a sleeper's slice is soon enough. */
    return (word & ASYNC_HEIR ? word & ~flags : word) | RESERVED;
}

static inline uint64_t after_leave(uint64_t word, uint32_t amount, uint32_t opens_at)
{
    uint64_t next = word - amount;
    uint64_t flags = flags_to_clear(word, opens_at == HF__OPENS_TO_ONE);
    return used_in(next) <= opens_at ? opened(next, flags) : next;
}

/* The word after a waiter has become the heir. A blocking thread keeps the slot if it was the heir before in this
 * wait, or if an event loop passed last (gate_async.h). */
static inline uint64_t after_claim(uint64_t word, uint32_t self, hf__kind kind, hf__token token)
{
    bool keeps = (token & HF__TOKEN_WAS_HEIR) || (heir_of(word) == 0 && (word & LOOP_PASSED));
    bool third = kind == HF__BLOCKING ? keeps : kind == HF__POLLING; /* KEEPS_SLOT, LONG_RESERVATION */
    return without_heir(word) | (uint64_t)self << 32 | (kind == HF__BLOCKING ? 0 : ASYNC_HEIR) |
           (third ? THIRD_BIT : 0);
}

/* ---- Only gates with amounts ---- */

/* Returns whether there is room for a waiter that is blocked only by an unreserved slot. Such a waiter
 * watches the slot, then reserves the gate for the heir (gate.c). */
SHARED bool is_beside(uint64_t word, uint32_t amount, uint32_t capacity)
{
    return !(word & RESERVED) && has_room(word, amount, capacity);
}

#endif
