/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_RWLOCK_PARTS_H
#define HOLDFAST_RWLOCK_PARTS_H

#include "gate.h"
#include "holdfast/rwlock.h"

/* To lock, pass the gate with the mode as the amount and HF__GATE_MOST as the capacity, then call
 * hf__rwlock_note. */
typedef enum hf__rwlock_mode { HF__SHARED = 1, HF__EXCLUSIVE = HF__GATE_MOST } hf__rwlock_mode;

/* Never blocks. */
void hf__rwlock_note(hf_rwlock *rwlock, uint32_t self, hf__rwlock_mode mode);

/* Never blocks. Returns HF_NOT_OWNER iff nobody holds it in that mode, or another thread exclusively. */
hf_result hf__rwlock_unlock(hf_rwlock *rwlock, uint32_t self, hf__rwlock_mode mode);

static inline bool hf__rwlock_is_held_by(const hf_rwlock *rwlock, uint32_t self)
{
    return hf__load_rlx(&rwlock->gate.own) == self;
}

#endif
