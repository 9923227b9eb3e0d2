/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef AGENTS_STAGE_H
#define AGENTS_STAGE_H

#include "agents.h"

/* A table of threads, and what an engine does for them: it knows how many waitAsync entries wait on each
 * presence word. The linker puts it between the library and its futex (--wrap). Wakes of other words pass. */

/* The table has so many slots from now on, all free, and no entries. Never while other threads use it. */
void agents_make(uint32_t slots);

hf__agents *agents_at(void);

/* The slot of an identity, which must have one. */
hf__agent *agents_slot_of(uint32_t identity);

/* Entries of that agent wait on its presence word: so many more, AGENTS_ENTRIES_MOST at most. Those of the
 * agent that had the slot before must be gone. */
enum { AGENTS_ENTRIES_MOST = UINT16_MAX };
void agents_arm(uint32_t identity, uint32_t entries);

/* How many wait on the presence word of that slot, whoever has it. */
uint32_t agents_armed(uint32_t identity);

/* The engine removes so many entries of that agent, or all there are, as when it dies. Returns how many. */
uint32_t agents_lose(uint32_t identity, uint32_t entries);

/* How many entries are counted, of what `credits` has. */
uint32_t agents_counted(uint32_t identity);

/* Called in each wake of a presence word, before it takes an entry. NULL: nothing. */
extern void (*agents_before_wake)(void);

/* How often a presence word was woken since agents_make. */
uint32_t agents_wakes(void);

#endif
