/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include "futex.h"

/* Not inlined: the baseline compiler of V8 11.3 (Node 20) loses values that are on the operand stack below
 * the instruction. tests/verification/contract.test.js checks it. */
__attribute__((noinline)) hf__wait_result hf__wait(uint32_t *word, uint32_t expected, int64_t timeout_ns)
{
    /* It has the same results. */
    return (hf__wait_result)__builtin_wasm_memory_atomic_wait32((int *)word, (int)expected, timeout_ns);
}

uint32_t hf__wake(uint32_t *word, uint32_t count)
{
    return __builtin_wasm_memory_atomic_notify((int *)word, count);
}
