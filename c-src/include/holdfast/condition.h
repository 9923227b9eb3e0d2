/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_CONDITION_H
#define HOLDFAST_CONDITION_H

#include <stdbool.h>
#include <stdint.h>

#include "holdfast/mutex.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A condition: threads that hold a mutex wait until others have changed what it guards. It may be used from C
 * and, through the glue, from JavaScript at the same time, on the page too.
 *
 *   hf_mutex_lock(&mutex);
 *   while (queue_is_empty(&queue)) {
 *       hf_condition_wait(&not_empty, &mutex);
 *   }
 *   take_from(&queue);
 *   hf_mutex_unlock(&mutex);
 *
 * Storage: 16 bytes, 8-aligned; all-zero is valid, with nobody waiting, so zeroing is all there is to an
 * init. It may be freed when nobody waits and no notify runs any more.
 *
 * Promise: a notify releases threads that began to wait before it, and as many as it says, if so many wait.
 * One that began later is not released in place of an earlier one. Those that it releases wake in turn: one
 * wakes the next when it has got the mutex, so that they do not all run for it.
 *
 * Spurious: only when a thread died while it waited. The next notify may then release one more than it says.
 */
typedef struct hf_condition {
    uint64_t word __attribute__((aligned(8))); /* waiters, epoch and grants, see condition.c */
    uint32_t line;                             /* only waited on; always 0 */
    uint32_t reserved;
} hf_condition;

/* The most waits for one condition at a time. */
enum { HF_CONDITION_MOST_WAITERS = (1 << 18) - 1 };

/* Releases the mutex, waits, and takes the mutex again, whatever it returns. No notify that comes after the
 * release of the mutex is lost. Blocks: until it was notified and has got the mutex. Requires: a thread that
 * may block (not a browser's page). Returns HF_OK; HF_NOT_OWNER iff the caller does not hold the mutex;
 * HF_OVERFLOW iff HF_CONDITION_MOST_WAITERS wait. It has not waited in the last two cases. */
hf_result hf_condition_wait(hf_condition *condition, hf_mutex *mutex);

/* The same, but gives up at deadline_ns (on hf_now_ns()); then it waits for the mutex only.
 * On timeout: the mutex is held, and no notify was used up. Returns HF_TIMEOUT, or as above. */
hf_result hf_condition_wait_until(hf_condition *condition, hf_mutex *mutex, int64_t deadline_ns);

/* Releases up to `count` of those that wait now; HF_CONDITION_ALL for all. Whether the caller holds the mutex
 * does not matter for correctness, if what is waited for was changed with the mutex held. One that does not
 * hold it spares those that it wakes a second sleep, in the mutex. Never blocks. */
void hf_condition_notify(hf_condition *condition, uint32_t count);
#define HF_CONDITION_ALL UINT32_MAX

#ifdef __cplusplus
}
#endif
#endif
