/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_RWLOCK_PARTS_H
#define HOLDFAST_RWLOCK_PARTS_H

#include "gate.h"
#include "holdfast/rwlock.h"

/* The lock in the parts that are not the gate's. To lock: pass the gate by the amount of the mode and the
 * capacity HF__GATE_MOST, then note it. */
typedef enum hf__rwlock_mode { HF__SHARED = 1, HF__EXCLUSIVE = HF__GATE_MOST } hf__rwlock_mode;

/* Notes what the caller has passed the gate by. Never blocks. */
void hf__rwlock_note(hf_rwlock *rwlock, uint32_t self, hf__rwlock_mode mode);

/* Never blocks. Returns HF_OK, or HF_NOT_OWNER iff it is not held in that mode, or exclusively by another. */
hf_result hf__rwlock_unlock(hf_rwlock *rwlock, uint32_t self, hf__rwlock_mode mode);

static inline bool hf__rwlock_is_held_by(const hf_rwlock *rwlock, uint32_t self)
{
    return hf__load_rlx(&rwlock->gate.own) == self;
}

#endif
