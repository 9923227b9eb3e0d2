/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include <stddef.h>

#include "contestants.h"
#include "counted.h"
#include "futex.h"

/* Reference locks, on the model of a machine (counted.c). */

/* One word: free, held, or held and waited for (U. Drepper, "Futexes are tricky", 2011). */
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

REPEAT(futex_sections, one_section, futex_take, futex_give, arena_section)

/* A queue in which each waiter spins on a line of its own, and never sleeps (J. Mellor-Crummey, M. Scott,
 * "Algorithms for scalable synchronization", 1991). */
typedef struct OWN_LINE node {
    struct node *next;
    uint32_t waits;
} node;

static node nodes[THREADS_MAX];

static inline void mcs_take(void *lock)
{
    node **tail = lock;
    node *own = &nodes[counted_thread()];
    __atomic_store_n(&own->next, NULL, __ATOMIC_RELAXED);
    node *before = __atomic_exchange_n(tail, own, __ATOMIC_ACQ_REL);
    if (before) {
        hf__store_rlx(&own->waits, true);
        __atomic_store_n(&before->next, own, __ATOMIC_RELEASE);
        while (hf__load_acq(&own->waits)) {
            counted_spin(&own->waits);
        }
    }
}

static inline void mcs_give(void *lock)
{
    node **tail = lock;
    node *own = &nodes[counted_thread()];
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

REPEAT(mcs_sections, one_section, mcs_take, mcs_give, arena_section)

/* As Rust's crate parking_lot (A. d'Antras), after WTF::Lock (F. Pizlo). A thread that waits spins ten times, with longer and
 * longer pauses, and then parks in a queue, which has a lock of its own. An unlock wakes the oldest; about once in half a
 * millisecond it hands the lock to it. */
enum { PARKED = 2, SPINS = 10, SPINS_WITH_PAUSES = 3, PAUSE_NS = 40, YIELD_NS = 300 };
enum { WAITS = 0, WOKEN = 1, HANDED = 2 };
#define FAIR_NS (HF_MILLISECOND / 2)

static struct {
    OWN_LINE uint32_t lock;
    uint32_t head;
    uint32_t tail;
    uint32_t queue[THREADS_MAX];
    int64_t fair_ns;
} bucket;
static struct {
    OWN_LINE uint32_t state;
} parked[THREADS_MAX];

static void take_bucket(void)
{
    while (!hf__cas_acq(&bucket.lock, FREE, HELD)) {
        counted_pause(PAUSE_NS);
    }
}

/* Returns WAITS if the lock is not held and marked any more. */
static uint32_t park(const uint32_t *word)
{
    uint32_t *own = &parked[counted_thread()].state;
    take_bucket();
    bool sleeps = hf__load_rlx(word) == (HELD | PARKED);
    if (sleeps) {
        hf__store_rlx(own, WAITS);
        bucket.queue[bucket.tail++ % THREADS_MAX] = counted_thread();
    }
    hf__store_rel(&bucket.lock, FREE);
    while (sleeps && hf__load_acq(own) == WAITS) {
        hf__wait(own, WAITS, -1);
    }
    return sleeps ? *own : WAITS;
}

static inline void parking_take(void *lock)
{
    uint32_t *word = lock;
    for (uint32_t spins = 0;;) {
        uint32_t state = hf__load_rlx(word);
        if (!(state & HELD)) {
            if (hf__cas_acq(word, state, state | HELD)) {
                return;
            }
        } else if (!(state & PARKED) && spins < SPINS) {
            spins += 1;
            counted_pause(spins <= SPINS_WITH_PAUSES ? PAUSE_NS << spins : YIELD_NS);
        } else if ((state & PARKED) || hf__cas_rlx(word, state, state | PARKED)) {
            if (park(word) == HANDED) {
                return;
            }
            spins = 0;
        }
    }
}

static inline void parking_give(void *lock)
{
    uint32_t *word = lock;
    if (hf__cas_rel(word, HELD, FREE)) {
        return;
    }
    take_bucket();
    const bool is_one = bucket.head != bucket.tail;
    const int64_t now_ns = hf_now_ns();
    const bool is_fair = is_one && now_ns > bucket.fair_ns;
    uint32_t *oldest = is_one ? &parked[bucket.queue[bucket.head++ % THREADS_MAX]].state : NULL;
    bucket.fair_ns = is_fair ? now_ns + FAIR_NS : bucket.fair_ns;
    hf__store_rel(word, (is_fair ? HELD : FREE) | (bucket.head != bucket.tail ? PARKED : 0));
    if (oldest) {
        hf__store_rel(oldest, is_fair ? HANDED : WOKEN);
    }
    hf__store_rel(&bucket.lock, FREE);
    if (oldest) {
        hf__wake(oldest, 1);
    }
}

REPEAT(parking_sections, one_section, parking_take, parking_give, arena_section)

const contestant references[REFERENCES] = {
    {.name = "three-state futex", .sections = futex_sections},
    {.name = "MCS", .sections = mcs_sections},
    {.name = "parking_lot", .sections = parking_sections},
};
