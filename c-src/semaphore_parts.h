/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_SEMAPHORE_PARTS_H
#define HOLDFAST_SEMAPHORE_PARTS_H

#include "holdfast/semaphore.h"

/* As hf_semaphore_leave, with less code, for the module. */
hf_result hf__semaphore_release(hf_semaphore *semaphore, uint32_t permits);

#endif
