/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include "agents.h"

#include <stdbool.h>
#include <stddef.h>

#include "futex.h"
#include "holdfast/atomic.h"

/* STATES      free --join--> joining --enter--> alive --a probe wakes no entry, or leave--> dead
 *             dead --join--> joining. The identity in `state` changes with each join.
 * INVARIANTS  I1  A living agent has at least as many entries as `credits` counts. It arms an entry
 *                 before it counts the entry. A probe takes an entry off the count before it wakes one.
 *             I2  So if a probe wakes no entry, the engine has removed all of them: the agent has ended.
 *             I3  A dead agent's slot is given out only while no probe runs, and with no entries counted. One
 *                 compare-exchange does both, so no late probe can begin. Otherwise a probe of the former
 *                 agent could take an entry that the new agent counts.
 *             I4  A probe declares an identity dead, not a slot: a late probe cannot end the slot's next
 *                 agent.
 *             I5  When an agent leaves, or another one declares it dead, its entries are woken before the
 *                 slot is given out again, even those that it arms meanwhile. So the slot's next agent has
 *                 only its own entries.
 *             Slack: if a thread dies while it probes, joins, arms or leaves, that slot is not given out
 *             again.
 *             Slack: the death of an agent with no entries left is never found.
 *             Slack: an identity is given out again after the slot was given out 65,536 times.
 * ORDERS      A1  load of state in probe acq  R1  what the dead agent wrote into its slot is visible
 *             R1  cas to dead            rel  A1  the same
 *             All other changes are read-modify-writes of one word at a time, for which relaxed is enough:
 *             I3 is about the order of changes of `credits` alone. I5 needs more where the glue arms entries:
 *             there all operations are sequentially consistent.
 * CHECKED     models/programs/agents.scenarios.js on the shipped bytes; tests/native/agents_test.c,
 *             tests/native/agents_threads.c; tests/glue/abandoned.test.js, tests/browser/threads.test.js
 *
 * Source: new. Measurements show that engines drop the entries of an agent that ends; docs/decisions/0004 has
 * the alternatives. */

/* The lower bits of `state` hold one of these; the bits above hold the identity that was given out last. */
typedef enum hf__agent_state { FREE = 0, JOINING = 1, ALIVE = HF_AGENTS_ALIVE, DEAD = 3 } hf__agent_state;
enum { STATE_BITS = HF_AGENTS_STATE_BITS };

/* The lower bits of `credits` count the probes that run now. */
enum { PROBING_BITS = 12 };
#define PROBING ((UINT32_C(1) << PROBING_BITS) - 1)
#define ENTRY (UINT32_C(1) << PROBING_BITS)

/* An agent with fewer entries than this is probed less often: the pause between two probes doubles for each
 * missing entry. So the last 8 entries of an agent that arms none (it computes or blocks for long) last for
 * 2.5 minutes. */
enum { ENTRIES_ENOUGH = 8 };

static inline uint32_t state_of(uint32_t identity, hf__agent_state state)
{
    return identity << STATE_BITS | state;
}

__attribute__((noinline)) static hf__agent *slot_at(hf__agents *agents, uint32_t number)
{
    return (hf__agent *)((char *)agents + hf__load_rlx(&agents->slots)) + (number - 1);
}

hf__agent *hf__agents_slot(hf__agents *agents, uint32_t identity)
{
    uint32_t number = identity & HF_AGENTS_MOST;
    if (!hf__is_slot(identity) || number == 0 || number > hf__load_rlx(&agents->count)) {
        return NULL;
    }
    return slot_at(agents, number);
}

/* Probes an agent: takes one of its entries, if there is one. Returns whether the agent is dead. */
__attribute__((noinline)) static bool has_died(hf__agent *agent, uint32_t identity)
{
    uint32_t credits;
    do {
        credits = hf__load_rlx(&agent->credits);
        if (credits < ENTRY) {
            return false;
        }
    } while (!hf__cas_rlx(&agent->credits, credits, credits - ENTRY + 1));
    bool is_gone = hf__wake(&agent->presence, 1) == 0;
    if (is_gone) {
        hf__cas_rel(&agent->state, state_of(identity, ALIVE), state_of(identity, DEAD)); /* [R1], I4 */
    }
    hf__add_rlx(&agent->credits, UINT32_MAX);
    return is_gone;
}

static inline uint32_t entries_missing(const hf__agent *agent)
{
    uint32_t entries = hf__load_rlx(&agent->credits) >> PROBING_BITS;
    return entries < ENTRIES_ENOUGH ? ENTRIES_ENOUGH - entries : 0;
}

/* Returns whether the last probe was long enough ago. Of several callers at once only one gets true, and
 * makes the next probe. */
__attribute__((noinline)) static bool is_time_to_probe(hf__agent *agent, uint32_t now_ms)
{
    uint32_t looked = hf__load_rlx(&agent->looked);
    bool is_early = now_ms - looked < (uint32_t)HF_AGENTS_PAUSE_MS << entries_missing(agent);
    return !is_early && hf__cas_rlx(&agent->looked, looked, now_ms);
}

__attribute__((noinline)) bool hf__agents_probe(hf__agents *agents, uint32_t identity, uint32_t now_ms)
{
    hf__agent *agent = hf__agents_slot(agents, identity);
    if (agent == NULL) {
        return false;
    }
    uint32_t state = hf__load_acq(&agent->state); /* [A1] */
    if (state != state_of(identity, ALIVE)) {
        return true; /* not alive: only threads that have joined hold locks */
    }
    return is_time_to_probe(agent, now_ms) && has_died(agent, identity);
}

/* Each joining thread probes each agent once, so the pause matters only for agents with few entries. */
static inline bool is_found_dead(hf__agent *agent, uint32_t identity, uint32_t now_ms)
{
    bool may_probe = entries_missing(agent) == 0 || is_time_to_probe(agent, now_ms);
    return may_probe && has_died(agent, identity);
}

/* Takes a slot (I3). Returns the new agent's identity, or 0. */
__attribute__((noinline)) static uint32_t take(hf__agents *agents, uint32_t number, bool probes,
                                               uint32_t now_ms)
{
    hf__agent *agent = slot_at(agents, number);
    uint32_t state = hf__load_rlx(&agent->state);
    uint32_t former = state >> STATE_BITS;
    if (probes && state == state_of(former, ALIVE) && is_found_dead(agent, former, now_ms)) {
        state = state_of(former, DEAD);
    }
    if (state != FREE && state != state_of(former, DEAD)) {
        return 0;
    }
    uint32_t next =
        HF_THREAD_JS | ((former & ~(uint32_t)HF_AGENTS_MOST) + HF_AGENTS_MOST + 1) % HF_THREAD_MARK | number;
    if (!hf__cas_rlx(&agent->state, state, state_of(next, JOINING))) {
        return 0;
    }
    uint32_t credits;
    do {
        credits = hf__load_rlx(&agent->credits);
        if (credits & PROBING) {
            /* Another thread probes this slot, or died while it probed. */
            hf__cas_rlx(&agent->state, state_of(next, JOINING), state_of(next, DEAD));
            return 0;
        }
    } while (!hf__cas_rlx(&agent->credits, credits, 0));
    return next;
}

/* Tries slots known to be unused first: each probe costs a living agent an entry. */
static inline uint32_t join(hf__agents *agents, uint32_t rounds, uint32_t now_ms)
{
    uint32_t count = hf__load_rlx(&agents->count);
    uint32_t number = hf__load_rlx(&agents->last);
    for (uint32_t at = 0; at < rounds * count; at += 1) {
        number = number < count ? number + 1 : 1;
        uint32_t identity = take(agents, number, at >= count, now_ms);
        if (identity != 0) {
            hf__store_rlx(&agents->last, number);
            return identity;
        }
    }
    return 0;
}

uint32_t hf__agents_join(hf__agents *agents, uint32_t now_ms)
{
    return join(agents, 2, now_ms);
}

uint32_t hf__agents_join_unused(hf__agents *agents)
{
    return join(agents, 1, 0);
}

/* Returns whether self still has the slot: joining or alive. */
__attribute__((noinline)) static bool is_there(const hf__agent *agent, uint32_t self)
{
    return hf__load_rlx(&agent->state) - state_of(self, JOINING) <= ALIVE - JOINING;
}

bool hf__agent_arms(hf__agent *agent, uint32_t self)
{
    /* I5: counts as a probe, so that no other thread gets the slot before the entries are armed. */
    hf__add_rlx(&agent->credits, 1);
    bool lives = is_there(agent, self);
    if (!lives) {
        hf__add_rlx(&agent->credits, UINT32_MAX);
    }
    return lives;
}

bool hf__agent_credit(hf__agent *agent, uint32_t self, uint32_t entries)
{
    bool lives = is_there(agent, self);
    if (!lives) {
        hf__wake(&agent->presence, HF__WAKE_ALL);
    }
    hf__add_rlx(&agent->credits, entries * ENTRY - 1); /* the next thread in the slot resets the credits */
    hf__cas_rlx(&agent->state, state_of(self, JOINING), state_of(self, ALIVE));
    return lives;
}

void hf__agent_leave(hf__agent *agent, uint32_t self)
{
    /* I5: counts as a probe, so that no other thread gets the slot meanwhile. */
    hf__add_rlx(&agent->credits, 1);
    if (hf__cas_rel(&agent->state, state_of(self, ALIVE), state_of(self, DEAD))) { /* [R1] */
        hf__wake(&agent->presence, HF__WAKE_ALL);
    }
    hf__add_rlx(&agent->credits, UINT32_MAX);
}

void hf__agents_declare_all_dead(hf__agents *agents)
{
    uint32_t count = hf__load_rlx(&agents->count);
    for (uint32_t number = 1; number <= count; number += 1) {
        hf__agent *agent = slot_at(agents, number);
        uint32_t identity = hf__load_rlx(&agent->state) >> STATE_BITS;
        hf__store_rlx(&agent->state, identity ? state_of(identity, DEAD) : FREE);
        hf__store_rlx(&agent->credits, 0);
    }
}
