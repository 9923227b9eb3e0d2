/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef HOLDFAST_GATE_ASYNC_H
#define HOLDFAST_GATE_ASYNC_H

#include <stdbool.h>

#include "gate_word.h"

/* The order of event loops on the async wait list of a gate, and how one displaces a blocking heir.
 *
 * A free slot wakes all event loops on the list. If the quickest claimed the slot each time, a busy event
 * loop would hardly ever get it. So the others leave the slot to one of them, the oldest waiter. `line` has
 * the oldest waiter's identity and its age class: how long it has waited. A waiter of a higher class replaces
 * it there. The oldest waiter leaves `line` when it claims the slot, passes or gives up. If it is busy or
 * dead, the others watch it for a long reservation, and then claim the slot. No waiter relies on a change of
 * `line`: a stale value is handled like a dead waiter.
 *
 * Blocking threads wake faster than event loops. So an event loop that has waited for long displaces a
 * blocking heir: it takes the slot, unless the gate is already reserved for that heir. Two event loops may
 * not displace heirs in a row. The first blocking thread that claims the slot after a loop has passed keeps
 * it (KEEPS_SLOT), unless the gate has opened in between, and so does a thread that was already the heir earlier in its wait. A displaced thread
 * sleeps on until the gate is reserved for the event loop, or the event loop gives the slot back.
 *
 * Slack: an event loop that reads `line` just before a write may yield to no waiter, or to one that is gone,
 * for one watch at most.
 * Slack: an event loop may have two queues. When one passes or claims the slot, the other stops being the
 * oldest until its next step. */

/* Returns the number by which other event loops watch the oldest waiter. */
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

/* Returns whether self has to leave the free slot to the oldest waiter. */
static inline bool hf__oldest_comes_first(uint32_t line, uint32_t self, hf__token token)
{
    return !hf__is_older(line, token) && !hf__is_oldest(line, self) && !hf__oldest_is_watched(line, token);
}

/* Clears `line` after self has claimed the slot, if the oldest waiter there is self, or a waiter that self
 * has watched. A blocking thread passes 0 as `line`. */
static inline void hf__oldest_claims(hf__gate *gate, uint32_t line, uint32_t self, hf__token token)
{
    if (line != 0 && (hf__is_oldest(line, self) || hf__oldest_is_watched(line, token))) {
        hf__cas_rlx(&gate->line, line, 0);
    }
}

/* Enters self in `line` if it waits there and is older than the oldest. */
static inline void hf__oldest_enlist(hf__gate *gate, uint32_t line, hf__kind kind, uint32_t self,
                                     hf__token token)
{
    bool waits = kind == HF__POLLING || (token & HF__TOKEN_LISTED);
    if (waits && hf__is_older(line, token)) {
        hf__cas_rlx(&gate->line, line, self | (token & HF__TOKEN_AGE));
    }
}

/* Returns whether self was the oldest. */
static inline bool hf__oldest_leave(hf__gate *gate, uint32_t self, hf__kind kind)
{
    uint32_t line = kind == HF__BLOCKING ? 0 : hf__load_rlx(&gate->line);
    return line != 0 && hf__is_oldest(line, self) && hf__cas_rlx(&gate->line, line, 0);
}

/* Returns whether the waiter may displace the heir: the heir is a blocking thread without KEEPS_SLOT. */
static inline bool displaces(uint64_t word, hf__kind kind, hf__token token)
{
    return kind != HF__BLOCKING && (token & HF__TOKEN_AGE) >= HF__AGE_DISPLACES &&
           !(word & (ASYNC_HEIR | KEEPS_SLOT | RESERVED));
}

#endif
