/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include "agents_stage.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "futex.h"
#include "holdfast/atomic.h"

/* The lower bits of `credits` count running probes (agents.c). */
enum { PROBING_BITS = 12 };

static struct {
    _Alignas(HF_AGENTS_ALIGN) hf__agents header;
    hf__agent slots[HF_AGENTS_MOST];
} table;

/* For each slot: the number of entries on its presence word, and above that the generation of their owner. */
enum { WHOSE_AT = 16 };
static uint32_t entries[HF_AGENTS_MOST];
static uint32_t wakes;
void (*agents_before_wake)(void);

uint32_t __real_hf__wake(uint32_t *word, uint32_t count);
uint32_t __wrap_hf__wake(uint32_t *word, uint32_t count);

static uint32_t *entries_of(uint32_t identity)
{
    return &entries[(identity & HF_AGENTS_MOST) - 1];
}

static uint32_t whose(uint32_t identity)
{
    return (identity % HF_THREAD_MARK >> HF_THREAD_SLOT_BITS) << WHOSE_AT;
}

static uint32_t count_in(uint32_t found)
{
    return found & AGENTS_ENTRIES_MOST;
}

/* The engine removes an agent's entries after everything that the agent did, so a thread that finds them gone
 * sees all its writes. */
static uint32_t take_entries(uint32_t *there, const uint32_t *identity, uint32_t most)
{
    uint32_t found;
    uint32_t taken;
    do {
        found = hf__load_acq(there);
        if (identity && found - count_in(found) != whose(*identity)) {
            return 0;
        }
        taken = count_in(found) < most ? count_in(found) : most;
    } while (taken != 0 && !hf__cas_rel(there, found, found - taken));
    return taken;
}

uint32_t __wrap_hf__wake(uint32_t *word, uint32_t count)
{
    const char *first = (const char *)&table.slots[0].presence;
    size_t offset = (size_t)((const char *)word - first);
    if (offset >= sizeof table.slots || offset % sizeof(hf__agent) != 0) {
        return __real_hf__wake(word, count);
    }
    hf__add_rlx(&wakes, 1);
    if (agents_before_wake) {
        agents_before_wake();
    }
    return take_entries(&entries[offset / sizeof(hf__agent)], NULL, count);
}

void agents_make(uint32_t slots)
{
    memset(&table, 0, sizeof table);
    memset(entries, 0, sizeof entries);
    wakes = 0;
    agents_before_wake = NULL;
    table.header.magic = HF_AGENTS_MAGIC;
    table.header.count = slots;
    table.header.slots = (uint32_t)((char *)table.slots - (char *)&table.header);
}

hf__agents *agents_at(void)
{
    return &table.header;
}

hf__agent *agents_slot_of(uint32_t identity)
{
    return &table.slots[(identity & HF_AGENTS_MOST) - 1];
}

static void fail(const char *what, uint32_t identity)
{
    fprintf(stderr, "agents_stage: %s, of %08" PRIx32 "\n", what, identity);
    abort();
}

void agents_arm(uint32_t identity, uint32_t more)
{
    uint32_t *there = entries_of(identity);
    uint32_t found;
    do {
        found = hf__load_rlx(there);
        if (count_in(found) != 0 && found - count_in(found) != whose(identity)) {
            fail("entries of another one are left", identity);
        }
        if (count_in(found) + more > AGENTS_ENTRIES_MOST) {
            fail("too many entries", identity);
        }
    } while (!hf__cas_rlx(there, found, whose(identity) | (count_in(found) + more)));
}

uint32_t agents_armed(uint32_t identity)
{
    return count_in(hf__load_rlx(entries_of(identity)));
}

uint32_t agents_lose(uint32_t identity, uint32_t most)
{
    return take_entries(entries_of(identity), &identity, most);
}

uint32_t agents_counted(uint32_t identity)
{
    return hf__load_rlx(&agents_slot_of(identity)->credits) >> PROBING_BITS;
}

uint32_t agents_wakes(void)
{
    return wakes;
}
