/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_THREADS_H
#define HOLDFAST_THREADS_H

#include <stdint.h>

/* Counts the JavaScript threads of one memory, so that each gets an identity of its own (thread.h). It is at
 * the start of a space (space.h), and in a C program where hf_threads() says. */
enum {
    HF_THREADS_MAGIC = 0x31746668, /* "hft1" */
    HF_THREADS_ALIGN = 32,         /* in a C program: so it is never where that of a space is */
};

typedef struct hf__threads {
    uint32_t magic;  /* HF_THREADS_MAGIC; the glue knows that it is first */
    uint32_t joined; /* how many threads */
    uint64_t id;     /* random; tells memories apart where a thread gets one twice. 0: no thread has joined */
} hf__threads;

/* Never blocks. Gives the memory that id, unless it has one. Returns an identity for one more JavaScript
 * thread. It is unique among the last HF_THREAD_RANDOM - HF_THREAD_JS - 1 threads that joined: after so many
 * the identities start again. */
uint32_t hf__threads_join(hf__threads *threads, uint32_t id_low, uint32_t id_high);

#endif
