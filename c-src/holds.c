/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include "holds.h"

#include <stdbool.h>

#include "gate_word.h"

/* INVARIANTS  I1  The amount in a record is in use: it grows after its thread has passed, and shrinks
 *                 before its thread leaves. So wherever a thread dies, at most what it held is given back.
 *             I2  Between the change of the record and that of the gate no function is called and no loop
 *                 begins. Engines end a thread only at such a point or in a wait, so the record of a dead
 *                 thread has all that it held. Nor can a living thread run out of stack between the two
 *                 changes.
 *             I3  Two threads may empty a dead thread's record: the next one in its slot, and the one that
 *                 found it dead. Both use a compare-exchange of identity and amount, so only one gives the
 *                 amount back. A thread that was declared dead may live, so its own changes are
 *                 compare-exchanges too. Once another thread has its slot, it passes but holds nothing.
 *             Slack: if a thread that was declared dead dies as it passes or leaves, its amount may stay in
 *             use.
 * ORDERS      R1  cas in leave, downgrade  rel  A1  the section cannot sink below it; A1 to A3 are in gate.c
 *             All that a dead thread wrote is visible to the thread that finds it dead (agents.c), and by
 *             R1 to the next that passes. Only those two threads and the thread itself use a record, so
 *             relaxed is enough for it.
 * CHECKED     models/programs/agents.scenarios.js on the shipped bytes, with deaths;
 *             tests/verification/holds.test.js (I2); tests/glue/recoverable.test.js
 *
 * Source: new; docs/decisions/0004 has the alternatives. */

static inline uint32_t held_in(hf__record record)
{
    return (uint32_t)record;
}

/* Returns whether holders have at least this amount in use. False also if one thread holds the gate alone:
 * then the word has its identity instead of an amount. */
static inline bool has_in_use(uint64_t word, uint32_t amount)
{
    return used_in(word) >= amount && used_in(word) <= HF__HOLDS_MOST;
}

/* Changes the record, and gives back the difference. Returns false, and changes nothing, if the record is no
 * longer `held`, or less than the difference is in use. */
static inline bool leaves_with(hf__gate *gate, hf__record *record, hf__record held, hf__record next_held)
{
    uint32_t amount = held_in(held) - held_in(next_held);
    bool is_noted = false;
    bool is_done;
    uint64_t word;
    uint64_t next;
    do {
        word = hf__load64_rlx(&gate->word);
        next = has_in_use(word, amount) ? after_leave(word, amount, hf__opens_at(gate)) : word;
        if (!is_noted && !hf__cas64_rlx(record, held, next_held)) { /* I3 */
            return false;
        }
        is_done = hf__cas64_rel(&gate->word, word, next); /* [R1] I1, I2 */
        is_noted = !is_done && !hf__cas64_rlx(record, next_held, held);
    } while (!is_done);
    hf__gate_wake_any_for(gate, word, next);
    return true;
}

/* Returns true if `one` had the slot before `other`. The answer is wrong if the slot was given out 32,768
 * times in between. */
static inline bool is_earlier(uint32_t one, uint32_t other)
{
    return one == 0 || ((other - one) & (HF_THREAD_MARK - 1)) < HF_THREAD_MARK / 2;
}

void hf__holds_join(hf__gate *gate, uint32_t self)
{
    if (!hf__is_slot(self)) {
        return;
    }
    hf__record *record = hf__record_of(gate, self);
    hf__record held = hf__load64_rlx(record);
    while (hf__holder_in(held) != self && is_earlier(hf__holder_in(held), self)) {
        leaves_with(gate, record, held, (hf__record)self << HF__RECORD_HOLDER);
        held = hf__load64_rlx(record);
    }
}

hf_result hf__holds_leave(hf__gate *gate, uint32_t self, uint32_t amount)
{
    if (!hf__is_slot(self)) {
        return hf__gate_leave(gate, amount, HF__HOLDS_MOST, hf__opens_at(gate)) ? HF_OK : HF_NOT_OWNER;
    }
    hf__record *record = hf__record_of(gate, self);
    hf__record held;
    do {
        held = hf__load64_rlx(record);
        if (hf__holder_in(held) != self || held_in(held) < amount) {
            return HF_NOT_OWNER;
        }
    } while (!leaves_with(gate, record, held, held - amount));
    return HF_OK;
}

hf_result hf__holds_downgrade(hf__gate *gate, uint32_t self)
{
    uint64_t word;
    uint64_t next;
    do {
        word = hf__load64_rlx(&gate->word);
        if (used_in(word) != self) {
            return HF_NOT_OWNER;
        }
        next = after_leave(word, self - 1, 1);
    } while (!hf__cas64_rel(&gate->word, word, next)); /* [R1] */
    hf__gate_passed(gate, self, 1, HF__HOLDS_MOST);    /* I1, I2 */
    hf__gate_wake_any_for(gate, word, next);
    return HF_OK;
}

uint32_t hf__holds_of(hf__gate *gate, uint32_t self)
{
    hf__record held = hf__load64_rlx(hf__record_of(gate, self));
    return hf__holder_in(held) == self ? held_in(held) : 0;
}

void hf__holds_probe(hf__gate *gate, hf__agents *agents, uint32_t self, uint32_t now_ms)
{
    uint32_t count = hf__load_rlx(&agents->count);
    for (uint32_t at = 0; at < count; at += 1) {
        hf__record *record = &hf__records(gate)[at];
        hf__record held = hf__load64_rlx(record);
        uint32_t holder = hf__holder_in(held);
        if (held_in(held) != 0 && holder != self && hf__agents_probe(agents, holder, now_ms)) {
            leaves_with(gate, record, held, held - held_in(held));
        }
    }
}
