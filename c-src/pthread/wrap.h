/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_PTHREAD_WRAP_H
#define HOLDFAST_PTHREAD_WRAP_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "../condition.h"
#include "../gate.h"
#include "holdfast/atomic.h"
#include "holdfast/thread.h"

/* Experimental: pthread's locks of a whole program, on holdfast's. The linker's --wrap (wraps.rsp) turns
 * calls of pthread_mutex_lock into calls of __wrap_pthread_mutex_lock, also within the C and C++ libraries.
 * musl's own files call each other by names with two more underscores. Those are wrapped as well; otherwise a
 * lock could be locked by one implementation and unlocked by the other.
 *
 * Nothing here allocates: malloc's own lock is one of these. */

/* Also defines a function under the name by which musl calls it. */
#define HF__ALSO_CALLED(name) __attribute__((alias(#name)))

/* ---- The words in an object of pthread's ---- */

/* Returns the words at an address. A program's initialiser wrote them with another type than the one used
 * here. So the compiler must not move the read before the write, even if it sees both. */
static inline void *hf__words_at(uintptr_t address)
{
    void *words = (void *)address;
    __asm__("" : "+r"(words)::"memory");
    return words;
}

/* In Emscripten these objects are 4-aligned. */
static inline void *hf__words_in(void *object)
{
    return hf__words_at(((uintptr_t)object + 7) & ~(uintptr_t)7);
}

/* ---- The caller, and its time limit ---- */

/* The caller's identity. In Emscripten, malloc locks even before a thread has its thread-local variables, and
 * after it has freed them. So there the address of the thread's own block is its identity. */
static inline uint32_t hf__pthread_id(void)
{
#ifdef __EMSCRIPTEN__
    enum { BLOCK_BITS = 6 }; /* a block is larger than 1 << BLOCK_BITS bytes */
    uint32_t block = (uint32_t)(uintptr_t)pthread_self() >> BLOCK_BITS;
    return block ? block : hf_thread_id();
#else
    return hf_thread_id();
#endif
}

/* Converts `at`, a time on `clock`, to a deadline. Never blocks. Returns 0, or EINVAL iff `at` is invalid or
 * no wait can use `clock`. */
int hf__pthread_deadline(clockid_t clock, const struct timespec *at, int64_t *deadline_ns);

/* May a lock be shared with other processes? Emscripten has none. */
static inline bool hf__pthread_may_be(int shared)
{
#if defined(__EMSCRIPTEN__) || defined(HF_PROCESS_SHARED)
    (void)shared;
    return true;
#else
    return shared == PTHREAD_PROCESS_PRIVATE;
#endif
}

/* ---- Waits; on Emscripten's main thread a wait does what other threads ask of it meanwhile ---- */

/* As hf__gate_enter_until. */
hf_result hf__pthread_enter(hf__gate *gate, uint32_t self, uint32_t amount, uint32_t capacity,
                            int64_t deadline_ns);

/* As hf__pthread_enter, for a gate without an owner. A thread that is cancelled in it ends after the present
 * slice, at most about a second. */
hf_result hf__pthread_enter_cancellably(hf__gate *gate, uint32_t self, uint32_t amount, uint32_t capacity,
                                        int64_t deadline_ns);

/* As hf__owned_enter_until. */
hf_result hf__pthread_own(hf__gate *gate, uint32_t self, uint32_t owner, uint32_t capacity,
                          int64_t deadline_ns);

/* Waits for a condition, after hf__condition_begin, without the mutex. If the thread is cancelled, it ends in
 * this call, as above. Returns HF_OK or HF_TIMEOUT. */
hf_result hf__pthread_await(hf_condition *condition, uint32_t token, int64_t deadline_ns);

/* Waits until the deadline. Returns HF_TIMEOUT. */
hf_result hf__pthread_stall(int64_t deadline_ns);

/* ---- For conditions ---- */

/* Never blocks. Returns how often the caller holds the mutex; 0: another thread does, or nobody. */
uint32_t hf__pthread_depth(pthread_mutex_t *mutex);

int __wrap_pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes);
int __wrap_pthread_mutex_destroy(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_trylock(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *at);
int __wrap_pthread_mutex_unlock(pthread_mutex_t *mutex);

int __wrap_pthread_cond_init(pthread_cond_t *cond, const pthread_condattr_t *attributes);
int __wrap_pthread_cond_destroy(pthread_cond_t *cond);
int __wrap_pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex);
int __wrap_pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex, const struct timespec *at);
int __wrap_pthread_cond_signal(pthread_cond_t *cond);
int __wrap_pthread_cond_broadcast(pthread_cond_t *cond);

#endif
