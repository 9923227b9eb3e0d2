/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#define HF__HOLDS
#include "holds.h"

#include "gate.c" /* NOLINT(bugprone-suspicious-include): the same, with holds */

/* INVARIANTS  I1  What a record says is in use: it grows after its thread has passed, and shrinks before that
 *                 leaves. So no more is given back than the dead one held, wherever it died.
 *             I2  Between the change of the record and that of the gate is no call, and no loop begins.
 *                 Engines end a thread only there, or while it waits, so the record of a dead one says all
 *                 that it held.
 *             I3  A record is another's when the slot is given out again. The next thread there, and who
 *                 found the last one dead, empty it by a compare-exchange of identity and amount: one of
 *                 them gives back.
 *             Slack: who dies while it gives back what a dead one held takes that with it.
 * ORDERS      What a dead thread wrote is visible to who finds it dead (agents.c), and by R1 of gate.c to who
 *             passes next. Records are for that and for their own thread, so relaxed is enough.
 * CHECKED     models/programs/agents.scenarios.js on the shipped bytes, with deaths;
 *             tests/verification/holds.test.js (I2); tests/glue/recoverable.test.js
 *
 * Source: new; docs/decisions/0013 has what was considered. */

enum { IDENTITY = 32 };

/* A gate opens when no more than that is left in use: a reader-writer lock's at 0, a semaphore's always,
 * whose `own` is the most permits less 1. */
static inline uint32_t opens_at(const hf__gate *gate)
{
    return hf__load_rlx(&gate->own);
}

static inline uint32_t held_in(hf__record record)
{
    return (uint32_t)record;
}

/* Empties it for another thread, or for none. */
static void give_back(hf__gate *gate, hf__record *record, hf__record held, hf__record next)
{
    if (hf__cas64_rlx(record, held, next) && held_in(held) != 0) { /* I3 */
        hf__gate_leave(gate, held_in(held), HF__HOLDS_MOST, opens_at(gate));
    }
}

void hf__holds_join(hf__gate *gate, uint32_t self)
{
    hf__record *record = hf__record_of(gate, self);
    hf__record held = hf__load64_rlx(record);
    while (hf__is_slot(self) && held >> IDENTITY != self) {
        give_back(gate, record, held, (hf__record)self << IDENTITY);
        held = hf__load64_rlx(record);
    }
}

hf_result hf__holds_leave(hf__gate *gate, uint32_t self, uint32_t amount)
{
    if (!hf__is_slot(self)) {
        return hf__gate_leave(gate, amount, HF__HOLDS_MOST, opens_at(gate)) ? HF_OK : HF_NOT_OWNER;
    }
    hf__record *record = hf__record_of(gate, self);
    hf__record held = hf__load64_rlx(record);
    uint64_t word;
    uint64_t next;
    bool is_done;
    if (held_in(held) < amount) {
        return HF_NOT_OWNER;
    }
    do {
        word = hf__load64_rlx(&gate->word);
        next = without(word, amount, opens_at(gate));
        hf__store64_rlx(record, held - amount); /* I1 */
        is_done = leaves_by(gate, word, next);
        if (!is_done) {
            hf__store64_rlx(record, held);
        }
    } while (!is_done);
    wake_any_for(gate, word, next);
    return HF_OK;
}

void hf__holds_look(hf__gate *gate, hf__agents *agents, uint32_t self, uint32_t now_ms)
{
    uint32_t count = hf__load_rlx(&agents->count);
    for (uint32_t at = 0; at < count; at += 1) {
        hf__record *record = &hf__records(gate)[at];
        hf__record held = hf__load64_rlx(record);
        uint32_t owner = (uint32_t)(held >> IDENTITY);
        if (held_in(held) != 0 && owner != self && hf__agents_look(agents, owner, now_ms)) {
            give_back(gate, record, held, held - held_in(held));
        }
    }
}
