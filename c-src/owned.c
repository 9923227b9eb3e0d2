/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include "owned.h"

#include <stdbool.h>

#include "identity.h"

/* The amount in use after a C thread has unlocked a gate without recovering it: the mark of a dead owner, and
 * no thread. */
#define BY_NOBODY (HF_THREAD_JS | HF_THREAD_MARK)

uint32_t hf__owned_take_over(hf__gate *gate, uint32_t owner)
{
    uint32_t left = hf__gate_used(gate);
    return hf__is_abandoned(left) && hf__gate_take_over(gate, left, owner) ? left : 0;
}

/* Returns the identity by which the caller holds an abandoned gate that it has not recovered. */
static uint32_t unrecovered(uint32_t owner)
{
    return hf__is_slot(owner) ? hf__thread_second : owner | HF_THREAD_MARK;
}

bool hf__owned_is_mine(const hf__gate *gate, uint32_t owner)
{
    return hf__owned_is_by(gate, owner) || hf__owned_is_by(gate, unrecovered(owner));
}

hf_result hf__owned_take_abandoned(hf__gate *gate, uint32_t owner)
{
    uint32_t second = hf__is_slot(owner) ? hf__thread_second_ask() : unrecovered(owner);
    return hf__owned_take_over(gate, second) ? HF_ABANDONED : HF_BUSY;
}

hf_result hf__owned_enter_until(hf__gate *gate, uint32_t self, uint32_t owner, uint32_t capacity,
                                int64_t deadline_ns, const char *message)
{
    if (hf__owned_is_mine(gate, owner)) {
        return HF_DEADLOCK;
    }
    if (message) {
        hf__thread_will_block(message);
    }
    hf_result result;
    do {
        result = hf__gate_enter_until(gate, self, owner, capacity, deadline_ns);
        result = result == HF_ABANDONED ? hf__owned_take_abandoned(gate, owner) : result;
    } while (result == HF_BUSY);
    return result;
}

hf_result hf__owned_try(hf__gate *gate, uint32_t self, uint32_t owner, uint32_t capacity)
{
    hf__gate_probe_owner(gate, capacity, false);
    uint32_t result = hf__gate_try_after(gate, self, 0, owner, capacity);
    if (result == HF_ABANDONED) {
        return hf__owned_take_abandoned(gate, owner);
    }
    return result == HF_OK ? HF_OK : HF_BUSY;
}

hf_result hf__owned_leave(hf__gate *gate, uint32_t owner, uint32_t opens_at)
{
    bool is_done =
        hf__gate_leave(gate, owner, owner, opens_at) || hf__gate_abandon(gate, unrecovered(owner), BY_NOBODY);
    return is_done ? HF_OK : HF_NOT_OWNER;
}

hf_result hf__owned_recover(hf__gate *gate, uint32_t owner)
{
    return hf__gate_take_over(gate, unrecovered(owner), owner) ? HF_OK : HF_NOT_OWNER;
}
