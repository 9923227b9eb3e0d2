/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_CONDITION_PARTS_H
#define HOLDFAST_CONDITION_PARTS_H

#include "holdfast/condition.h"
#include "holdfast/result.h"
#include "waiting.h"

/* The condition without its mutex, in the parts of a wait. */

/* One more waits. Requires: the mutex is held, and is released after this. Never blocks.
 * Returns the token for the other calls, or HF__CONDITION_FULL. */
uint32_t hf__condition_begin(hf_condition *condition);
#define HF__CONDITION_FULL UINT32_MAX

/* Takes a grant if there is one for this waiter, which ends the wait; else HF__WAIT_QUEUE. Never blocks. */
hf__outcome hf__condition_step(hf_condition *condition, uint32_t token);

/* Blocks: steps once, and waits once, for at most limit_ns (negative: no limit of the caller's; 0: ends the
 * wait). Returns HF_OK, HF_TIMEOUT iff the wait is over without a grant, or HF__WAIT_MORE. */
uint32_t hf__condition_wait(hf_condition *condition, uint32_t token, uint32_t before, int64_t limit_ns);

/* Ends a wait. Never blocks. Returns HF_OK iff it took a grant, which was there, else HF_TIMEOUT. */
hf_result hf__condition_give_up(hf_condition *condition, uint32_t token);

/* A blocked thread that took a grant has got the mutex: wakes the next one, if there is another grant. */
void hf__condition_pass_on(hf_condition *condition);

#endif
