/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_SPACE_H
#define HOLDFAST_SPACE_H

#include <stdint.h>

/* A space: a shared memory of the glue's own, with an allocator that any number of threads may use at once.
 * It never blocks, so the page may allocate too, and a thread that dies in it costs at most the block that
 * it was about to get. (A C program has malloc, so this is not in the public headers.)
 *
 * The header lies at the start of the memory but for one granule, so that address 0 is never a block. */
enum {
    HF_SPACE_MAGIC = 0x31736668, /* "hfs1" */
    HF_SPACE_ADDRESS = 16,
    HF_SPACE_GRANULE = 16, /* bytes; blocks are that aligned at least */
    HF_SPACE_PAGE = 65536, /* bytes, WebAssembly's */
    HF_SPACE_BITMAPS = 3,
};

typedef struct hf_space {
    uint32_t magic;    /* HF_SPACE_MAGIC; written last by whoever makes the space */
    uint32_t granules; /* in the whole memory */
    uint32_t id[2];    /* tells memories apart in a thread that got one twice; random */
    uint32_t threads;  /* JavaScript threads that joined so far */
    uint32_t hint;     /* a granule from which to look for a free block; any value will do */
    uint32_t reserved[2];
    uint32_t bitmaps[]; /* a bit a granule, three times: in use, first of a block, last of a block */
} hf_space;

/* Requires: zeroed memory of that many pages, 1 to 65535, known to no other thread yet. */
void hf_space_init(hf_space *space, uint32_t pages, uint32_t id_low, uint32_t id_high);

/* Never blocks. Returns an identity (thread.h) for one more JavaScript thread of this memory.
 * Unique for the first 2^28 - 1 threads of a space; then it starts again. */
uint32_t hf_space_join(hf_space *space);

/* Never blocks. Returns the address of a zeroed block, or 0 iff none of that size is free.
 * Requires: bytes > 0, align a power of two. */
uint32_t hf_space_alloc(hf_space *space, uint32_t bytes, uint32_t align);

/* Zeroes and frees the block, after waking whoever still waits on a word of it: entries of waits that were
 * given up are gone then, and cannot take a wake that is meant for the block's next user.
 * Never blocks. Returns the bytes that were freed, or 0 iff no block starts there (or no longer). */
uint32_t hf_space_free(hf_space *space, uint32_t address);

#endif
