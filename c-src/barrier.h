/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_BARRIER_PARTS_H
#define HOLDFAST_BARRIER_PARTS_H

#include "holdfast/barrier.h"
#include "waiting.h"

/* Never blocks. Returns HF__BARRIER_LAST iff the caller was the last to arrive and need not wait; else the
 * round, for the other calls, in bits 0-31. */
uint64_t hf__barrier_arrive(hf_barrier *barrier);
#define HF__BARRIER_LAST (UINT64_C(1) << 32)

/* Never blocks. Returns HF__DONE iff that round is over; else HF__WAIT_TURN, on the lower half. */
hf__outcome hf__barrier_step(hf_barrier *barrier, uint32_t round);

/* Blocks: one step and one wait, as hf__wait_once; a limit of 0 takes the arrival back. Returns HF_TIMEOUT
 * iff the arrival was taken back. */
uint32_t hf__barrier_wait(hf_barrier *barrier, uint32_t round, uint32_t before, int64_t limit_ns);

/* Takes the arrival back. Never blocks. Returns HF_TIMEOUT, or HF_OK iff that round is over. */
hf_result hf__barrier_give_up(hf_barrier *barrier, uint32_t round);

#endif
