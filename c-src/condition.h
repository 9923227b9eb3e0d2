/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_CONDITION_PARTS_H
#define HOLDFAST_CONDITION_PARTS_H

#include "holdfast/condition.h"
#include "holdfast/result.h"
#include "waiting.h"

/* The parts of a wait, without the mutex. */

/* Requires: the caller holds the mutex, and releases it after this. Never blocks. Returns the token for the
 * other calls, or HF__CONDITION_FULL. */
uint32_t hf__condition_begin(hf_condition *condition);
#define HF__CONDITION_FULL UINT32_MAX

/* For an event loop. Never blocks.
 * Returns HF__DONE iff it took a grant, which ends the wait; else HF__WAIT_LINE. */
hf__outcome hf__condition_step(hf_condition *condition, uint32_t token);

/* Blocks: one step and one wait, as hf__wait_once; a limit of 0 ends the wait. Returns HF_TIMEOUT iff the
 * wait has ended without a grant. */
uint32_t hf__condition_wait(hf_condition *condition, uint32_t token, uint32_t before, int64_t limit_ns);

/* Never blocks. Returns HF_OK iff there was a grant, else HF_TIMEOUT. */
hf_result hf__condition_give_up(hf_condition *condition, uint32_t token);

/* Wakes the next blocking thread if there are more grants. Never blocks. Requires: the caller's wait has
 * ended, and if it took a grant, the caller holds the mutex or would have to wait for it. */
void hf__condition_pass_on(hf_condition *condition);

#endif
