/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_SPACE_H
#define HOLDFAST_SPACE_H

#include <stdint.h>

/* A space: a shared memory of the glue's own, with an allocator for any number of threads. It never blocks,
 * so the page may allocate too. A thread that dies in an allocation costs at most that block. It is not for C
 * programs, which have malloc.
 *
 * The header starts at the second granule, so that no block has the address 0. */
enum {
    HF_SPACE_MAGIC = 0x31736668, /* "hfs1" */
    HF_SPACE_ADDRESS = 16,
    HF_SPACE_GRANULE = 16, /* bytes; blocks are that aligned at least */
    HF_SPACE_PAGE = 65536, /* bytes, WebAssembly's */
    HF_SPACE_BITMAPS = 3,
};

typedef struct hf_space {
    uint32_t magic;    /* HF_SPACE_MAGIC; written last by hf_space_init */
    uint32_t granules; /* in the whole memory */
    uint32_t id[2];    /* random; tells spaces apart where a thread gets one twice */
    uint32_t threads;  /* how many JavaScript threads have joined */
    uint32_t hint;     /* the granule where a search begins; any value is valid */
    uint32_t reserved[2];
    uint32_t bitmaps[]; /* a bit a granule, three times: in use, first of a block, last of a block */
} hf_space;

/* Makes the space. Never blocks. Requires: zeroed memory of 1 to 65535 pages that no other thread uses yet.
 */
void hf_space_init(hf_space *space, uint32_t pages, uint32_t id_low, uint32_t id_high);

/* Never blocks. Returns an identity (thread.h) for one more JavaScript thread. It is unique among the first
 * 2^28 - 1 threads of the space; then the identities start again. */
uint32_t hf_space_join(hf_space *space);

/* Never blocks. Returns the address of a zeroed block, or 0 iff none of that size is free.
 * Requires: bytes > 0, align a power of two. */
uint32_t hf_space_alloc(hf_space *space, uint32_t bytes, uint32_t align);

/* Zeroes and frees the block, and wakes all waiters on its words. So entries of waits that were given up
 * cannot take a wake from the next user of the memory. Never blocks. Returns how many bytes were freed, or 0
 * iff no block starts there. */
uint32_t hf_space_free(hf_space *space, uint32_t address);

#endif
