/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_OWNER_PROBE_H
#define HOLDFAST_OWNER_PROBE_H

#include "agents.h"
#include "gate.h"

/* Whether the owners of gates (owned.h) live, for those who wait for them. */

/* If `known` is in use still and is an owner, looks whether that is dead, and abandons the gate then. Never
 * blocks. Returns what was in use. */
uint32_t hf__owner_probe(hf__gate *gate, hf__agents *agents, uint32_t known, uint32_t now_ms);

#endif
