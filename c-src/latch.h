/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_LATCH_PARTS_H
#define HOLDFAST_LATCH_PARTS_H

#include "holdfast/latch.h"
#include "waiting.h"

/* Never blocks. Returns HF__DONE iff the count is 0; else HF__WAIT_TURN. */
hf__outcome hf__latch_step(hf_latch *latch);

/* Blocks: one step and one wait, as hf__wait_once. */
uint32_t hf__latch_wait(hf_latch *latch, uint32_t before, int64_t limit_ns);

#endif
