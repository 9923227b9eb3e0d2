/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_HOST_H
#define HOLDFAST_HOST_H

#include <stdint.h>

#include "holdfast/bool.h"

/* For WebAssembly programs without Emscripten: `--target=wasm32 -matomics -mbulk-memory`, with any C library
 * or none. The host provides these three functions as imports of the module "holdfast". A program that
 * defines them itself, in any language, has no such imports.
 *
 * Such a program has no table of threads (hf_threads()), so the death of one of its threads is not noticed.
 * docs/start/freestanding.md has a whole program. */
#if defined(__wasm__) && !defined(__EMSCRIPTEN__)
#define HF__HOST

#ifdef __cplusplus
extern "C" {
#endif

#define HF__FROM_HOST(name) __attribute__((import_module("holdfast"), import_name(name)))

/* Never blocks. Returns the calling thread's identity: 1 to HF_HOST_THREADS, the same one until the thread
 * ends, unique among the living threads that use the same memory. Each lock and unlock calls it. */
HF__FROM_HOST("thread_id") uint32_t hf_host_thread_id(void);
#define HF_HOST_THREADS ((UINT32_C(1) << 26) - 1)

/* Never blocks. Returns the time in nanoseconds, on a monotonic clock that all threads share. Calls with a
 * deadline use it. */
HF__FROM_HOST("now_ns") int64_t hf_host_now_ns(void);

/* Never blocks. Returns whether the calling thread may block by memory.atomic.wait32: a worker may, a page
 * may not. Each call that may block asks it first, and traps in a thread that may not. */
HF__FROM_HOST("may_block") hf_bool hf_host_may_block(void);

#ifdef __cplusplus
}
#endif
#endif
#endif
