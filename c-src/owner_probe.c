/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include "owner_probe.h"

#include "waiting.h"

/* A sleeper probes at the end of each slice of 640 ms and of 1,000 ms. With a longer pause between probes,
 * such a probe would be refused, and a death found one slice later. */
_Static_assert(HF_AGENTS_PAUSE_MS *HF_MILLISECOND < HF__SLICE_NS << (HF__SLICES_MOST - 1),
               "each of these slices ends with a probe");

uint32_t hf__owner_probe(hf__gate *gate, hf__agents *agents, uint32_t known, uint32_t now_ms)
{
    uint32_t used = hf__gate_used(gate);
    if (used == known && hf__agents_probe(agents, used, now_ms)) {
        hf__gate_abandon(gate, used, used | HF_THREAD_MARK);
    }
    return used;
}
