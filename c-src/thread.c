/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef __wasm__
#define _GNU_SOURCE /* gettid */
#include <unistd.h>
#endif

#include "holdfast/thread.h"

#ifdef __wasm__
__thread char hf__thread_anchor __attribute__((aligned(16)));
#else
__thread uint32_t hf__thread_id_cache;

uint32_t hf__thread_id_ask(void)
{
    hf__thread_id_cache = (uint32_t)gettid();
    return hf__thread_id_cache;
}
#endif
