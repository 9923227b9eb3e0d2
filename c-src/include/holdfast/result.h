/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_RESULT_H
#define HOLDFAST_RESULT_H

/* What an operation came to. Never errno: a result is either HF_OK, or says why nothing happened.
 * The numbers are part of the wasm ABI; the JavaScript copy is generated from this header. */
typedef enum hf_result {
    HF_OK = 0,
    HF_BUSY = 1,        /* somebody else has it; nothing was changed */
    HF_TIMEOUT = 2,     /* the deadline passed first; nothing is held */
    HF_DEADLOCK = 3,    /* the caller holds it already and would wait for itself */
    HF_NOT_OWNER = 4,   /* the caller does not hold it, so it may not release it */
    HF_BAD_ADDRESS = 5, /* no allocated block starts there */
    HF_OVERFLOW = 6,    /* more than there may be; nothing was changed */
    HF_DONE = 7,        /* it was done already, or the caller completed it */
} hf_result;

#endif
