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

uint32_t hf__rwlock_probe_reader(hf_rwlock *rwlock, hf__agents *agents, uint32_t known, uint32_t now_ms)
{
    uint32_t reader = hf__load_acq(&rwlock->gate.own);
    if (reader == known && hf__agents_probe(agents, reader, now_ms)) {
        hf__rwlock_leave_upgradable(rwlock, reader, 0); /* without an error: it has written nothing */
    }
    return reader;
}
