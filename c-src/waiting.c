/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include "waiting.h"

#include <stdbool.h>

#include "futex.h"
#include "holdfast/result.h"

__attribute__((noinline)) uint32_t hf__wait_once(uint32_t *word, hf__outcome step, int64_t limit_ns)
{
    if (step == HF__DONE) {
        return HF_OK;
    }
    if (limit_ns == 0) {
        return HF_TIMEOUT;
    }
    bool cut_short = limit_ns > 0 && limit_ns < HF__SLICE_NS;
    hf__wait(word, (uint32_t)step, cut_short ? limit_ns : HF__SLICE_NS);
    return HF__WAIT_MORE;
}
