/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_THREAD_H
#define HOLDFAST_THREAD_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A thread's identity in lock words: HF_THREAD_BITS wide, never 0, unique among the living threads of one
 * memory. The upper half of the range is for JavaScript threads (HF_THREAD_JS is set), so a C thread and a
 * JavaScript thread never have the same one.
 *
 * A JavaScript thread has a slot in the table of threads (agents.h), if the memory is a space, or the thread
 * has attached to a C program's by hf_threads(). Its identity is the number of the slot, and above that how
 * often the slot was given out. Without a table, or without Atomics.waitAsync, by which others see that it
 * lives, it draws its identity at random, from HF_THREAD_RANDOM up.
 * Two of n such threads have the same one with a probability of about n^2 / 270 million (1 in 3 million for
 * 10 threads, 1 in 66,000 for 64), and can then unlock each other's locks.
 *
 * With HF_THREAD_MARK it is no thread's: a lock has that for an owner whose thread has died.
 *
 * C and JavaScript are two owners even in one thread: only the side that locked can unlock. */
enum { HF_THREAD_BITS = 29, HF_THREAD_SLOT_BITS = 10 };
#define HF_THREAD_MASK ((UINT32_C(1) << HF_THREAD_BITS) - 1)
#define HF_THREAD_JS (UINT32_C(1) << (HF_THREAD_BITS - 1))
#define HF_THREAD_RANDOM (HF_THREAD_JS | UINT32_C(1) << (HF_THREAD_BITS - 2))
#define HF_THREAD_MARK (UINT32_C(1) << (HF_THREAD_BITS - 3))

/* Not for users: whether it is the identity of a slot; whether it is what is left of one. */
static inline bool hf__is_slot(uint32_t identity)
{
    return (identity & (HF_THREAD_RANDOM | HF_THREAD_MARK)) == HF_THREAD_JS;
}

static inline bool hf__is_abandoned(uint32_t identity)
{
    return (identity & (HF_THREAD_RANDOM | HF_THREAD_MARK)) == (HF_THREAD_JS | HF_THREAD_MARK);
}

#ifdef __wasm__
/* Its address is the identity of the thread. */
extern __thread char hf__thread_anchor __attribute__((aligned(64)));

/* Never blocks. Returns the calling thread's identity. */
static inline uint32_t hf_thread_id(void)
{
    return (uint32_t)(uintptr_t)&hf__thread_anchor >> 6;
}

/* Never blocks; any thread may call it. Returns the address of what JavaScript threads need to join this
 * program, the same one each time: LockSpace.attach(memory, { threads: address }). Do not write there. 64 of
 * them have room at a time, or HF_THREADS (1 to 1023), if thread.c is compiled with that. */
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
