/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_RECORDS_H
#define HOLDFAST_RECORDS_H

#include <stdbool.h>

#include "agents.h"
#include "holdfast/gate.h"

/* Records of how much each thread holds of a gate. A gate word says how much is in use, but not by which
 * threads. Behind a gate with holds there is a record for each slot of the table of threads, so that what a
 * dead thread held can be given back (holds.h). Only JavaScript threads with a slot have a record; holds of
 * other threads are not recorded.
 *
 * gate.c and gate_block.c are compiled twice: as they are, and with HF__HOLDS for a module of its own. So
 * gates without holds need no instruction for records. */

/* Upper half: a thread's identity. Lower half: how much the thread holds. Other threads change its record
 * only after it was declared dead. */
typedef uint64_t hf__record;
enum { HF__RECORD_HOLDER = 32 };

static inline uint32_t hf__holder_in(hf__record record)
{
    return (uint32_t)(record >> HF__RECORD_HOLDER);
}

static inline hf__record *hf__records(hf__gate *gate)
{
    return (hf__record *)(gate + 1);
}

static inline hf__record *hf__record_of(hf__gate *gate, uint32_t self)
{
    return &hf__records(gate)[(self & HF_AGENTS_MOST) - 1];
}

/* Returns the amount in use at or below which a gate with holds opens (`own`): 0 for a reader-writer lock.
 * For a semaphore it is the most permits less 1, so each leave opens the gate. */
static inline uint32_t hf__opens_at(const hf__gate *gate)
{
    return hf__load_rlx(&gate->own);
}

/* The largest amount in use in a gate with holds, unless one thread holds it alone. */
#define HF__HOLDS_MOST (HF_THREAD_RANDOM - HF_THREAD_JS - 1)

static inline bool hf__note(hf__record *record, uint32_t self, uint32_t amount)
{
    hf__record held = hf__load64_rlx(record);
    return hf__holder_in(held) == self && hf__cas64_rlx(record, held, held + amount);
}

/* Records that self has passed with that amount. An amount above the capacity is an identity, and needs no
 * record (owned.h). Returns false iff another thread has the slot by now: then self must leave. */
static inline bool hf__records_pass(hf__gate *gate, uint32_t self, uint32_t amount, uint32_t capacity)
{
#ifdef HF__HOLDS
    if (amount <= capacity && hf__is_slot(self)) {
        hf__record *record = hf__record_of(gate, self);
        /* The first try fails if self has just been declared dead, the second one if another thread has taken
         * the slot. */
        return hf__note(record, self, amount) || hf__note(record, self, amount);
    }
#else
    (void)gate, (void)self, (void)amount, (void)capacity;
#endif
    return true;
}

#endif
