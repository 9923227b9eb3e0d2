/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_EVENT_H
#define HOLDFAST_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "holdfast/gate.h"
#include "holdfast/result.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An event: threads wait until it is set. One that resets by itself lets one waiter through for each set.
 *
 * Storage: 16 bytes, 8-aligned; all-zero is valid: an event that stays set until it is reset, and is not set.
 *
 * Fairness: of an event that resets by itself, as of a mutex (gate.h). Of the other, a set releases all that
 * wait at that moment, even if it is reset at once. */
typedef struct hf_event {
    hf__gate gate; /* of one that resets by itself; its own word: of the other, and which of the two it is */
} hf_event;

/* Makes one of any memory. Requires: no other thread knows the event yet. Never blocks. */
void hf_event_init(hf_event *event, bool auto_reset);

/* Never blocks. An event that is set already stays as it is. */
void hf_event_set(hf_event *event);

/* Takes a set back that let nobody through yet, whoever it is reserved for. Never blocks. An event that is
 * not set stays as it is. */
void hf_event_reset(hf_event *event);

/* Never blocks. The answer may be late. Of an event that stays set, what came before the set is seen if this
 * is true. */
bool hf_event_is_set(const hf_event *event);

/* Blocks: until it is set, without limit. Requires: a thread that may block (not a browser's page). */
void hf_event_wait(hf_event *event);

/* Blocks: until it is set, or deadline_ns (on hf_now_ns()). Returns HF_OK or HF_TIMEOUT. */
hf_result hf_event_wait_until(hf_event *event, int64_t deadline_ns);

#ifdef __cplusplus
}
#endif
#endif
