/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include "agents_stage.h"

#include <stddef.h>
#include <string.h>

#include "futex.h"
#include "holdfast/atomic.h"

/* The lower bits of `credits` count those who look (agents.c). */
enum { LOOKING_BITS = 12 };

static struct {
    _Alignas(HF_AGENTS_ALIGN) hf__agents header;
    hf__agent slots[HF_AGENTS_MOST];
} table;

static uint32_t entries[HF_AGENTS_MOST];
static uint32_t wakes;
void (*agents_before_wake)(void);

uint32_t __real_hf__wake(uint32_t *word, uint32_t count);
uint32_t __wrap_hf__wake(uint32_t *word, uint32_t count);

/* The engine removes what an agent had after all that the agent has done, and who finds it gone knows. */
static uint32_t take_entries(uint32_t *there, uint32_t most)
{
    uint32_t found;
    uint32_t taken;
    do {
        found = hf__load_acq(there);
        taken = found < most ? found : most;
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
    return take_entries(&entries[offset / sizeof(hf__agent)], count);
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

static uint32_t *entries_of(uint32_t identity)
{
    return &entries[(identity & HF_AGENTS_MOST) - 1];
}

hf__agent *agents_slot_of(uint32_t identity)
{
    return &table.slots[(identity & HF_AGENTS_MOST) - 1];
}

void agents_arm(uint32_t identity, uint32_t more)
{
    hf__add_rlx(entries_of(identity), more);
}

uint32_t agents_armed(uint32_t identity)
{
    return hf__load_rlx(entries_of(identity));
}

bool agents_lose_one(uint32_t identity)
{
    return take_entries(entries_of(identity), 1) != 0;
}

void agents_lose_all(uint32_t identity)
{
    take_entries(entries_of(identity), UINT32_MAX);
}

uint32_t agents_counted(uint32_t identity)
{
    return hf__load_rlx(&agents_slot_of(identity)->credits) >> LOOKING_BITS;
}

uint32_t agents_wakes(void)
{
    return wakes;
}
