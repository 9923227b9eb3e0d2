/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include "inside.h"

#include "futex.h"
#include "holdfast/atomic.h"
#include "waiting.h"

/* STATES      n inside --enter--> n + 1 inside --leave [R1]--> n inside
 *             n inside --wait--> n inside, AWAITED --the last leaves [R1]: wakes--> 0 inside, AWAITED
 *             0 inside, AWAITED --the wait ends [A1]--> 0 inside
 * INVARIANTS  I1  The count falls to 0 in the last access of the last one inside: the wake after it uses only
 *                 the address, since the object may be gone.
 *             I2  A thread sleeps only for a value with AWAITED, which each leave changes. The last leave
 *                 wakes it.
 *             Slack: that wake may reach another use of the memory. A wake is only a hint.
 * ORDERS      A1  load in step   acq  R1  the end of the object comes after every use of it
 *             R1  add in leave   rel  A1  each continues the release sequences of the earlier ones
 * CHECKED     tests/native/barrier_test.c, tests/native/condition_test.c, tests/native/lifetimes.c
 *
 * Source: the references that pthread_cond_destroy waits for in glibc since 2.25 (T. Riegel, 2016). */

#define AWAITED (UINT32_C(1) << 31)

void hf__inside_enter(uint32_t *inside)
{
    hf__add_rlx(inside, 1);
}

void hf__inside_leave(uint32_t *inside)
{
    if (hf__add_rel(inside, UINT32_MAX) == (AWAITED | 1)) { /* [R1] */
        hf__wake(inside, HF__WAKE_ALL);
    }
}

static hf__outcome step(uint32_t *inside)
{
    for (;;) {
        uint32_t word = hf__load_acq(inside); /* [A1] */
        if ((word & ~AWAITED) == 0) {
            return HF__DONE;
        }
        if ((word & AWAITED) || hf__cas_rlx(inside, word, word | AWAITED)) {
            return hf__wait_for(HF__WAIT_TURN, word | AWAITED);
        }
    }
}

hf_result hf__inside_wait_until(uint32_t *inside, int64_t deadline_ns)
{
    uint32_t result = 0;
    do {
        result = hf__wait_once(inside, step(inside), result, hf__left(deadline_ns));
    } while (result & HF__WAIT_MORE);
    hf__and_rlx(inside, ~AWAITED);
    return (hf_result)result;
}
