/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_GATE_PARTS_H
#define HOLDFAST_GATE_PARTS_H

#include "holdfast/gate.h"
#include "holdfast/result.h"
#include "waiting.h"

/* The gate as its primitives and the drivers see it. Those who pass take an amount of what the gate has, and
 * give it back later. Everything is passed in registers, packed, so that the wasm module needs no stack in
 * the memory that its instances share.
 *
 * `amount` is what the caller takes, 1 to HF__GATE_MOST; `capacity` is how much may be taken together. A gate
 * that nobody has passed lets any amount in. So with capacity 0 one passes at a time, and the amount may be
 * anything that tells who it was: its identity. */
#define HF__GATE_MOST HF_THREAD_MASK
enum { HF__GATE_FOR_ONE = 0 }; /* the capacity of a gate that one passes at a time */

/* How a thread waits. */
typedef enum hf__kind {
    HF__BLOCKING = 0, /* sleeps on a word; not an event loop */
    HF__ASYNC = 1,    /* waits through its event loop, with waitAsync */
    HF__POLLING = 2,  /* the same, but comes late: it looks by timer, or has hardly a pause */
} hf__kind;

/* A token is what a waiting thread knows from one call to the next; it starts as 0.
 *   bits 0-28   the watched call, or place: it was the same for as long as it had to be; 0: none. Up to
 *               HF__SLICES_MOST: none, and a blocking thread has slept for so many slices in vain
 *   bits 29-30  a blocking thread: how often it was woken, or napped, in vain
 *   bit  29     an event loop: it has an entry in the queue of `line`
 *   bits 30-31  its rank: how long it has waited, roughly */
typedef uint32_t hf__token;
enum { HF__TOKEN_OVERTAKEN = HF_THREAD_BITS, HF__TOKEN_OVERTAKEN_MAX = 3 };
#define HF__TOKEN_IN_LINE (UINT32_C(1) << HF_THREAD_BITS)
enum { HF__TOKEN_RANK_SHIFT = HF_THREAD_BITS + 1 };
#define HF__TOKEN_RANK (UINT32_C(3) << HF__TOKEN_RANK_SHIFT)

/* Passes if that is possible now, or says where to wait, and what to watch: if that is still the same after a
 * whole wait, put it into the token. If the wait was shorter, leave it out. Never blocks.
 * HF__WAIT_TURN: the caller is the successor. HF__WAIT_QUEUE: another is, whose call is watched if it is
 * called, for HF_RESERVATION_NS or the POLLED one: the next step then passes by it. HF__WAIT_BESIDE: there is
 * room for the caller, but another is the successor, whose place is watched for HF_BESIDE_NS: the next step
 * then calls it. */
hf__outcome hf__gate_step(hf__gate *gate, uint32_t self, hf__kind kind, hf__token token, uint32_t amount,
                          uint32_t capacity);

/* Blocks: steps once, and waits once, for at most limit_ns (negative: no limit of the caller's; 0: ends the
 * wait). Returns HF_OK, HF_TIMEOUT iff the wait is over without having passed, or HF__WAIT_MORE with the
 * token for the next call. */
uint32_t hf__gate_wait(hf__gate *gate, uint32_t self, hf__token token, int64_t limit_ns, uint32_t amount,
                       uint32_t capacity);

/* Blocks: until it has passed. (The module has this one only, since it has no clock.) */
void hf__gate_enter(hf__gate *gate, uint32_t self, uint32_t amount, uint32_t capacity);

/* Blocks: until it has passed, or until deadline_ns. Returns HF_OK or HF_TIMEOUT. */
hf_result hf__gate_enter_until(hf__gate *gate, uint32_t self, uint32_t amount, uint32_t capacity,
                               int64_t deadline_ns);

/* Tries without a wait, for a caller that may keep a clock: `watched` is the call, or the place, that has
 * been in its way for a whole reservation, 0 for none; by that call it passes, and that place it calls. Never
 * blocks. Returns HF_OK, or HF__WAIT_MORE with the call or place that is in its way now, 0 for none. */
uint32_t hf__gate_try_after(hf__gate *gate, uint32_t self, uint32_t watched, uint32_t amount,
                            uint32_t capacity);

/* Ends a wait: gives back the place as successor and a reservation, and passes on a wake that the caller may
 * have eaten. Never blocks. */
void hf__gate_withdraw(hf__gate *gate, uint32_t self, hf__kind kind, hf__token token, uint32_t capacity);

/* Gives an amount back. Never blocks.
 * `opens_at`: how much may still be in use for one who waits to pass.
 * Returns false, and changes nothing, unless between `amount` and `most` is in use. */
bool hf__gate_leave(hf__gate *gate, uint32_t amount, uint32_t most, uint32_t opens_at);

/* Takes the amount if nothing is in use, also where the gate is reserved: who is called then stays next, and
 * is called again when the gate opens again. Orders nothing. Never blocks. */
void hf__gate_shut(hf__gate *gate, uint32_t amount);

static inline uint32_t hf__gate_used(const hf__gate *gate)
{
    return (uint32_t)hf__load64_rlx(&gate->word) & HF_THREAD_MASK;
}

#endif
