/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_SPACE_H
#define HOLDFAST_SPACE_H

#include "agents.h"

/* A shared memory that the glue makes, with an allocator that never blocks, so the page may allocate too. A
 * thread that dies in an allocation costs at most that block. C programs have malloc instead.
 *
 * The header starts at the second granule, so that no block has the address 0. */
enum {
    HF_SPACE_ADDRESS = 16,
    HF_SPACE_GRANULE = 16, /* bytes; the least alignment */
    HF_SPACE_PAGE = 65536, /* bytes, WebAssembly's */
    HF_SPACE_BITMAPS = 3,
};

typedef struct hf_space {
    hf__agents agents;  /* hf_space_init writes its magic last; the slots are behind the bitmaps */
    uint32_t granules;  /* of the whole memory */
    uint32_t hint;      /* where a search begins; any value is valid */
    uint32_t names;     /* the first name (the glue's memory/names.js); 0: none */
    uint32_t bitmaps[]; /* three, with one bit per granule: in use, first of a block, last of a block */
} hf_space;

/* Never blocks. Requires: zeroed memory of 1 to 65535 pages that no other thread uses yet; 1 to
 * HF_AGENTS_MOST threads. */
void hf_space_init(hf_space *space, uint32_t pages, uint32_t threads, uint32_t id_low, uint32_t id_high);

/* Returns the address of the first byte behind the header of this space. Never blocks. */
uint32_t hf_space_begin(const hf_space *space);

/* Never blocks. Returns the address of a zeroed block, or 0 iff none of that size is free.
 * Requires: bytes > 0, align a power of two. */
uint32_t hf_space_alloc(hf_space *space, uint32_t bytes, uint32_t align);

/* Frees the block: zeroes it, and wakes all waiters on its words, so that abandoned entries cannot take a
 * wake from the next user of the memory. Never blocks. Returns how many bytes were freed, or 0 iff no block
 * starts there. */
uint32_t hf_space_free(hf_space *space, uint32_t address);

#endif
