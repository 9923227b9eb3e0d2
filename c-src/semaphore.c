/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include "semaphore_parts.h"

#include <stdbool.h>

#include "gate.h"

/* STATES      n free --enter m <= n: pass the gate [A1]--> n - m free --leave m [R1]--> n free
 * INVARIANTS  I1  The amount in use of the gate is max less the free permits.
 *             I2  A waiter holds no permits, so none are lost when it gives up or dies.
 * ORDERS      A1  cas in enter acq R1 what follows comes after the leave that freed the permits; also in
 *                 gate.c
 *             R1  cas in leave  rel  A1  the same, even if no permit is returned (gate.c)
 * CHECKED     as gate.c, which has the algorithm; models/programs/semaphore.scenarios.js,
 *             tests/native/semaphore_*.c */

void hf_semaphore_init(hf_semaphore *semaphore, uint32_t initial, uint32_t max)
{
    hf__store64_rlx(&semaphore->gate.word, max - initial);
    hf__store_rlx(&semaphore->gate.line, 0);
    hf__store_rlx(&semaphore->gate.own, max - 1);
}

uint32_t hf_semaphore_max(const hf_semaphore *semaphore)
{
    return hf__load_rlx(&semaphore->gate.own) + 1;
}

uint32_t hf_semaphore_value(const hf_semaphore *semaphore)
{
    return hf_semaphore_max(semaphore) - hf__gate_used(&semaphore->gate);
}

static inline bool is_possible(const hf_semaphore *semaphore, uint32_t permits)
{
    return permits > 0 && permits <= hf_semaphore_max(semaphore);
}

/* If the gate has no heir and no sleepers, takes the permits here, which takes 0.8 times as long as a call of
 * the gate (npm run bench -- semaphore). */
hf_result hf_semaphore_enter(hf_semaphore *semaphore, uint32_t permits)
{
    bool is_known = hf__thread_id_to_block; /* if not, the thread takes its slot first */
    uint64_t word = hf__load64_rlx(&semaphore->gate.word);
    bool is_there =
        is_known && is_possible(semaphore, permits) && word <= hf_semaphore_max(semaphore) - permits;
    if (is_there && hf__cas64_acq(&semaphore->gate.word, word, word + permits)) { /* [A1] */
        return HF_OK;
    }
    return hf_semaphore_enter_until(semaphore, permits, HF_FOREVER);
}

hf_result hf_semaphore_tryenter(hf_semaphore *semaphore, uint32_t permits)
{
    if (!is_possible(semaphore, permits)) {
        return HF_OVERFLOW;
    }
    uint32_t max = hf_semaphore_max(semaphore);
    return hf__gate_try_after(&semaphore->gate, hf_thread_id(), 0, permits, max) == HF_OK ? HF_OK : HF_BUSY;
}

hf_result hf_semaphore_enter_until(hf_semaphore *semaphore, uint32_t permits, int64_t deadline_ns)
{
    if (!is_possible(semaphore, permits)) {
        return HF_OVERFLOW;
    }
    hf__thread_will_block(HF__CALL("hf_semaphore_enter_async"));
    uint32_t max = hf_semaphore_max(semaphore);
    return hf__gate_enter_until(&semaphore->gate, hf_thread_id(), permits, max, deadline_ns);
}

hf_result hf__semaphore_release(hf_semaphore *semaphore, uint32_t permits)
{
    bool is_done = permits > 0 && hf__gate_leave(&semaphore->gate, permits, HF__GATE_MOST, HF__GATE_MOST);
    return is_done ? HF_OK : HF_OVERFLOW;
}

hf_result hf_semaphore_leave(hf_semaphore *semaphore, uint32_t permits)
{
    uint64_t word = hf__load64_rlx(&semaphore->gate.word);
    bool is_in_use = permits > 0 && permits <= word && word <= HF__GATE_MOST;
    if (is_in_use && hf__cas64_rel(&semaphore->gate.word, word, word - permits)) { /* [R1] */
        return HF_OK;
    }
    return hf__semaphore_release(semaphore, permits);
}
