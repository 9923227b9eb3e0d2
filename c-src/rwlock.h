/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_RWLOCK_PARTS_H
#define HOLDFAST_RWLOCK_PARTS_H

#include "holdfast/rwlock.h"
#include "identity.h"
#include "owned.h"

/* To lock, pass the gate with the capacity HF__RWLOCK_READERS. The amount is HF__SHARED for a reader. For a
 * writer it is a JavaScript thread's identity, or hf__rwlock_writer of a C thread's; both are above the
 * capacity, and no two are equal. */
enum { HF__SHARED = 1 };
#define HF__RWLOCK_READERS (HF__RWLOCK_WRITER - 1)

/* Never blocks. Returns HF_NOT_OWNER iff no thread holds it as `amount` says: shared, or as that writer.
 * Requires: no writer with HF_THREAD_MARK. */
hf_result hf__rwlock_release(hf_rwlock *rwlock, uint32_t amount);

/* Never blocks. Returns HF_NOT_OWNER iff that writer does not hold it, or has HF_THREAD_MARK. */
hf_result hf__rwlock_downgrade(hf_rwlock *rwlock, uint32_t writer);

#endif
