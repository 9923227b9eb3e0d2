/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_THREAD_H
#define HOLDFAST_THREAD_H

#include <stdint.h>

#include "holdfast/bool.h"
#include "holdfast/host.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A thread's identity in lock words: HF_THREAD_BITS wide, never 0, unique among the living threads of one
 * memory, as long as the exceptions below do not arise.
 *
 * A thread with a slot in the table of threads (agents.h) has as its identity the number of the slot, and
 * above that, modulo 65,536, how often the slot was given out; HF_THREAD_JS is set. So others can tell when
 * it has died. A lock that a thread has abandoned is taken for that of a later one if its slot was given out
 * 65,536 times before anybody came for it. C threads have one in a program with a table, by hf_threads();
 * JavaScript threads where they have attached to that, and in a space.
 *
 * A C thread without one is known by the address of a variable of its own, or by its number in the kernel.
 * Such a number may be that of a thread that has ended.
 *
 * A JavaScript thread without one, or without Atomics.waitAsync, by which others see that it lives, draws its
 * identity at random, from HF_THREAD_RANDOM up.
 * Two of n such threads have the same one with a probability of about n^2 / 270 million (1 in 3 million for
 * 10 threads, 1 in 66,000 for 64), and can then unlock each other's locks.
 *
 * An abandoned lock has an identity with HF_THREAD_MARK. With HF_THREAD_JS too, it is what is left of the
 * dead owner. Else a C thread without a slot holds the lock, and has not recovered it.
 *
 * C and JavaScript are two owners even in one thread: only the side that locked can unlock. */
enum { HF_THREAD_BITS = 29, HF_THREAD_SLOT_BITS = 10 };
#define HF_THREAD_MASK ((UINT32_C(1) << HF_THREAD_BITS) - 1)
#define HF_THREAD_JS (UINT32_C(1) << (HF_THREAD_BITS - 1))
#define HF_THREAD_RANDOM (HF_THREAD_JS | UINT32_C(1) << (HF_THREAD_BITS - 2))
#define HF_THREAD_MARK (UINT32_C(1) << (HF_THREAD_BITS - 3))

/* Not for users: is it the identity of a slot? Is it what is left of one? */
static inline hf_bool hf__is_slot(uint32_t identity)
{
    return (identity & (HF_THREAD_RANDOM | HF_THREAD_MARK)) == HF_THREAD_JS;
}

static inline hf_bool hf__is_abandoned(uint32_t identity)
{
    return (identity & (HF_THREAD_RANDOM | HF_THREAD_MARK)) == (HF_THREAD_JS | HF_THREAD_MARK);
}

#ifndef HF__HOST
extern __thread uint32_t hf__thread_id_cache;
uint32_t hf__thread_id_ask(void);
#endif

/* Never blocks. Returns the calling thread's identity, the same one until the thread ends; but one with a
 * slot has another from the third round of its destructors on (hf_threads()). The child of a fork() has
 * another identity than its parent. Locks that the parent's threads held stay held there, by nobody, or are
 * abandoned if those have slots: zero them or initialise them again. */
static inline uint32_t hf_thread_id(void)
{
#ifdef HF__HOST
    return hf_host_thread_id();
#else
    return hf__thread_id_cache ? hf__thread_id_cache : hf__thread_id_ask();
#endif
}

/* Not for users: the caller's identity; or 0, also for a thread that must not block, and before its first
 * call that blocks. So the fast paths of such calls need no check of their own. */
#ifdef __wasm__
void hf__thread_blocks_first(const char *message); /* aborts in one that must not */
#endif
#ifdef __EMSCRIPTEN__
extern __thread uint32_t hf__thread_id_to_block;
hf_bool hf__thread_may_block(void);
#elif defined(HF__HOST)
#define hf__thread_id_to_block (hf_host_may_block() ? hf_host_thread_id() : 0)
#else
#define hf__thread_id_to_block hf__thread_id_cache
#endif

/* Never blocks; any thread may call it. Returns the address of the program's table of threads, the same one
 * each time. Do not write there. JavaScript threads join it by LockSpace.attach(memory, { threads: address
 * }).
 *
 * A program that is linked with threads.c has the table. Of the archive that is so iff something in the
 * program refers to this function; a call from anywhere will do. Of the unit, holdfast.c, it is so iff that
 * is compiled with HF_THREADS. Then each C thread takes a slot when it uses a lock first, and leaves it when
 * it ends: by a return, pthread_exit or cancellation, not if its worker is terminated. A mutex that it holds
 * then is abandoned (mutex.h). A thread whose first lock is in the second round of its destructors or later
 * keeps its slot. No wait of this library is a cancellation point.
 *
 * Identities with a slot are of one table. So in a program that has one, locks are for the threads of that
 * program alone: not for other processes, by memory that they share, and not for another copy of this library
 * in the same process, as in a plugin that has its own. Such programs and plugins do without the table.
 *
 * A lock that is used before the constructor of threads.c (101), as by a constructor of a shared library, is
 * used without a slot, by that thread for all its life.
 *
 * There are 64 slots, for both languages together, or HF_THREADS (1 to 1023), if threads.c or holdfast.c is
 * compiled with that. A C thread takes a second one when it gets HF_ABANDONED (mutex.h). A C thread that
 * finds none free goes without, all its life; a JavaScript thread gets HF_NO_THREADS.
 *
 * Wasm Workers of Emscripten have no slots, since nobody is told when they end: threads.c is compiled with
 * -sWASM_WORKERS in a program that has them. In a program without -pthread no C thread has a slot. */
void *hf_threads(void);

#ifdef __cplusplus
}
#endif
#endif
