/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef SPACE_MEMORY_H
#define SPACE_MEMORY_H

#include "space.h"

enum { SPACE_PAGES = 1, SPACE_BYTES = SPACE_PAGES * HF_SPACE_PAGE };

/* One page with a space in it, as the glue makes one. Address 0 of the space is memory[0]. */
extern uint32_t space_memory[SPACE_BYTES / sizeof(uint32_t)];

static inline hf_space *space_at(void)
{
    return (hf_space *)((char *)space_memory + HF_SPACE_ADDRESS);
}

static inline uint32_t *space_words(uint32_t address)
{
    return &space_memory[address / sizeof(uint32_t)];
}

/* Zeroes the page and makes the space anew. */
void space_make(void);

#endif
