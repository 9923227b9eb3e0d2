/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef REFERENCES_H
#define REFERENCES_H

#include "contestants.h"

/* The two locks that others are described by: what a section costs with them is counted beside holdfast's. */

/* One word: free, held, or held and waited for (U. Drepper, "Futexes are tricky", 2011). */
bool futex_sections(arena *arena, uint32_t thread);

/* A queue in which each waiter looks at a line of its own, and never sleeps (J. Mellor-Crummey, M. Scott,
 * "Algorithms for scalable synchronization", 1991). For no more threads than cores. */
void mcs_prepare(arena *arena);
bool mcs_sections(arena *arena, uint32_t thread);

#endif
