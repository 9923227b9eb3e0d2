/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_ONCE_H
#define HOLDFAST_ONCE_H

#include <stdint.h>

#include "holdfast/bool.h"
#include "holdfast/mutex.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Something that is done once: the first thread does it, and others wait until it is done. If the first one
 * fails, the next one tries.
 *
 *   static hf_once once;
 *
 *   if (hf_once_begin(&once) == HF_OK) {
 *       hf_once_end(&once, make_table(&table));
 *   }
 *
 * Storage: 24 bytes, 8-aligned; all-zero is valid and not done, so zeroing is all there is to an init.
 * It may be freed when all calls have returned, not before: hf_once_end touches it after others are told that
 * it is done. */
typedef struct hf_once {
    hf_mutex mutex; /* held by the thread that does it */
    uint32_t done;
    uint32_t reserved;
} hf_once;

/* Begins it, or waits until it is done.
 * Blocks: while another thread does it. Requires: a thread that may block (not a browser's page).
 * Returns HF_OK iff the caller is to do it and then call hf_once_end; HF_DONE iff it is done, and what was
 * done is visible; HF_DEADLOCK iff the caller is doing it already. */
hf_result hf_once_begin(hf_once *once);

/* The same, but gives up at deadline_ns (on hf_now_ns()). Returns HF_TIMEOUT, or as above. */
hf_result hf_once_begin_until(hf_once *once, int64_t deadline_ns);

/* Ends what hf_once_begin began. `is_done`: whether it is done; else the next thread tries. Never blocks.
 * Returns HF_OK, or HF_NOT_OWNER iff the caller is not doing it. */
hf_result hf_once_end(hf_once *once, hf_bool is_done);

/* Never blocks. Returns whether it is done. If so, what was done is visible. */
hf_bool hf_once_is_done(const hf_once *once);

#ifdef __cplusplus
}
#endif
#endif
