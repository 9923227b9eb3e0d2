/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Defines the functions that the headers inline, for callers that link by name: other languages, and dlsym.
 * This file renames the static functions of the headers, so it is compiled on its own. */
#define hf_thread_id hf__inline_thread_id
#define hf_mutex_lock hf__inline_mutex_lock
#define hf_mutex_trylock hf__inline_mutex_trylock
#define hf_mutex_try_lock hf__inline_mutex_try_lock
#define hf_mutex_unlock hf__inline_mutex_unlock
#define hf_recursive_mutex_lock hf__inline_recursive_mutex_lock
#define hf_recursive_mutex_trylock hf__inline_recursive_mutex_trylock
#define hf_recursive_mutex_unlock hf__inline_recursive_mutex_unlock
#include "holdfast/holdfast.h"
#undef hf_thread_id
#undef hf_mutex_lock
#undef hf_mutex_trylock
#undef hf_mutex_try_lock
#undef hf_mutex_unlock
#undef hf_recursive_mutex_lock
#undef hf_recursive_mutex_trylock
#undef hf_recursive_mutex_unlock

uint32_t hf_thread_id(void);
uint32_t hf_thread_id(void)
{
    return hf__inline_thread_id();
}

#define DEFINE(type, operation)                                                                              \
    hf_result hf_##type##_##operation(hf_##type *);                                                          \
    hf_result hf_##type##_##operation(hf_##type *object)                                                     \
    {                                                                                                        \
        return hf__inline_##type##_##operation(object);                                                      \
    }

DEFINE(mutex, lock)
DEFINE(mutex, trylock)
DEFINE(mutex, try_lock)
DEFINE(mutex, unlock)
DEFINE(recursive_mutex, lock)
DEFINE(recursive_mutex, trylock)
DEFINE(recursive_mutex, unlock)
