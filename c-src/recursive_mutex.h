/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_RECURSIVE_MUTEX_PARTS_H
#define HOLDFAST_RECURSIVE_MUTEX_PARTS_H

#include <stdbool.h>

#include "holdfast/recursive_mutex.h"

/* Functions of the depth alone, for the glue: it locks, unlocks and recovers the inner mutex like any other.
 * None of these blocks. */

/* Locks the mutex once more. Returns HF_OK, or, with nothing changed, HF_NOT_OWNER iff the caller does not
 * hold it, HF_OVERFLOW iff its depth is the greatest. */
static inline hf_result hf__recursive_mutex_again(hf_recursive_mutex *mutex, uint32_t self)
{
    return hf__mutex_is_held_by(&mutex->mutex, self) ? hf__recursive_mutex_deepen(mutex) : HF_NOT_OWNER;
}

/* Sets depth 1. Requires: the caller has just acquired the inner mutex. */
static inline void hf__recursive_mutex_begin(hf_recursive_mutex *mutex)
{
    mutex->depth = 0;
}

static inline uint32_t hf__recursive_mutex_depth(const hf_recursive_mutex *mutex, uint32_t self)
{
    return hf__mutex_is_held_by(&mutex->mutex, self) ? mutex->depth + 1 : 0;
}

/* Subtracts 1 from the depth. Returns false at depth 1: then the caller unlocks the inner mutex. */
static inline bool hf__recursive_mutex_surface(hf_recursive_mutex *mutex, uint32_t self)
{
    if (hf__recursive_mutex_depth(mutex, self) <= 1) {
        return false;
    }
    mutex->depth -= 1;
    return true;
}

#endif
