/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_RESULT_H
#define HOLDFAST_RESULT_H

/* The result of an operation. After HF_BUSY, HF_DEADLOCK, HF_NOT_OWNER and HF_OVERFLOW nothing was changed,
 * unless a function says otherwise. No function of the library sets errno. The numbers are part of the wasm
 * ABI. */
typedef enum hf_result {
    HF_OK = 0,
    HF_BUSY = 1,        /* the object is held, or reserved for a waiter */
    HF_TIMEOUT = 2,     /* the deadline has passed; nothing is held */
    HF_DEADLOCK = 3,    /* the caller holds the object already, and would wait for itself */
    HF_NOT_OWNER = 4,   /* the caller does not hold the object, so it may not release it */
    HF_BAD_ADDRESS = 5, /* no allocated block starts there */
    HF_OVERFLOW = 6,    /* a number is 0, or more than there may be */
    HF_DONE = 7,        /* the work is done already, or the caller completed it */
    HF_ABANDONED = 8,   /* the thread that held the object has died, or has not recovered it */
    HF_CLOSED = 9,      /* the object is closed */
    HF_CORRUPT = 10,    /* the words of the object are not valid */
} hf_result;

#endif
