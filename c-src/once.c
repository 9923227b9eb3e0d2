/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include "once.h"

#include <stdbool.h>

#include "waiting.h"

/* STATES      not done --begin: lock the mutex--> a thread does it --end, failed: unlock--> not done
 *                                                          |
 *                                                          +--end [R1], unlock--> done, for ever
 * INVARIANTS  I1  Only the thread that holds the mutex sets `done`, and no thread clears it.
 *             I2  A waiter locks the mutex, checks `done`, and unlocks the mutex if `done` is set.
 * ORDERS      R1  store in end   rel  A1  what was done comes before it
 *             A1  load of done   acq  R1  what was done is visible, without the mutex too
 *             A load is enough, since nobody clears `done`: a thread that reads an old value checks again
 *             with the mutex.
 * CHECKED     models/ on the shipped bytes, which have the mutex and the flag only; tests/native/once_*.c */

bool hf_once_is_done(const hf_once *once)
{
    return hf__load_acq(&once->done); /* [A1] */
}

void hf__once_set_done(hf_once *once)
{
    hf__store_rel(&once->done, true); /* [R1] */
}

hf_result hf_once_begin_until(hf_once *once, int64_t deadline_ns)
{
    if (hf__thread_may_abort() && !hf_mutex_is_mine(&once->mutex)) {
        hf__thread_will_block(HF__CALL("hf_once_begin_async"));
    }
    if (hf_once_is_done(once)) {
        return HF_DONE;
    }
    hf_result result = hf_mutex_lock_until(&once->mutex, deadline_ns);
    if (result == HF_ABANDONED) {
        result = hf_mutex_recover(&once->mutex); /* the dead thread did not finish the work */
    }
    if (result == HF_OK && hf_once_is_done(once)) {
        hf_mutex_unlock(&once->mutex);
        return HF_DONE;
    }
    return result;
}

hf_result hf_once_begin(hf_once *once)
{
    return hf_once_begin_until(once, HF_FOREVER);
}

hf_result hf_once_end(hf_once *once, bool is_done)
{
    if (!hf_mutex_is_mine(&once->mutex)) {
        return HF_NOT_OWNER;
    }
    if (is_done) {
        hf__once_set_done(once);
    }
    return hf_mutex_unlock(&once->mutex);
}
