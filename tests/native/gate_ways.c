/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include "gate_ways.h"

#include <stdbool.h>

#include "gate_word.h"

/* The event loop's own thread blocks too, behind the slot that its loop has claimed. */
static void block_meanwhile(matrix_thread *self, gate_request request)
{
    int64_t deadline_ns = matrix_deadline(self);
    if (matrix_in_time(
            hf__gate_enter_until(request.gate, hf_thread_id(), request.amount, request.capacity, deadline_ns),
            deadline_ns)) {
        matrix_require(hf__gate_leave(request.gate, request.amount, HF__GATE_MOST, request.opens_at),
                       "what was passed by could not be left");
    }
}

static int64_t watch_ns(hf__outcome step)
{
    if ((step >> HF__OUTCOME_IS_LONG) & 1) {
        return HF_POLLED_RESERVATION_NS;
    }
    return hf__next_in(step) == HF__WAIT_BESIDE ? HF_BESIDE_NS : HF_RESERVATION_NS;
}

bool gate_by_polling(matrix_thread *self, gate_request request)
{
    const uint32_t id = hf_thread_id();
    const hf__kind kind = matrix_chance(self, 2) ? HF__POLLING : HF__ASYNC;
    hf__token token = 0;
    uint32_t watched_before = 0;
    int64_t watched_since_ns = 0;
    for (;;) {
        hf__outcome step = hf__gate_step(request.gate, id, kind, token, request.amount, request.capacity);
        if (step == HF__DONE) {
            return true;
        }
        if (matrix_chance(self, 400)) {
            hf__gate_withdraw(request.gate, id, kind, token, request.capacity);
            return false;
        }
        if (matrix_chance(self, 50)) {
            block_meanwhile(self, request);
        }
        matrix_look_elsewhere(self);

        uint32_t watched = (uint32_t)(step >> HF__OUTCOME_WATCHED);
        int64_t now_ns = hf_now_ns();
        if (watched != watched_before) {
            watched_before = watched;
            watched_since_ns = now_ns;
        }
        token = now_ns - watched_since_ns > watch_ns(step) ? watched : 0;
        token |= random_below(&self->random, 4) << HF__TOKEN_AGE_SHIFT;
    }
}

bool gate_by_watching(matrix_thread *self, gate_request request)
{
    uint32_t watched = 0;
    for (uint32_t tries = 1 + random_below(&self->random, 3); tries > 0; tries -= 1) {
        uint32_t result =
            hf__gate_try_after(request.gate, hf_thread_id(), watched, request.amount, request.capacity);
        if (result == HF_OK) {
            return true;
        }
        watched = result & HF_THREAD_MASK;
        matrix_pass_time(watched ? HF_POLLED_RESERVATION_NS : 0);
    }
    return false;
}
