/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_SENIOR_H
#define HOLDFAST_SENIOR_H

#include "gate.h"

/* The order of event loops among themselves. When the place is free, all of the line are woken, and the
 * quickest claims it. A loop that is often busy would hardly ever be the quickest. So one loop of the line is
 * the senior, and the others leave the place to it. `line` has its identity and its rank, which says how long
 * it has waited. A loop of a higher rank becomes the senior instead. The senior stops being one when it
 * claims the place, passes or gives up. If it does not come, because it is busy or dead, the others watch it
 * like a call and then ignore it. No thread relies on a change of `line`: a stray value is like a dead
 * senior. */

/* The senior as a number to watch (gate.h). */
static inline uint32_t hf__senior_number(uint32_t line)
{
    return ~line & HF__NUMBER_MASK;
}

static inline bool hf__is_senior(uint32_t line, uint32_t self)
{
    return (line & HF_THREAD_MASK) == self;
}

static inline bool hf__is_senior_watched(uint32_t line, hf__token token)
{
    return (token & HF__NUMBER_MASK) == hf__senior_number(line);
}

static inline bool hf__outranks_senior(uint32_t line, hf__token token)
{
    return line == 0 || (token & HF__TOKEN_RANK) > (line & HF__TOKEN_RANK);
}

/* Whether a waiter must leave a free place to the senior. A blocking thread leaves it only to one that has
 * waited for some time, and only once: else a senior that is busy or dead, or several that follow each other,
 * would hold it up. Its own event loop cannot come. */
static inline bool hf__senior_comes_first(uint32_t line, uint32_t self, hf__kind kind, hf__token token)
{
    bool is_before = kind == HF__BLOCKING ? (line & HF__TOKEN_RANK) && !(token & HF__TOKEN_YIELDED)
                                          : !hf__outranks_senior(line, token);
    return is_before && !hf__is_senior(line, self) && !hf__is_senior_watched(line, token);
}

/* Self has claimed the place: its event loop, if that has, is not the senior any more, nor is a senior that
 * it has watched, or has left the place to. */
static inline void hf__senior_claimed(hf__gate *gate, uint32_t line, hf__kind kind, uint32_t self,
                                      hf__token token)
{
    bool is_own = hf__is_senior(line, self);
    bool is_over = kind == HF__BLOCKING ? (line & HF__TOKEN_RANK) && !is_own : is_own;
    if (line != 0 && (is_over || hf__is_senior_watched(line, token))) {
        hf__cas_rlx(&gate->line, line, 0);
    }
}

/* Self waits in the line, or looks by timer: it becomes the senior if it outranks the present one. */
static inline void hf__senior_stand(hf__gate *gate, uint32_t line, hf__kind kind, uint32_t self,
                                    hf__token token)
{
    bool waits = kind == HF__POLLING || (token & HF__TOKEN_IN_LINE);
    if (waits && hf__outranks_senior(line, token)) {
        hf__cas_rlx(&gate->line, line, self | (token & HF__TOKEN_RANK));
    }
}

/* Self waits no longer. Returns whether it was the senior. */
static inline bool hf__senior_leave(hf__gate *gate, uint32_t self, hf__kind kind)
{
    uint32_t line = kind == HF__BLOCKING ? 0 : hf__load_rlx(&gate->line);
    return line != 0 && hf__is_senior(line, self) && hf__cas_rlx(&gate->line, line, 0);
}

#endif
