/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include "owners.h"

#include "gate.h"

uint32_t hf__mutex_look(hf_mutex *mutex, hf__agents *agents, uint32_t known, uint32_t now_ms)
{
    uint32_t owner = hf__gate_used(&mutex->gate);
    if (owner == known && hf__agents_look(agents, owner, now_ms)) {
        hf__gate_abandon(&mutex->gate, owner, owner | HF_THREAD_MARK);
    }
    return owner;
}
