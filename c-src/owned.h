/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_OWNED_H
#define HOLDFAST_OWNED_H

#include <stdbool.h>

#include "gate.h"

/* Gates with an owner: of mutexes, and of rwlocks for their writers. The amount is the owner's identity, a
 * number above the capacity. With HF_THREAD_MARK it says that the gate is abandoned: it is the identity of a
 * thread with a slot that died, or BY_NOBODY. Or it is that of a C thread without a slot, which holds the
 * gate and has not recovered it; one with a slot has its second identity in use then (identity.h). `owner` is
 * the caller's amount. */

static inline bool hf__owned_is_by(const hf__gate *gate, uint32_t owner)
{
    return hf__gate_used(gate) == owner;
}

/* For the glue: holds it for an owner that has died. Never blocks. Returns what hf__gate_abandon writes to
 * make it abandoned again, or 0 iff it is not abandoned. */
uint32_t hf__owned_take_over(hf__gate *gate, uint32_t owner);

/* For C threads, which acquire an abandoned gate by another identity, until they recover it. */

bool hf__owned_is_mine(const hf__gate *gate, uint32_t owner);

/* Blocks. `message`: for hf__thread_will_block, unless the caller holds it; NULL: any thread may call.
 * Returns HF_OK, HF_ABANDONED, HF_DEADLOCK or HF_TIMEOUT. */
hf_result hf__owned_enter_until(hf__gate *gate, uint32_t self, uint32_t owner, uint32_t capacity,
                                int64_t deadline_ns, const char *message);

/* Takes an abandoned gate. Never blocks. Returns HF_ABANDONED, or HF_BUSY iff another thread was faster. */
hf_result hf__owned_take_abandoned(hf__gate *gate, uint32_t owner);

/* Never blocks. Returns HF_OK, HF_ABANDONED or HF_BUSY. */
hf_result hf__owned_try(hf__gate *gate, uint32_t self, uint32_t owner, uint32_t capacity);

/* Never blocks. Returns HF_OK or HF_NOT_OWNER. */
hf_result hf__owned_leave(hf__gate *gate, uint32_t owner);

/* Marks the gate as recovered. Never blocks. Returns HF_OK or HF_NOT_OWNER. */
hf_result hf__owned_recover(hf__gate *gate, uint32_t owner);

#endif
