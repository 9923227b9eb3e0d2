/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include <stdbool.h>

#include "futex.h"
#include "holdfast/gate.h"
#include "waiting.h"

/* The linker puts this between the library and its futex (--wrap): a wait of a whole slice, and a watch of
 * another waiter's slot, have no end. "No wake needs this limit" (waiting.h), so a test whose threads all
 * live must come to its end without it. */
hf__wait_result __real_hf__wait(uint32_t *word, uint32_t expected, int64_t timeout_ns);
hf__wait_result __wrap_hf__wait(uint32_t *word, uint32_t expected, int64_t timeout_ns);

hf__wait_result __wrap_hf__wait(uint32_t *word, uint32_t expected, int64_t timeout_ns)
{
    bool has_no_end = timeout_ns == HF__SLICE_NS || timeout_ns == HF_BESIDE_NS;
    return __real_hf__wait(word, expected, has_no_end ? -1 : timeout_ns);
}
