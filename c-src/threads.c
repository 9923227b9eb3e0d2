/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include "threads.h"

#include "holdfast/atomic.h"
#include "holdfast/thread.h"

uint32_t hf__threads_join(hf__threads *threads, uint32_t id_low, uint32_t id_high)
{
    hf__cas64_rlx(&threads->id, 0, (uint64_t)id_high << 32 | id_low | 1);
    /* HF_THREAD_JS alone is never given out, so an identity is never 0 below that bit. */
    uint32_t before = hf__add_rlx(&threads->joined, 1) % (HF_THREAD_RANDOM - HF_THREAD_JS - 1);
    return HF_THREAD_JS + 1 + before;
}
