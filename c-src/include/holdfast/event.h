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

/* An event: threads wait until it is set. An automatic event lets one waiter through when it is set, and
 * resets itself by that: until then further sets change nothing. Any other event stays set until it is reset.
 *
 * Storage: 16 bytes, 8-aligned; all-zero is valid: an event that is not automatic, and not set.
 * It need not be destroyed. It may be freed when no call for it runs but the hf_event_set that let a waiter
 * through: if there is one waiter, that may do so at once; if there are several, when all have returned.
 *
 * Fairness: an automatic event is as fair as a mutex for which few wait (gate.h). A set of another event
 * releases all that wait at that moment, even if it is reset at once. */
typedef struct hf_event {
    hf__gate gate; /* an automatic event; `own` is the other kind, and says which kind it is */
} hf_event;

/* Initialises it in any memory, not set. `auto_reset`: whether it is automatic. Never blocks. Requires: no
 * other thread uses the event yet. */
void hf_event_init(hf_event *event, hf_bool auto_reset);

/* Sets it. If it is set already it stays so, and what came before this call, too, is visible to whom it lets
 * through, and after the next reset. So no signal is lost between "write data, set" and "reset, look at data,
 * wait", if one thread alone resets it, nor between "write data, set" and a loop of "wait, look at data". Of
 * two threads that reset, one may take back the set that the other has not waited for yet. Never blocks. Any
 * thread may call it. */
void hf_event_set(hf_event *event);

/* Resets it. A set that let nobody through yet is taken back, even if it is reserved for a waiter. One that
 * is not set stays so. All that came before the sets until then is visible after it. Never blocks. Any thread
 * may call it. */
void hf_event_reset(hf_event *event);

/* Never blocks. Returns whether it is set; another thread may change that meanwhile. If an event that is not
 * automatic is set, all that came before the set is visible. */
hf_bool hf_event_is_set(const hf_event *event);

/* Blocks: until it is set, without limit. Requires: a thread that may block (not a browser's page). */
void hf_event_wait(hf_event *event);

/* Blocks: until it is set, or deadline_ns (on hf_now_ns()). Returns HF_OK or HF_TIMEOUT. */
hf_result hf_event_wait_until(hf_event *event, int64_t deadline_ns);

#ifdef __cplusplus
}
#endif
#endif
