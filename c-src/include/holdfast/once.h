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

/* Work that is done once. The first thread does it, and others wait until it is done. If the first one fails,
 * the next one tries. Rules of all headers: holdfast.h.
 *
 *   static hf_once once;
 *
 *   if (hf_once_begin(&once) == HF_OK) {
 *       hf_once_end(&once, make_table(&table));
 *   }
 *
 * Storage: 24 bytes, 8-aligned; all-zero is valid and not done. It may be freed when all calls have
 * returned, not before: hf_once_end touches it after others have learned that the work is done. */
typedef struct hf_once {
    hf_mutex mutex; /* held by the thread that does the work */
    uint32_t done;
    uint32_t reserved;
} hf_once;

/* Begins the work, or waits until it is done.
 * Blocks: while another thread does it.
 * Returns HF_OK iff the caller is to do it and then call hf_once_end; HF_DONE iff it is done, and what was
 * done is visible; HF_DEADLOCK iff the caller is doing it already. */
hf_result hf_once_begin(hf_once *once);

/* As hf_once_begin, but gives up at deadline_ns: HF_TIMEOUT. */
hf_result hf_once_begin_until(hf_once *once, int64_t deadline_ns);

/* Ends what hf_once_begin began. `is_done`: whether the work is done; if not, the next thread tries. Never
 * blocks.
 * Returns HF_OK, or HF_NOT_OWNER iff the caller is not doing it. */
hf_result hf_once_end(hf_once *once, hf_bool is_done);

/* Never blocks. Returns whether the work is done. If so, what was done is visible. */
hf_bool hf_once_is_done(const hf_once *once);

#ifdef __cplusplus
}
#endif
#endif
