/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_ONCE_PARTS_H
#define HOLDFAST_ONCE_PARTS_H

#include "holdfast/once.h"

/* Sets `done`. Requires: the caller holds the mutex. Never blocks. */
void hf__once_set_done(hf_once *once);

#endif
