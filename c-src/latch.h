/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_LATCH_PARTS_H
#define HOLDFAST_LATCH_PARTS_H

#include "holdfast/latch.h"
#include "waiting.h"

/* Never blocks. HF__DONE iff the count is 0; else HF__WAIT_TURN, on the latch's word. */
hf__outcome hf__latch_step(hf_latch *latch);

/* Blocks: steps once, and waits once, for at most limit_ns (negative: no limit of the caller's; 0: does not
 * wait). Returns HF_OK, HF__WAIT_MORE, or HF_TIMEOUT iff limit_ns is 0. */
uint32_t hf__latch_wait(hf_latch *latch, uint32_t before, int64_t limit_ns);

#endif
