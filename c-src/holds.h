/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_HOLDS_H
#define HOLDFAST_HOLDS_H

#include <stdbool.h>

#include "agents.h"
#include "gate.h"
#include "records.h"

/* A gate with a record of what each thread holds (records.h). */

/* Gives back what the former, dead owner of self's slot still holds. Requires: self has never passed this
 * gate. Does nothing if another thread has the slot, since self was declared dead. Never blocks. */
void hf__holds_join(hf__gate *gate, uint32_t self);

/* Leaves the gate with `amount`. Never blocks. Returns HF_OK, or HF_NOT_OWNER iff self holds less; then
 * nothing changes. Holds of a thread without a slot are counted by the caller. */
hf_result hf__holds_leave(hf__gate *gate, uint32_t self, uint32_t amount);

/* Turns self's exclusive hold, whose amount is its identity, into an amount of 1. Never blocks. Returns
 * HF_OK, or HF_NOT_OWNER iff self does not hold the gate alone; then nothing changes. Holds of a thread
 * without a slot are counted by the caller. */
hf_result hf__holds_downgrade(hf__gate *gate, uint32_t self);

/* Returns how much self holds by its record; 0 if it holds the gate alone. Never blocks. Requires: self has a
 * slot. */
uint32_t hf__holds_of(hf__gate *gate, uint32_t self);

/* Probes the other threads that hold a part of the gate, and gives back all that dead ones held. Never
 * blocks. */
void hf__holds_probe(hf__gate *gate, hf__agents *agents, uint32_t self, uint32_t now_ms);

#endif
