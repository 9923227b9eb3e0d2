/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_MUTEX_PARTS_H
#define HOLDFAST_MUTEX_PARTS_H

#include "holdfast/mutex.h"

/* The glue's calls of a mutex. Unlike C's calls, they do not acquire an abandoned mutex. */

/* As hf_mutex_lock. Blocks: until the caller holds it, or for about 85 ms: then it returns HF__WAIT_MORE
 * with a token for hf__gate_wait (gate.h). May return HF_ABANDONED, and then nothing is held. */
uint32_t hf__mutex_lock_for_a_time(hf_mutex *mutex, uint32_t self);

/* As hf_mutex_trylock. Never blocks. Returns HF_BUSY for an abandoned mutex. */
hf_result hf__mutex_try(hf_mutex *mutex, uint32_t self);

/* As hf_mutex_unlock. Never blocks. */
hf_result hf__mutex_release(hf_mutex *mutex, uint32_t self);

#endif
