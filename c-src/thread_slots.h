/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_THREAD_SLOTS_H
#define HOLDFAST_THREAD_SLOTS_H

#include <stdbool.h>
#include <stdint.h>

#include "gate.h"
#include "holdfast/thread.h"

/* C threads in the program's table of threads (agents.h). */

/* A thread with a slot takes a second one when it gets an abandoned gate: it holds that by this identity
 * until it has recovered it. So its fast paths fail for that gate, and whoever finds the thread dead finds
 * the gate abandoned again. A thread without a slot has its own identity with HF_THREAD_MARK for that. */
extern __thread uint32_t hf__thread_second;

/* No gate has that in use. */
enum { HF__THREAD_NO_SECOND = HF_THREAD_MASK + 1 };

/* Never blocks. Returns the second identity of the calling thread, which has a slot. */
uint32_t hf__thread_second_ask(void);

/* Never blocks. Returns the identity of the calling thread if it has no slot. */
uint32_t hf__thread_without_slot(void);

/* What threads.c brings to programs that are linked with it, by its constructor. In others all are NULL. Not
 * weak functions: Emscripten's MAIN_MODULE refuses those that are undefined. */
extern struct hf__threads {
    uint32_t (*join)(void);
    void (*leave)(uint32_t identity);
    void (*look)(hf__gate *gate, bool asks);
} hf__threads;

/* Takes a slot for the calling thread, until that ends. Never blocks. Returns its identity, or 0 iff there is
 * no slot. */
uint32_t hf__threads_join(void);

/* That identity was of the calling thread, which uses no lock by it any more. Never blocks. */
void hf__threads_leave(uint32_t identity);

/* Abandons the gate if its owner is known to be dead; if `asks`, looks whether it is dead (owners.h), which
 * takes an entry of a JavaScript thread. Never blocks. */
void hf__threads_look(hf__gate *gate, bool asks);

/* The same, of a gate with that capacity, in any program. */
static inline void hf__look_at_owner(hf__gate *gate, uint32_t capacity, bool asks)
{
    if (hf__threads.look && hf__gate_used(gate) > capacity) {
        hf__threads.look(gate, asks);
    }
}

#endif
