/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_THREAD_H
#define HOLDFAST_THREAD_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A thread's identity in lock words: HF_THREAD_BITS wide, never 0, unique among the living threads of one
 * memory. The upper half of the range is for JavaScript threads (HF_THREAD_JS is set), so a C thread and a
 * JavaScript thread never have the same one.
 *
 * A JavaScript thread that attaches to the memory of a C program by hf_threads() gets an identity that no
 * other has, until 67 million have joined: then they start again. One that does not draws its own at random,
 * from HF_THREAD_RANDOM up. Two of n such threads have the same one with a probability of about n^2 / 400
 * million (1 in 4 million for 10 threads, 1 in 100,000 for 64), and can then unlock each other's locks.
 *
 * C and JavaScript are two owners even in one thread: only the side that locked can unlock. */
enum { HF_THREAD_BITS = 29 };
#define HF_THREAD_MASK ((UINT32_C(1) << HF_THREAD_BITS) - 1)
#define HF_THREAD_JS (UINT32_C(1) << (HF_THREAD_BITS - 1))
#define HF_THREAD_RANDOM (HF_THREAD_JS + (UINT32_C(1) << (HF_THREAD_BITS - 3)))

#ifdef __wasm__
/* Its address is the identity of the thread. */
extern __thread char hf__thread_anchor __attribute__((aligned(16)));

/* Never blocks. Returns the calling thread's identity. */
static inline uint32_t hf_thread_id(void)
{
    return (uint32_t)(uintptr_t)&hf__thread_anchor >> 4;
}

/* Never blocks; any thread may call it. Returns the address of what JavaScript threads need to join this
 * program, the same one each time: LockSpace.attach(memory, { threads: address }). Do not write there. */
void *hf_threads(void);
#else
extern __thread uint32_t hf__thread_id_cache;
uint32_t hf__thread_id_ask(void);

/* Never blocks. Returns the calling thread's identity: the kernel's thread id. The child of a fork() has
 * another identity than its parent. Locks that the parent held stay held there, by nobody: zero them or
 * initialise them again. */
static inline uint32_t hf_thread_id(void)
{
    return hf__thread_id_cache ? hf__thread_id_cache : hf__thread_id_ask();
}
#endif

#ifdef __cplusplus
}
#endif
#endif
