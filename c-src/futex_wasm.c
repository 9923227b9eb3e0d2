/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include "futex.h"

/* A function of its own, so that no value of a caller lies on the stack below the instruction: the baseline
 * compiler of V8 11.3 (Node 20) loses those. tests/verification/contract.test.js holds the module to it. */
__attribute__((noinline)) hf__wait_result hf__wait(uint32_t *word, uint32_t expected, int64_t timeout_ns)
{
    /* The instruction's own results 0, 1 and 2 are hf__wait_result. */
    return (hf__wait_result)__builtin_wasm_memory_atomic_wait32((int *)word, (int)expected, timeout_ns);
}

void hf__wake(uint32_t *word, uint32_t count)
{
    __builtin_wasm_memory_atomic_notify((int *)word, count);
}
