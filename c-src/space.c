/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include "space.h"

#include <stdbool.h>
#include <stddef.h>

#include "futex.h"
#include "holdfast/atomic.h"

/* STATES      free --claim its granules [A1]--> claimed --mark its last, then its first granule--> a block
 *             a block --remove the first mark--> claimed --zero it, remove the last mark, release its
 *             granules [R1]--> free
 * INVARIANTS  I1  One thread's compare-exchange sets the in-use bit of a granule. That thread clears it, or
 *                 the thread that removed the block's first mark.
 *             I2  A block with a first mark has one last mark, at the first or behind it, and no other mark
 *                 between.
 *             I3  Free granules are zero and have no mark.
 *             I4  The header's granules are never released, so searches need no special case.
 * ORDERS      A1  cas in claim    acq  R1  the new user comes after the zeroing
 *             R1  and in release  rel  A1  the zeroing and the last use come before
 *             Marks are relaxed: a thread that frees a block got its address from the thread that allocated
 *             it, which ordered the two. If two threads free it, only one read-modify-write finds the mark.
 * CHECKED     tests/native/space_test.c, tests/native/space_threads.c, tests/glue/lock-space.test.js */

enum { BITS = 32 };

static inline uint32_t granules_of(const hf_space *space)
{
    return hf__load_rlx(&space->granules);
}

typedef enum map { IN_USE = 0, FIRSTS = 1, LASTS = 2 } map;

static inline uint32_t *word_of(hf_space *space, map which, uint32_t granule)
{
    return &space->bitmaps[(which * granules_of(space) + granule) / BITS];
}

static inline bool is_set(hf_space *space, map which, uint32_t granule)
{
    return (hf__load_rlx(word_of(space, which, granule)) >> (granule % BITS)) & 1;
}

/* Returns the bits of the granules of [begin, end) that are in the word of begin. */
__attribute__((noinline)) static uint32_t mask_of(uint32_t begin, uint32_t end)
{
    uint32_t shift = begin % BITS;
    uint32_t count = end - begin < BITS - shift ? end - begin : BITS - shift;
    return (UINT32_MAX >> (BITS - count)) << shift;
}

static inline uint32_t next_word(uint32_t index)
{
    return (index / BITS + 1) * BITS;
}

__attribute__((noinline)) static void release(hf_space *space, uint32_t begin, uint32_t end)
{
    for (uint32_t at = begin; at < end; at = next_word(at)) {
        hf__and_rel(word_of(space, IN_USE, at), ~mask_of(at, end)); /* [R1] */
    }
}

/* Claims all of [begin, end), or none. */
__attribute__((noinline)) static bool claim(hf_space *space, uint32_t begin, uint32_t end)
{
    for (uint32_t at = begin; at < end; at = next_word(at)) {
        uint32_t *word = word_of(space, IN_USE, at);
        uint32_t mask = mask_of(at, end);
        uint32_t old;
        do {
            old = hf__load_rlx(word);
            if (old & mask) {
                release(space, begin, at);
                return false;
            }
        } while (!hf__cas_acq(word, old, old | mask)); /* [A1] */
    }
    return true;
}

static inline void mark(hf_space *space, map which, uint32_t granule)
{
    hf__or_rlx(word_of(space, which, granule), UINT32_C(1) << (granule % BITS));
}

/* Returns whether the mark was there. */
static inline bool unmark(hf_space *space, map which, uint32_t granule)
{
    uint32_t bit = UINT32_C(1) << (granule % BITS);
    return hf__and_rlx(word_of(space, which, granule), ~bit) & bit;
}

uint32_t hf_space_begin(const hf_space *space)
{
    uint32_t slots = hf__load_rlx(&space->agents.slots);
    return HF_SPACE_ADDRESS + slots + hf__load_rlx(&space->agents.count) * (uint32_t)sizeof(hf__agent);
}

void hf_space_init(hf_space *space, uint32_t pages, uint32_t threads, uint32_t id_low, uint32_t id_high)
{
    uint32_t granules = pages * (HF_SPACE_PAGE / HF_SPACE_GRANULE);
    hf__store_rlx(&space->granules, granules);
    hf__store64_rlx(&space->agents.id, (uint64_t)id_high << 32 | id_low);
    hf__store_rlx(&space->agents.count, threads);
    hf__store_rlx(&space->agents.slots, (uint32_t)sizeof(hf_space) + HF_SPACE_BITMAPS * granules / 8);
    claim(space, 0, (hf_space_begin(space) + HF_SPACE_GRANULE - 1) / HF_SPACE_GRANULE);
    hf__store_rlx(&space->agents.magic, HF_AGENTS_MAGIC);
}

/* Claims the first free run that begins in [from, to). Returns its first granule; 0, which is the header's,
 * if there is none. */
__attribute__((noinline)) static uint32_t claim_between(hf_space *space, uint32_t from, uint32_t to,
                                                        uint32_t count, uint32_t stride)
{
    uint32_t total = granules_of(space);
    for (uint32_t begin = (from + stride - 1) / stride * stride; begin < to && begin + count <= total;) {
        uint32_t end = begin + count;
        uint32_t blocked = begin;
        while (blocked < end && !is_set(space, IN_USE, blocked)) {
            blocked += 1;
        }
        if (blocked < end) {
            begin = (blocked + stride) / stride * stride;
        } else if (claim(space, begin, end)) {
            mark(space, LASTS, end - 1);
            mark(space, FIRSTS, begin);
            hf__store_rlx(&space->hint, end);
            return begin;
        }
        /* Another thread was faster: search here again. */
    }
    return 0;
}

uint32_t hf_space_alloc(hf_space *space, uint32_t bytes, uint32_t align)
{
    uint32_t total = granules_of(space);
    if (bytes > total * HF_SPACE_GRANULE || align > total * HF_SPACE_GRANULE) {
        return 0;
    }
    uint32_t count = (bytes + HF_SPACE_GRANULE - 1) / HF_SPACE_GRANULE;
    uint32_t stride = align > HF_SPACE_GRANULE ? align / HF_SPACE_GRANULE : 1;
    uint32_t hint = hf__load_rlx(&space->hint);
    uint32_t begin = claim_between(space, hint, total, count, stride);
    if (begin == 0) {
        begin = claim_between(space, 0, hint, count, stride);
    }
    return begin * HF_SPACE_GRANULE;
}

/* Not inlined: the compiler would unroll its loop, which is larger and not faster. */
__attribute__((noinline)) static void clear(uint32_t *word)
{
    hf__store_rlx(word, 0);
    hf__wake(word, HF__WAKE_ALL);
}

uint32_t hf_space_free(hf_space *space, uint32_t address)
{
    uint32_t begin = address / HF_SPACE_GRANULE;
    bool is_granule = address % HF_SPACE_GRANULE == 0 && begin < granules_of(space);
    if (!is_granule || !unmark(space, FIRSTS, begin)) {
        return 0;
    }
    uint32_t end = begin + 1;
    while (!is_set(space, LASTS, end - 1)) {
        end += 1;
    }
    char *memory = (char *)space - HF_SPACE_ADDRESS;
    for (uint32_t at = address; at < end * HF_SPACE_GRANULE; at += sizeof(uint32_t)) {
        clear((uint32_t *)(memory + at));
    }
    unmark(space, LASTS, end - 1);
    release(space, begin, end);
    if (begin < hf__load_rlx(&space->hint)) {
        hf__store_rlx(&space->hint, begin);
    }
    return (end - begin) * HF_SPACE_GRANULE;
}
