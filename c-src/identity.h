/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_IDENTITY_H
#define HOLDFAST_IDENTITY_H

#include <stdbool.h>
#include <stdint.h>

#include "holdfast/gate.h"
#include "holdfast/thread.h"

/* Identities of C threads, and what the table of threads adds in programs that have one. */

/* A thread with a slot takes a second one when it acquires an abandoned gate. It holds the gate by this
 * second identity until it has recovered it. So its fast paths fail for that gate, and if it dies before it
 * recovers the gate, the gate is abandoned again. A thread without a slot holds such a gate by its own
 * identity with HF_THREAD_MARK. */
#ifndef HF__HOST
extern __thread uint32_t hf__thread_second;
#else
#define hf__thread_second HF__THREAD_NO_SECOND
#endif

/* Marks a thread without a second identity. No gate ever has this amount in use. */
enum { HF__THREAD_NO_SECOND = HF_THREAD_MASK + 1 };

/* Never blocks. Returns the second identity of the calling thread, which must have a slot. */
uint32_t hf__thread_second_ask(void);

/* Never blocks. Returns the identity of the calling thread if it has no slot. */
uint32_t hf__thread_without_slot(void);

/* Functions of threads.c, set by its constructor. All are NULL in programs linked without threads.c. Not weak
 * functions, since Emscripten's MAIN_MODULE refuses undefined ones. */
extern struct hf__threads {
    /* Takes a slot for the calling thread, until the thread ends. Never blocks. Returns the thread's
     * identity, or 0 iff there is no free slot. */
    uint32_t (*join)(void);
    /* Gives back the slot of an identity of the calling thread. Requires: the thread no longer uses a lock
     * with that identity. Never blocks. */
    void (*leave)(uint32_t identity);
    /* Abandons the gate if its owner is known to be dead, or takes a dead upgradable reader (rwlock.h) out of it.
     * If `asks`, first probes the owner (owner_probe.h), which consumes an entry of a JavaScript thread. Never
     * blocks. */
    void (*probe)(hf__gate *gate, uint32_t capacity, bool asks);
} hf__threads;

/* The amount of an rwlock's writer is an identity with this bit, which makes it larger than any number of
 * readers. Identities of slots are larger anyway. */
enum { HF__RWLOCK_WRITER_BIT = HF_THREAD_BITS - 2 };
#define HF__RWLOCK_WRITER (UINT32_C(1) << HF__RWLOCK_WRITER_BIT)

static inline uint32_t hf__rwlock_writer(uint32_t c_thread)
{
    return hf__is_slot(c_thread) ? c_thread : c_thread | HF__RWLOCK_WRITER;
}

#endif
