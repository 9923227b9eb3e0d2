/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_HOLDS_H
#define HOLDFAST_HOLDS_H

#include <stdbool.h>

#include "agents.h"
#include "gate.h"
#include "records.h"

/* A gate with records of what each thread holds (records.h). */

/* Gives back what the former, dead thread in self's slot held. Requires: self has not passed yet. Does
 * nothing if self was declared dead and another thread has the slot. Never blocks. */
void hf__holds_join(hf__gate *gate, uint32_t self);

/* Leaves the gate with what self holds. Never blocks. Returns HF_OK, or HF_NOT_OWNER iff self holds less;
 * nothing is changed then. For a thread without a slot the caller counts what it holds. */
hf_result hf__holds_leave(hf__gate *gate, uint32_t self, uint32_t amount);

/* Makes self, which holds the gate alone by its identity, hold 1 of it. Never blocks. Returns HF_OK, or
 * HF_NOT_OWNER iff self does not hold it alone; nothing is changed then. For a thread without a slot the
 * caller counts what it holds. */
hf_result hf__holds_downgrade(hf__gate *gate, uint32_t self);

/* Returns how much self holds, by its record: 0 if it has the gate alone. Never blocks. Requires: self has a
 * slot. */
uint32_t hf__holds_of(hf__gate *gate, uint32_t self);

/* Probes the other threads that hold a part of the gate, and gives back all that dead ones held. Never
 * blocks. */
void hf__holds_probe(hf__gate *gate, hf__agents *agents, uint32_t self, uint32_t now_ms);

#endif
