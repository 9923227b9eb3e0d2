/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_EVENT_PARTS_H
#define HOLDFAST_EVENT_PARTS_H

#include "gate.h"
#include "holdfast/event.h"

/* An event that resets by itself is a gate with one permit, and waits as one. What follows is for the other
 * kind. Its waiters sleep on the gate's own word, event loops too. */
enum { HF__EVENT_CAPACITY = 1 };

static inline bool hf__event_resets_itself(const hf_event *event)
{
    return hf__load_rlx(&event->gate.own) >> 31;
}

/* Never blocks. What a wait begins with: a token, which tells one set from the next. */
uint32_t hf__event_begin(const hf_event *event);

/* Never blocks. HF__DONE iff it is set, or was set since the wait began; else HF__WAIT_TURN. */
hf__outcome hf__event_step(hf_event *event, uint32_t token);

/* Blocks: steps once, and waits once, for at most limit_ns (negative: no limit of the caller's; 0: does not
 * wait). Returns HF_OK, HF__WAIT_MORE, or HF_TIMEOUT iff limit_ns is 0. */
uint32_t hf__event_wait(hf_event *event, uint32_t token, uint32_t before, int64_t limit_ns);

#endif
