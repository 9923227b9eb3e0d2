/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_OWNED_H
#define HOLDFAST_OWNED_H

#include <stdbool.h>

#include "gate.h"

/* Gates with an owner: a mutex's gate, and an rwlock's gate while a writer holds it. The amount in use is the
 * owner's identity, a number above the capacity. `owner` is the caller's amount. An amount with
 * HF_THREAD_MARK is one of these:
 * - the marked identity of a dead thread that had a slot, or BY_NOBODY: the gate is abandoned;
 * - the second identity (identity.h) of a C thread with a slot, which holds the gate and has not recovered
 *   it;
 * - the identity of a C thread without a slot, which holds the gate and has not recovered it. */

static inline bool hf__owned_is_by(const hf__gate *gate, uint32_t owner)
{
    return hf__gate_used(gate) == owner;
}

/* For the glue: acquires an abandoned gate for `owner`. Never blocks. Returns the amount that was in use,
 * which hf__gate_abandon needs to undo this; 0 iff the gate is not abandoned. */
uint32_t hf__owned_take_over(hf__gate *gate, uint32_t owner);

/* The functions below are for C threads. A C thread holds an abandoned gate by another identity until it
 * recovers it (identity.h). */

bool hf__owned_is_mine(const hf__gate *gate, uint32_t owner);

/* Blocks, unless the caller holds the gate. `message` is for hf__thread_will_block; with NULL any thread may
 * call. Returns HF_OK, HF_ABANDONED, HF_DEADLOCK or HF_TIMEOUT. */
hf_result hf__owned_enter_until(hf__gate *gate, uint32_t self, uint32_t owner, uint32_t capacity,
                                int64_t deadline_ns, const char *message);

/* Takes an abandoned gate. Never blocks. Returns HF_ABANDONED, or HF_BUSY iff another thread was faster. */
hf_result hf__owned_take_abandoned(hf__gate *gate, uint32_t owner);

/* Never blocks. Returns HF_OK, HF_ABANDONED or HF_BUSY. */
hf_result hf__owned_try(hf__gate *gate, uint32_t self, uint32_t owner, uint32_t capacity);

/* Never blocks. Returns HF_OK or HF_NOT_OWNER. */
hf_result hf__owned_leave(hf__gate *gate, uint32_t owner, uint32_t opens_at);

/* Marks the gate as recovered. Never blocks. Returns HF_OK or HF_NOT_OWNER. */
hf_result hf__owned_recover(hf__gate *gate, uint32_t owner);

#endif
