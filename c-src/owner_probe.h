/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_OWNER_PROBE_H
#define HOLDFAST_OWNER_PROBE_H

#include "agents.h"
#include "gate.h"

/* Probes the owners of gates (owned.h), for the threads that wait for them. */

/* Probes the owner of the gate if it is still `known`, and abandons the gate if it is dead. Never blocks.
 * Returns the amount in use before. */
uint32_t hf__owner_probe(hf__gate *gate, hf__agents *agents, uint32_t known, uint32_t now_ms);

#endif
