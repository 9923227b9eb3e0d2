/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_EVENT_PARTS_H
#define HOLDFAST_EVENT_PARTS_H

#include <stdbool.h>

#include "gate.h"
#include "holdfast/event.h"

/* An automatic event is a gate with a capacity of 1, and threads wait for it as for a gate. The rest of this
 * header is for manual events: all their waiters wait on the gate's `own`. */
enum { HF__EVENT_CAPACITY = 1 };

static inline bool hf__event_resets_itself(const hf_event *event)
{
    return hf__load_rlx(&event->gate.own) >> 31;
}

/* Never blocks. Returns the token for the other calls: the epoch. */
uint32_t hf__event_begin(const hf_event *event);

/* Never blocks. Returns HF__DONE iff the event is set, or was set since the wait began; else
 * HF__WAIT_TURN. */
hf__outcome hf__event_step(hf_event *event, uint32_t token);

/* Blocks: one step and one wait, as hf__wait_once. */
uint32_t hf__event_wait(hf_event *event, uint32_t token, uint32_t before, int64_t limit_ns);

#endif
