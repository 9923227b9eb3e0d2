/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_EVENT_H
#define HOLDFAST_EVENT_H

#include <stdint.h>

#include "holdfast/bool.h"
#include "holdfast/gate.h"
#include "holdfast/result.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An event: threads wait until it is set. When an automatic event is set, it lets one waiter through, and
 * resets itself by that; until then further sets change nothing. A manual event stays set until it is reset.
 * Rules of all headers: holdfast.h.
 *
 * Storage: 16 bytes, 8-aligned; all-zero is valid: a manual event that is not set. It need not be
 * destroyed. The only waiter may free it as soon as its wait has returned. With several waiters, it may be
 * freed when all their waits have returned. The hf_event_set that let them through may still be running, but
 * no other call.
 *
 * Fairness: an automatic event is as fair as a mutex for which few wait (gate.h). A set of a manual event
 * releases all that wait at that moment, even if it is reset at once. */
typedef struct hf_event {
    hf__gate gate; /* an automatic event's; `own` has the kind of both, and a manual event's word */
} hf_event;

/* Initialises it in any memory, not set. `auto_reset`: whether it is automatic. Never blocks. Requires: no
 * other thread uses it yet. */
void hf_event_init(hf_event *event, hf_bool auto_reset);

/* Sets it. Never blocks. An event that is set already stays so. Even then all that came before this call is
 * visible to the threads that the event lets through, and after the next reset.
 * So no signal is lost between "write data, set" and a loop of "wait, look at data". Nor is one between
 * "write data, set" and "reset, look at data, wait", if only one thread resets it. Of two such threads, one
 * may take back the set that the other has not waited for yet. */
void hf_event_set(hf_event *event);

/* Resets it. Never blocks. A set that let nobody through yet is taken back, even if it is reserved for a
 * waiter. An event that is not set stays so. All that came before the sets until then is visible after the
 * reset. */
void hf_event_reset(hf_event *event);

/* Never blocks. Returns whether it is set; another thread may change that at any time. If a manual event is
 * set, all that came before the set is visible. */
hf_bool hf_event_is_set(const hf_event *event);

/* Blocks: until it is set. */
void hf_event_wait(hf_event *event);

/* Blocks: until it is set, or deadline_ns. Returns HF_OK or HF_TIMEOUT. */
hf_result hf_event_wait_until(hf_event *event, int64_t deadline_ns);

#ifdef __cplusplus
}
#endif
#endif
