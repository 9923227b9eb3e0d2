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
 * memory but for the exceptions below.
 *
 * Threads with a slot in the table of threads (agents.h) have as identity HF_THREAD_JS, the number of the
 * slot, and above that number, modulo 65,536, how often the slot was given out. So others can tell when such
 * a thread has died. C threads have a slot in a program with a table (hf_threads()). JavaScript threads have
 * one in a LockSpace, and in such a program when they have attached to it. Exception: if the slot was given
 * out 65,536 times before a thread asks for an abandoned lock, the lock seems to be held by the slot's latest
 * thread.
 *
 * The identity of a C thread without a slot is the address of a thread-local variable, its number in the
 * kernel, or the number that the host gives (host.h). Exception: a later thread may get the same one after
 * the first has ended.
 *
 * JavaScript threads without a slot, or without Atomics.waitAsync, by which others see that they live, draw
 * their identity at random, from HF_THREAD_RANDOM up. Exception: two of n such threads have the same one
 * with a probability of about n^2 / 270 million (1 in 3 million for 10 threads, 1 in 66,000 for 64), and
 * can then unlock each other's locks.
 *
 * Abandoned locks have an identity with HF_THREAD_MARK. With HF_THREAD_JS too, it is what is left of the dead
 * owner. Without HF_THREAD_JS, a C thread that has no slot holds the lock, and has not recovered it.
 *
 * C and JavaScript are two owners even in one thread: only the side that locked can unlock. */
enum { HF_THREAD_BITS = 29, HF_THREAD_SLOT_BITS = 10 };
#define HF_THREAD_MASK ((UINT32_C(1) << HF_THREAD_BITS) - 1)
#define HF_THREAD_JS (UINT32_C(1) << (HF_THREAD_BITS - 1))
#define HF_THREAD_RANDOM (HF_THREAD_JS | UINT32_C(1) << (HF_THREAD_BITS - 2))
#define HF_THREAD_MARK (UINT32_C(1) << (HF_THREAD_BITS - 3))

/* Not for users. The first returns whether the identity names a slot, the second whether it is that of a dead
 * thread that had a slot. */
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

/* Never blocks. Returns the calling thread's identity, the same one until the thread ends. Exception: the
 * identity of a thread with a slot changes in the third round of its destructors (hf_threads()). The child of
 * a fork() has another identity than its parent. Locks that the parent's threads held stay held in the child,
 * by nobody, or are abandoned if those threads have slots. Zero such locks or initialise them again. */
static inline uint32_t hf_thread_id(void)
{
#ifdef HF__HOST
    return hf_host_thread_id();
#else
    return hf__thread_id_cache ? hf__thread_id_cache : hf__thread_id_ask();
#endif
}

/* Not for users: the caller's identity, for the fast paths of calls that block. It is 0 before the thread's
 * first such call, and in a thread that must not block, so that the slow path checks this. */
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

/* Never blocks. Returns the address of the program's table of threads, the same one each time. Do not write
 * there. JavaScript threads join the table by LockSpace.attach(memory, { threads: address }).
 *
 * Linking: a program that is linked with threads.c has the table. The archive links threads.c iff something
 * in the program refers to this function; a call from anywhere will do. The unit, holdfast.c, contains it iff
 * compiled with HF_THREADS.
 *
 * Slots: each C thread takes a slot when it uses a lock first. It leaves the slot when it ends by a return,
 * pthread_exit or cancellation, but not if its worker is terminated. A mutex that it holds then is
 * abandoned (mutex.h). A thread whose first lock is in the second round of its destructors or later keeps
 * its slot. A thread that uses a lock before the constructor of threads.c (101) has run, as in a
 * constructor of a shared library, has no slot all its life. No wait of this library is a cancellation
 * point.
 *
 * How many: there are 64 slots, for both languages together, or HF_THREADS (1 to 1023), if threads.c or
 * holdfast.c is compiled with that. A C thread takes a second one when it gets HF_ABANDONED (mutex.h). A C
 * thread that finds none free goes without, all its life; a JavaScript thread gets HF_NO_THREADS.
 *
 * One table: in a program that has a table, locks are for the threads of that program alone: not for other
 * processes, by memory that they share, and not for another copy of this library in the same process, such as
 * a plugin's own. Programs and plugins that need that do without the table.
 *
 * Wasm Workers of Emscripten have no slots, since their end is not reported: threads.c is compiled with
 * -sWASM_WORKERS in a program that has them. In a program without -pthread no C thread has a slot. */
void *hf_threads(void);

#ifdef __cplusplus
}
#endif
#endif
