/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef __wasm__
#define _GNU_SOURCE /* gettid */
#include <pthread.h>
#include <unistd.h>
#endif

#include "holdfast/thread.h"

#ifdef __wasm__
#include "agents.h"
#include "holdfast/atomic.h"

__thread char hf__thread_anchor __attribute__((aligned(64)));

#ifndef HF_THREADS
#define HF_THREADS 64
#endif

void *hf_threads(void)
{
    static hf__agents agents __attribute__((aligned(HF_AGENTS_ALIGN)));
    static hf__agent slots[HF_THREADS];
    /* Each caller writes the same. */
    hf__store_rlx(&agents.count, HF_THREADS);
    hf__store_rlx(&agents.slots, (uint32_t)((char *)slots - (char *)&agents));
    hf__store_rlx(&agents.magic, HF_AGENTS_MAGIC);
    return &agents;
}
#else
__thread uint32_t hf__thread_id_cache;

/* The child of a fork inherits the cache. A later thread of the child could get that id from the kernel, and
 * two threads would be one owner. */
static void forget_id(void)
{
    hf__thread_id_cache = 0;
}

static void forget_id_in_children(void)
{
    pthread_atfork(NULL, NULL, forget_id);
}

uint32_t hf__thread_id_ask(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, forget_id_in_children);
    hf__thread_id_cache = (uint32_t)gettid();
    return hf__thread_id_cache;
}
#endif
