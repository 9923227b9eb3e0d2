/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef AGENTS_STAGE_H
#define AGENTS_STAGE_H

#include "agents.h"

/* A table of threads, and a stand-in for the engine, which counts the waitAsync entries on each presence word.
 * The linker (--wrap) puts the stand-in before the futex. Wakes of other words go on to the futex. */

/* Resets the table: that many free slots, and no entries. Requires: no other thread uses it. */
void agents_make(uint32_t slots);

hf__agents *agents_at(void);

/* Returns the slot of an identity, which must have one. */
hf__agent *agents_slot_of(uint32_t identity);

/* Adds that many entries of the agent to its presence word, up to AGENTS_ENTRIES_MOST. Requires: entries of
 * the slot's former agent are gone. */
enum { AGENTS_ENTRIES_MOST = UINT16_MAX };
void agents_arm(uint32_t identity, uint32_t entries);

/* Returns how many entries wait on the presence word of that slot, whichever agent has it. */
uint32_t agents_armed(uint32_t identity);

/* Removes that many entries of the agent, or all there are, as the engine does when it dies. Returns how
 * many. */
uint32_t agents_lose(uint32_t identity, uint32_t entries);

/* Returns how many entries `credits` counts. */
uint32_t agents_counted(uint32_t identity);

/* Called in each wake of a presence word, before it takes an entry. NULL: nothing. */
extern void (*agents_before_wake)(void);

/* Returns how often a presence word was woken since agents_make. */
uint32_t agents_wakes(void);

#endif
