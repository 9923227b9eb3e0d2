/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_OWNERS_H
#define HOLDFAST_OWNERS_H

#include "agents.h"
#include "mutex.h"

/* Whether the owners of locks live, for those who wait for them. */

/* If `known` is the owner still, looks whether it is dead, and abandons the mutex then. Never blocks. Returns
 * the owner as it was, or 0. */
uint32_t hf__mutex_look(hf_mutex *mutex, hf__agents *agents, uint32_t known, uint32_t now_ms);

#endif
