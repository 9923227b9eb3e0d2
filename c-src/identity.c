/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef __wasm__
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* gettid */
#endif
#include <pthread.h>
#include <unistd.h>
#endif
#ifdef __EMSCRIPTEN__
#include <assert.h>
#include <emscripten.h>
#endif

#include <stdbool.h>
#include <stddef.h>

#include "holdfast/atomic.h"
#include "identity.h"

struct hf__threads hf__threads;

#ifdef HF__HOST
uint32_t hf__thread_without_slot(void)
{
    return hf_host_thread_id();
}

/* Here no thread has a slot, and so none has a second identity. */
uint32_t hf__thread_second_ask(void)
{
    return hf__thread_second;
}

void hf__thread_blocks_first(const char *message)
{
    (void)message;
    if (!hf_host_may_block()) {
        __builtin_trap();
    }
}
#else
/* The address of hf__thread_id_cache identifies a thread without a slot, in wasm. */
enum { ANCHOR_BITS = 6 };
__thread uint32_t hf__thread_id_cache __attribute__((aligned(1 << ANCHOR_BITS)));
__thread uint32_t hf__thread_second = HF__THREAD_NO_SECOND;

#if defined __EMSCRIPTEN__ && !defined __EMSCRIPTEN_MAJOR__
/* With -sMINIMAL_RUNTIME, Emscripten before 4.0.11 does not set up the thread-local variables of pthreads:
 * all threads then have them at address 0, and would be one owner. Later versions define the macro above. */
static void need_variables_of_its_own(void)
{
    if (__builtin_wasm_tls_base() == NULL) {
        emscripten_throw_string(
            "holdfast: this thread has no thread-local variables of its own, so it would be "
            "taken for another: build without -sMINIMAL_RUNTIME, or with Emscripten 4.0.11 "
            "or later");
    }
}
#else
static void need_variables_of_its_own(void)
{
}
#endif

#ifdef __wasm__
uint32_t hf__thread_without_slot(void)
{
    return (uint32_t)(uintptr_t)&hf__thread_id_cache >> ANCHOR_BITS;
}
#else
/* A child of a fork inherits these variables. A later thread of the child could get the same number from
 * the kernel, and two threads would be one owner. */
static void forget_id(void)
{
    hf__thread_id_cache = 0;
    hf__thread_second = HF__THREAD_NO_SECOND;
}

/* A constructor, not a pthread_once in the first lock: a signal handler that locks during the pthread_once
 * would wait for its own thread. */
__attribute__((constructor(101))) static void forget_id_in_children(void)
{
    pthread_atfork(NULL, NULL, forget_id);
}

uint32_t hf__thread_without_slot(void)
{
    return (uint32_t)gettid();
}
#endif

/* Takes a slot in the table. Returns 0 if there is no table, or no free slot. */
static uint32_t join_table(void)
{
    return hf__threads.join ? hf__threads.join() : 0;
}

uint32_t hf__thread_id_ask(void)
{
    need_variables_of_its_own();
    uint32_t slot = join_table();
    /* A signal handler that uses a lock may have been faster. */
    if (!hf__cas_rlx(&hf__thread_id_cache, 0, slot ? slot : hf__thread_without_slot()) && slot) {
        hf__threads.leave(slot);
    }
    return hf__thread_id_cache;
}

uint32_t hf__thread_second_ask(void)
{
    if (hf__thread_second == HF__THREAD_NO_SECOND) {
        uint32_t slot = join_table();
        uint32_t second = slot ? slot : hf__rwlock_writer(hf__thread_without_slot()) | HF_THREAD_MARK;
        /* A signal handler may have been faster here too. */
        if (!hf__cas_rlx(&hf__thread_second, HF__THREAD_NO_SECOND, second) && slot) {
            hf__threads.leave(slot);
        }
    }
    return hf__thread_second;
}

#ifdef __EMSCRIPTEN__
__thread uint32_t hf__thread_id_to_block;

#ifdef __EMSCRIPTEN_PTHREADS__
int _emscripten_thread_supports_atomics_wait(void); /* no public header declares it */

bool hf__thread_may_block(void)
{
    return _emscripten_thread_supports_atomics_wait();
}
#else
/* Node's main thread may block, but in a program with Wasm Workers alone Emscripten denies that. */
EM_JS(bool, hf__thread_may_block, (void), {
    try {
        Atomics.wait(HEAP32, 0, 0, 0);
        return 1;
    } catch (error) {
        return 0;
    }
});
#endif

void hf__thread_blocks_first(const char *message)
{
    if (!hf__thread_may_block()) {
        __assert_fail(message, __FILE__, __LINE__, __func__);
    }
    hf__thread_id_to_block = hf_thread_id();
}
#endif
#endif
