/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_THREAD_H
#define HOLDFAST_THREAD_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A thread's identity in lock words: HF_THREAD_BITS wide, never 0, unique among the living threads of one
 * memory. The upper half of the range belongs to JavaScript threads (HF_THREAD_JS is set), which draw
 * theirs elsewhere; so a C thread and a JavaScript thread never share one. In the memory of a C program those
 * draw at random: two of n JavaScript threads have the same one with a probability of about n^2 / 2^29, which
 * is 1 in 5 million for 10 threads, and can then unlock each other's locks.
 *
 * The C and the JavaScript of one and the same thread are two owners as well: what one of them locked, only
 * it can unlock, and the other one finds the lock held by somebody else. */
enum { HF_THREAD_BITS = 29 };
#define HF_THREAD_MASK ((UINT32_C(1) << HF_THREAD_BITS) - 1)
#define HF_THREAD_JS (UINT32_C(1) << (HF_THREAD_BITS - 1))

#ifdef __wasm__
/* The address of a thread's own variable is its identity: no counter to wrap, nothing to register. */
extern __thread char hf__thread_anchor __attribute__((aligned(16)));

/* Never blocks. Returns the calling thread's identity. */
static inline uint32_t hf_thread_id(void)
{
    return (uint32_t)(uintptr_t)&hf__thread_anchor >> 4;
}
#else
extern __thread uint32_t hf__thread_id_cache;
uint32_t hf__thread_id_ask(void);

/* Never blocks. Returns the calling thread's identity, the kernel's thread id. So the child of a fork() has
 * one of its own: what its parent held then is held there by nobody, until it is zeroed or initialised again.
 */
static inline uint32_t hf_thread_id(void)
{
    return hf__thread_id_cache ? hf__thread_id_cache : hf__thread_id_ask();
}
#endif

#ifdef __cplusplus
}
#endif
#endif
