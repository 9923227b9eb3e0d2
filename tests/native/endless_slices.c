/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include "futex.h"
#include "waiting.h"

/* The linker puts this between the library and its futex (--wrap): a wait of a whole slice has no end. "No
 * wake needs this limit" (waiting.h), so a test whose threads all live must come to its end without it. */
hf__wait_result __real_hf__wait(uint32_t *word, uint32_t expected, int64_t timeout_ns);
hf__wait_result __wrap_hf__wait(uint32_t *word, uint32_t expected, int64_t timeout_ns);

hf__wait_result __wrap_hf__wait(uint32_t *word, uint32_t expected, int64_t timeout_ns)
{
    return __real_hf__wait(word, expected, timeout_ns == HF__SLICE_NS ? -1 : timeout_ns);
}
