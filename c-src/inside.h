/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_INSIDE_H
#define HOLDFAST_INSIDE_H

#include <stdint.h>

#include "holdfast/result.h"

/* Counts the C threads inside an object: those that will still touch it. A destroy waits until they are
 * out. JavaScript threads are not counted. */

/* Adds the caller to the threads inside the object. Never blocks. Requires: the destroying thread synchronizes
 * with the caller later, through the object or, for a condition, through its mutex. */
void hf__inside_enter(uint32_t *inside);

/* Stops counting the caller, which no longer touches the object. Never blocks. */
void hf__inside_leave(uint32_t *inside);

/* Blocks: until no thread is inside, or deadline_ns. Requires: one thread at a time calls it. Returns
 * HF_OK, and then all that the threads inside did is visible; or HF_TIMEOUT. */
hf_result hf__inside_wait_until(uint32_t *inside, int64_t deadline_ns);

#endif
