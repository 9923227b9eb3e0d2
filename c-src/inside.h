/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_INSIDE_H
#define HOLDFAST_INSIDE_H

#include <stdint.h>

#include "holdfast/result.h"

/* The C threads inside an object, that is, those that will still touch it: counted in a word of its own, for
 * a destroy that waits until they are out. JavaScript threads are not counted. */

/* Counts the caller. Never blocks. Requires: whoever will destroy the object synchronizes with the caller
 * after this: by the object itself, or by the mutex of a condition. */
void hf__inside_enter(uint32_t *inside);

/* Counts the caller out: it does not touch the object any more. Never blocks. */
void hf__inside_leave(uint32_t *inside);

/* Blocks: until nobody is inside, or deadline_ns (on hf_now_ns()). Requires: one thread at a time calls it.
 * Returns HF_OK: all that those inside did comes before it; or HF_TIMEOUT. */
hf_result hf__inside_wait_until(uint32_t *inside, int64_t deadline_ns);

#endif
