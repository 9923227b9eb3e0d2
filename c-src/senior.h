/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_SENIOR_H
#define HOLDFAST_SENIOR_H

#include "gate.h"

/* The order of event loops among themselves. When the place of the successor is free, all that stand in line
 * are woken, and the quickest would claim it: one that is often busy, hardly ever. So one of them is the
 * senior, whose identity and rank are in `line`: the others leave the place to it. The rank is how long it
 * has waited, roughly; who has waited longer becomes the senior in its stead. It stops being it when it
 * claims the place, passes, or gives up. One that does not come, since it is busy for long or dead, is
 * watched like a call, and then ignored. Nobody sleeps for a change of it, and a value that makes no sense is
 * that of a dead one. */

/* What tells the senior from calls and places (gate.c), where it is watched. */
static inline uint32_t hf__senior_number(uint32_t line)
{
    return ~line & HF_THREAD_MASK;
}

static inline bool hf__is_senior(uint32_t line, uint32_t self)
{
    return (line & HF_THREAD_MASK) == self;
}

static inline bool hf__is_senior_watched(uint32_t line, hf__token token)
{
    return (token & HF_THREAD_MASK) == hf__senior_number(line);
}

static inline bool hf__outranks_senior(uint32_t line, hf__token token)
{
    return line == 0 || (token & HF__TOKEN_RANK) > (line & HF__TOKEN_RANK);
}

/* Whether an event loop has to leave a free place to another. */
static inline bool hf__senior_comes_first(uint32_t line, uint32_t self, hf__token token)
{
    return !hf__outranks_senior(line, token) && !hf__is_senior(line, self) &&
           !hf__is_senior_watched(line, token);
}

/* It has claimed the place: it needs no rank for that any more, nor does one that did not come. */
static inline void hf__senior_claimed(hf__gate *gate, uint32_t line, uint32_t self, hf__token token)
{
    if (line != 0 && (hf__is_senior(line, self) || hf__is_senior_watched(line, token))) {
        hf__cas_rlx(&gate->line, line, 0);
    }
}

/* It stands in line. */
static inline void hf__senior_stand(hf__gate *gate, uint32_t line, uint32_t self, hf__token token)
{
    if ((token & HF__TOKEN_IN_LINE) && hf__outranks_senior(line, token)) {
        hf__cas_rlx(&gate->line, line, self | (token & HF__TOKEN_RANK));
    }
}

/* It waits no longer. Returns whether it was the senior. */
static inline bool hf__senior_leave(hf__gate *gate, uint32_t self, hf__kind kind)
{
    uint32_t line = kind == HF__BLOCKING ? 0 : hf__load_rlx(&gate->line);
    return line != 0 && hf__is_senior(line, self) && hf__cas_rlx(&gate->line, line, 0);
}

#endif
