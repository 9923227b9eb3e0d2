/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_GATE_ASYNC_H
#define HOLDFAST_GATE_ASYNC_H

#include <stdbool.h>

#include "gate_word.h"

/* The order of event loops among themselves. All of the line are woken for a free place, and the quickest
 * claims it, which a busy loop hardly ever is. So the others leave the place to one, the senior. `line` has
 * its identity and its rank, by how long it has waited; a loop of higher rank replaces it. Its seniority ends
 * when it claims the place, passes or gives up. If it is busy or dead, the others watch it like a call and
 * then ignore it. Nobody relies on a change of `line`: a stray value is like a dead senior. */

static inline uint32_t hf__oldest_number(uint32_t line)
{
    return ~line & HF__NUMBER_MASK;
}

static inline bool hf__is_oldest(uint32_t line, uint32_t self)
{
    return (line & HF_THREAD_MASK) == self;
}

static inline bool hf__oldest_is_watched(uint32_t line, hf__token token)
{
    return (token & HF__NUMBER_MASK) == hf__oldest_number(line);
}

static inline bool hf__is_older(uint32_t line, hf__token token)
{
    return line == 0 || (token & HF__TOKEN_AGE) > (line & HF__TOKEN_AGE);
}

static inline bool hf__oldest_comes_first(uint32_t line, uint32_t self, hf__token token)
{
    return !hf__is_older(line, token) && !hf__is_oldest(line, self) && !hf__oldest_is_watched(line, token);
}

/* Who has claimed the place is not the senior, nor is one that it has watched. `line` is 0 where self blocks.
 */
static inline void hf__oldest_claims(hf__gate *gate, uint32_t line, uint32_t self, hf__token token)
{
    if (line != 0 && (hf__is_oldest(line, self) || hf__oldest_is_watched(line, token))) {
        hf__cas_rlx(&gate->line, line, 0);
    }
}

static inline void hf__oldest_enlist(hf__gate *gate, uint32_t line, hf__kind kind, uint32_t self,
                                     hf__token token)
{
    bool waits = kind == HF__POLLING || (token & HF__TOKEN_LISTED);
    if (waits && hf__is_older(line, token)) {
        hf__cas_rlx(&gate->line, line, self | (token & HF__TOKEN_AGE));
    }
}

/* Returns whether self was the senior. */
static inline bool hf__oldest_leave(hf__gate *gate, uint32_t self, hf__kind kind)
{
    uint32_t line = kind == HF__BLOCKING ? 0 : hf__load_rlx(&gate->line);
    return line != 0 && hf__is_oldest(line, self) && hf__cas_rlx(&gate->line, line, 0);
}

/* I12 */
static inline bool takes_over(uint64_t word, hf__kind kind, hf__token token)
{
    return kind != HF__BLOCKING && (token & HF__TOKEN_AGE) >= HF__AGE_TAKES_OVER &&
           !(word & (ASYNC_HEIR | KEEPS_SLOT | RESERVED));
}

#endif
