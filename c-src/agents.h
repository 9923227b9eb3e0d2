/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_AGENTS_H
#define HOLDFAST_AGENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "holdfast/thread.h"

/* The table of threads of a memory: their identities, and whether they live. It is at the start of a space;
 * in a C program hf_threads() says where. An agent, JavaScript's word for a thread, has a slot. Its identity
 * in lock words is the number of the slot and how often the slot was given out. C threads are agents too,
 * without entries: each leaves when it ends (threads.c).
 *
 * While an agent lives, it keeps waitAsync entries pending on a word of its own. When it ends, the engine
 * removes them. So another thread can probe the agent by waking that word: if the wake reaches no entry, the
 * agent is dead. A probe needs no message, and no turn of the agent's event loop. Each probe consumes one
 * entry. `credits` counts the remaining entries. Without entries the agent's death cannot be found. */
enum {
    HF_AGENTS_MAGIC = 0x33746668, /* "hft3" */
    HF_AGENTS_ALIGN = 32,         /* no C program has a table at the address where a space has its own */
    HF_AGENTS_NAME_BYTES = 28,
    HF_AGENTS_STATE_BITS = 2, /* the lower bits of `state`; the identity is above */
    HF_AGENTS_ALIVE = 2,      /* the value of these bits for a living agent */
    HF_AGENTS_MOST = (1 << HF_THREAD_SLOT_BITS) - 1,
};

/* The kind of object at an address: the lower bits of `place`. */
typedef enum hf__kind_at {
    HF__AT_MUTEX = 0,
    HF__AT_RWLOCK = 1,
    HF__AT_SEMAPHORE = 2,
    HF__AT_CONDITION = 3,
    HF__AT_EVENT = 4,
    HF__AT_LATCH = 5,
    HF__AT_BARRIER = 6,
    HF__AT_ONCE = 7,
} hf__kind_at;

/* The lowest bit of `since`: the wait has a time limit. One load reads both. */
enum { HF__WAIT_ENDS = 1 };

/* The object that an agent waits for, shown to other threads once the wait has lasted for a while. Only
 * diagnosis reads it. */
typedef struct hf__agent_wait {
    uint32_t place; /* the address, a multiple of 8, and the kind; 0: no wait, or a short one */
    uint32_t since; /* when the wait began, in ms as `looked`; in the lowest bit HF__WAIT_ENDS */
    uint32_t held;  /* when this agent first saw the object's present holder; 0: never */
} hf__agent_wait;

typedef struct hf__agent {
    uint32_t state;    /* the identity, and whether the agent lives; see agents.c */
    uint32_t credits;  /* upper bits: entries that probes may still wake; lower bits: probes that run now */
    uint32_t presence; /* always 0; the entries wait on it */
    uint32_t looked;   /* time of the last probe: milliseconds of any clock that all threads share */
    hf__agent_wait blocked;
    hf__agent_wait asked;               /* the wait of a request of its event loop */
    uint32_t ending;                    /* the identity of a terminated agent, which must give up its waits */
    uint8_t name[HF_AGENTS_NAME_BYTES]; /* UTF-8, zero behind; written before the agent is alive */
} hf__agent;

typedef struct hf__agents {
    uint32_t magic; /* HF_AGENTS_MAGIC; the glue expects it first */
    uint32_t last;  /* a hint about the slot given out last; any value is valid */
    uint64_t id; /* random, from the glue: shows that two memory objects are the same memory. 0: none yet */
    uint32_t count; /* the number of slots */
    uint32_t slots; /* the offset of the slots from here, in bytes; 4-aligned */
} hf__agents;

/* Takes a slot that is free, else one whose agent is found dead. The caller arms its entries
 * between hf__agent_arms and hf__agent_credit, all before its first lock. Never blocks. Returns the caller's
 * identity, or 0 iff no slot is known to be unused. An agent with few entries left is not probed too soon
 * after its last probe (hf__agents_probe). */
uint32_t hf__agents_join(hf__agents *agents, uint32_t now_ms);

/* As hf__agents_join, but probes no agent: a dead agent that was not found dead yet keeps its slot. */
uint32_t hf__agents_join_unused(hf__agents *agents);

/* Never blocks. Returns the slot that the identity names, even if another agent has it now; NULL if the
 * identity is not of this table. */
hf__agent *hf__agents_slot(hf__agents *agents, uint32_t identity);

/* Begins the arming of entries. Never blocks. Returns false iff self was found dead or has left. On true
 * hf__agent_credit has to follow, and until then no other thread gets the slot. */
bool hf__agent_arms(hf__agent *agent, uint32_t self);

/* Declares self alive, and counts the `entries` that it has armed (0 if it can have none). Never blocks.
 * Returns false, and wakes the entries, iff self was found dead or has left meanwhile. */
bool hf__agent_credit(hf__agent *agent, uint32_t self, uint32_t entries);

/* hf__agent_arms and hf__agent_credit in one call, for an agent without entries or with entries that are
 * armed already.
 */
static inline bool hf__agent_appear(hf__agent *agent, uint32_t self, uint32_t entries)
{
    return hf__agent_arms(agent, self) && hf__agent_credit(agent, self, entries);
}

/* Declares self dead, even with entries left: for a window that is removed while its thread lives on. Never
 * blocks.
 */
void hf__agent_leave(hf__agent *agent, uint32_t self);

/* Declares all agents dead. Requires: no thread uses the table meanwhile. */
void hf__agents_declare_all_dead(hf__agents *agents);

/* Probes an agent that has held a lock. Never blocks. Returns true only if it is dead. Returns false also if
 * that is unknown, if the identity is not of this table, or if the agent was probed less than
 * HF_AGENTS_PAUSE_MS ago. `now_ms` is a time of a clock that all threads share. */
bool hf__agents_probe(hf__agents *agents, uint32_t identity, uint32_t now_ms);

/* The least time between two probes of one agent. The longer slices of a sleeping thread are longer than
 * this, so each of them can end with a probe (owner_probe.c). */
enum { HF_AGENTS_PAUSE_MS = 600 };

#endif
