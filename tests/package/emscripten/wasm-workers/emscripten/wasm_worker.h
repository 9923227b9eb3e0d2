/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef WASM_WORKER_H
#define WASM_WORKER_H

/* Stands in for the header of that name, which Emscripten 3.1.6 does not have: pthreads stand in for Wasm
 * Workers (wasm-workers.c). */

#include <stdint.h>

uint32_t emscripten_wasm_worker_self_id(void);

#endif
