/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_THREADS_H
#define HOLDFAST_THREADS_H

#include <stdint.h>

/* Counts the JavaScript threads of a memory, so that each has an identity of its own (thread.h). It is at the
 * start of a space, and in a C program where hf_threads() says. */
enum {
    HF_THREADS_MAGIC = 0x31746668, /* "hft1" */
    HF_THREADS_ALIGN = 32,         /* in a C program: never where that of a space is */
};

typedef struct hf__threads {
    uint32_t magic;  /* HF_THREADS_MAGIC; the glue knows that it is first */
    uint32_t joined; /* how many threads */
    uint64_t id;     /* random; tells whether a thread got the same memory twice. 0: none has joined */
} hf__threads;

/* Never blocks. Gives the memory that id, unless it has one. Returns an identity, unique among the last
 * HF_THREAD_RANDOM - HF_THREAD_JS - 1 threads that joined. */
uint32_t hf__threads_join(hf__threads *threads, uint32_t id_low, uint32_t id_high);

#endif
