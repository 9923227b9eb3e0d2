/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_SPACE_H
#define HOLDFAST_SPACE_H

#include "threads.h"

/* A space: a shared memory of the glue's own, with an allocator for any number of threads. It never blocks,
 * so the page may allocate too. A thread that dies in an allocation costs at most that block. It is not for C
 * programs, which have malloc.
 *
 * The header starts at the second granule, so that no block has the address 0. */
enum {
    HF_SPACE_ADDRESS = 16,
    HF_SPACE_GRANULE = 16, /* bytes; blocks are that aligned at least */
    HF_SPACE_PAGE = 65536, /* bytes, WebAssembly's */
    HF_SPACE_BITMAPS = 3,
};

typedef struct hf_space {
    hf__threads threads; /* its magic is written last by hf_space_init */
    uint32_t granules;   /* in the whole memory */
    uint32_t hint;       /* the granule where a search begins; any value is valid */
    uint32_t reserved[2];
    uint32_t bitmaps[]; /* a bit a granule, three times: in use, first of a block, last of a block */
} hf_space;

/* Makes the space. Never blocks. Requires: zeroed memory of 1 to 65535 pages that no other thread uses yet.
 */
void hf_space_init(hf_space *space, uint32_t pages, uint32_t id_low, uint32_t id_high);

/* Never blocks. Returns the address of a zeroed block, or 0 iff none of that size is free.
 * Requires: bytes > 0, align a power of two. */
uint32_t hf_space_alloc(hf_space *space, uint32_t bytes, uint32_t align);

/* Zeroes and frees the block, and wakes all waiters on its words. So entries of waits that were given up
 * cannot take a wake from the next user of the memory. Never blocks. Returns how many bytes were freed, or 0
 * iff no block starts there. */
uint32_t hf_space_free(hf_space *space, uint32_t address);

#endif
