/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef GATE_WAYS_H
#define GATE_WAYS_H

#include <stdbool.h>

#include "gate.h"
#include "matrix.h"

/* A primitive's request to its gate. */
typedef struct gate_request {
    hf__gate *gate;
    uint32_t amount;
    uint32_t capacity;
    uint32_t opens_at; /* as of hf__gate_leave */
} gate_request;

/* Waits as an event loop does, in the gate's view: it only steps, re-checks now and then, may be busy when
 * its turn comes, its thread may pass and leave meanwhile, and it may give up. Returns whether it passed. */
bool gate_by_polling(matrix_thread *self, gate_request request);

/* Tries with a clock, as the glue does where it may not wait: it overtakes a thread that does not come.
 * Returns whether it passed. */
bool gate_by_watching(matrix_thread *self, gate_request request);

#endif
