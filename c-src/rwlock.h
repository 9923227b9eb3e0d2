/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_RWLOCK_PARTS_H
#define HOLDFAST_RWLOCK_PARTS_H

#include "holdfast/rwlock.h"
#include "identity.h"
#include "owned.h"

/* To lock, pass the gate with HF__RWLOCK_READERS as the capacity, and as the amount HF__SHARED or a writer: a
 * JavaScript thread's identity, or hf__rwlock_writer of a C thread's. Both are above the capacity, and
 * differ. That of a slot is above it by itself. */
enum { HF__SHARED = 1 };
#define HF__RWLOCK_READERS (HF__RWLOCK_WRITER - 1)

/* Never blocks. Returns HF_NOT_OWNER iff nobody holds it shared, or another holds it exclusively than that
 * writer. Requires: no writer with HF_THREAD_MARK. */
hf_result hf__rwlock_release(hf_rwlock *rwlock, uint32_t amount);

#endif
