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

/* Entries wait on the presence word of that agent: so many more; how many; one less, as when it dies. Returns
 * false if there is none. */
void agents_arm(uint32_t identity, uint32_t entries);
uint32_t agents_armed(uint32_t identity);
bool agents_lose_one(uint32_t identity);

/* All entries are gone. */
void agents_lose_all(uint32_t identity);

/* How many entries are counted, of what `credits` has. */
uint32_t agents_counted(uint32_t identity);

/* Called in each wake of a presence word, before it takes an entry. NULL: nothing. */
extern void (*agents_before_wake)(void);

/* How often a presence word was woken since agents_make. */
uint32_t agents_wakes(void);

#endif
