/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include <stddef.h>

#include "counted.h"
#include "futex.h"
#include "loops.h"

enum { FREE = 0, HELD = 1, CONTENDED = 2 };

static inline void futex_take(void *lock)
{
    uint32_t *word = lock;
    if (hf__cas_acq(word, FREE, HELD)) {
        return;
    }
    while (__atomic_exchange_n(word, CONTENDED, __ATOMIC_ACQUIRE) != FREE) {
        hf__wait(word, CONTENDED, -1);
    }
}

static inline void futex_give(void *lock)
{
    uint32_t *word = lock;
    if (__atomic_exchange_n(word, FREE, __ATOMIC_RELEASE) == CONTENDED) {
        hf__wake(word, 1);
    }
}

bool futex_sections(arena *arena, uint32_t thread)
{
    return repeat_sections(arena, thread, futex_take, futex_give, arena_section);
}

typedef struct OWN_LINE node {
    struct node *next;
    uint32_t waits;
} node;

static node nodes[THREADS_MAX];
static _Thread_local node *own;

static inline void mcs_take(void *lock)
{
    node **tail = lock;
    __atomic_store_n(&own->next, NULL, __ATOMIC_RELAXED);
    node *before = __atomic_exchange_n(tail, own, __ATOMIC_ACQ_REL);
    if (before) {
        hf__store_rlx(&own->waits, true);
        __atomic_store_n(&before->next, own, __ATOMIC_RELEASE);
        while (hf__load_acq(&own->waits)) {
        }
    }
}

static inline void mcs_give(void *lock)
{
    node **tail = lock;
    node *next = __atomic_load_n(&own->next, __ATOMIC_ACQUIRE);
    if (!next) {
        node *expected = own;
        if (__atomic_compare_exchange_n(tail, &expected, NULL, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {
            return;
        }
        do {
            next = __atomic_load_n(&own->next, __ATOMIC_ACQUIRE);
        } while (!next);
    }
    hf__store_rel(&next->waits, false);
}

void mcs_prepare(arena *arena)
{
    (void)arena;
    counted_watch(COUNTED_NODES, nodes, sizeof nodes);
}

bool mcs_sections(arena *arena, uint32_t thread)
{
    own = &nodes[thread];
    return repeat_sections(arena, thread, mcs_take, mcs_give, arena_section);
}
