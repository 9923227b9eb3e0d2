/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_HOLDS_H
#define HOLDFAST_HOLDS_H

#include <stdbool.h>

#include "agents.h"
#include "gate.h"

/* Who holds how much of a gate. A gate alone knows how much is in use, but not by whom. One with holds has a
 * record behind it for each slot of the table of threads, so that what a thread held is given back when that
 * is found dead. Only JavaScript threads with a slot have a record; what others hold is nobody's.
 *
 * gate.c is compiled twice: as it is, and by holds.c with HF__HOLDS, for a module of its own. So gates
 * without holds have no instruction more. */

/* Of a thread: its identity in the upper half, and in the lower half how much it holds. Others change it only
 * when that thread was found dead, or buried. */
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

/* A gate with holds opens when no more than that is left in use: a reader-writer lock's at 0, a semaphore's
 * always, whose `own` is the most permits less 1. */
static inline uint32_t hf__opens_at(const hf__gate *gate)
{
    return hf__load_rlx(&gate->own);
}

/* The most that may be in use of a gate with holds, but by one that has it alone. */
#define HF__HOLDS_MOST (HF_THREAD_RANDOM - HF_THREAD_JS - 1)

static inline bool hf__note(hf__record *record, uint32_t self, uint32_t amount)
{
    hf__record held = hf__load64_rlx(record);
    return hf__holder_in(held) == self && hf__cas64_rlx(record, held, held + amount);
}

/* Self has passed with that amount. One above the capacity says itself whose it is (owned.h). */
static inline void hf__hold(hf__gate *gate, uint32_t self, uint32_t amount, uint32_t capacity)
{
#ifdef HF__HOLDS
    if (amount <= capacity && hf__is_slot(self)) {
        hf__record *record = hf__record_of(gate, self);
        /* The first fails if self was taken for dead just now, the second if its slot is another's. */
        if (!hf__note(record, self, amount) && !hf__note(record, self, amount)) {
            hf__gate_leave(gate, amount, HF__HOLDS_MOST, hf__opens_at(gate));
        }
    }
#else
    (void)gate, (void)self, (void)amount, (void)capacity;
#endif
}

/* Before self first passes. Gives back what the last thread with its slot held: that is dead. Does nothing if
 * self was buried, and its slot is another's. Never blocks. */
void hf__holds_join(hf__gate *gate, uint32_t self);

/* Leaves the gate with what self holds. Never blocks. Returns HF_OK, or HF_NOT_OWNER iff self holds less;
 * nothing is changed then. Requires: a thread without a slot counts itself what it holds. */
hf_result hf__holds_leave(hf__gate *gate, uint32_t self, uint32_t amount);

/* Looks whether those that hold some of it live, but self, and gives back what the dead held. Never blocks.
 */
void hf__holds_look(hf__gate *gate, hf__agents *agents, uint32_t self, uint32_t now_ms);

#endif
