/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include "space_memory.h"

#include <string.h>

/* Aligned as wasm aligns a memory, so an address in the space is aligned natively too. */
uint32_t space_memory[SPACE_BYTES / sizeof(uint32_t)] __attribute__((aligned(HF_SPACE_PAGE)));

void space_make(void)
{
    memset(space_memory, 0, sizeof(space_memory));
    hf_space_init(space_at(), SPACE_PAGES, 64, 0, 0);
}
