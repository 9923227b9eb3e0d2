/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include "event.h"

#include <stdbool.h>

#include "futex.h"

/* STATES      automatic (gate.c; a set may be reserved for a waiter, and a reset takes the set back): set --a
 *                 waiter passes [A1], or reset--> not set --set [R1]--> set
 *             manual:
 *                 not set --set [R2]: wakes all--> set --reset [A3]--> not set; each set: the next epoch
 *             `own` has EVENT_SET; EVENT_WAITERS: threads may wait on it; EVENT_EPOCH: counts sets;
 *             RESETS_ITSELF: the event is automatic.
 * INVARIANTS  I1  An automatic event is set if its gate is free, a manual one if EVENT_SET is set.
 *             I2  A waiter is let through if the event is set, or the epoch has changed since its wait
 *                 began: a reset right after a set holds up no thread that waited at the set.
 *             I3  A thread sleeps only for a value with EVENT_WAITERS, which a set changes before it wakes.
 *             I4  Each set and each reset writes the word, so they have one order (gate.c, R1). A thread
 *                 may reset, check data and wait. Either a set came before the reset, and the thread sees
 *                 what was written before the set; or the set came after, and the wait ends. A set of an
 *                 event that is already set also begins the next epoch, for threads that have begun to wait
 *                 and not checked yet.
 *             Slack: the epoch has 29 bits.
 * ORDERS      A1  cas, passes     acq  R1     gate.c
 *             A2  load in step    acq  R2     what comes after the wait comes after the set
 *             A3  cas in reset    acq  R2     what comes after the reset comes after every set of before
 *             A4  cas in shut     acq  R1     gate.c
 *             R1  cas in leave    rel  A1 A4  gate.c
 *             R2  cas in set      rel  A2 A3  what came before the set is visible to the waiters
 *             All changes are read-modify-writes, so each continues the release sequences of the sets before.
 *             A reset needs no release: a later set promises nothing about what came before the reset.
 * CHECKED     models/ on the shipped bytes; tests/native/event_*.c, tests/native/litmus.c */

#define EVENT_SET (UINT32_C(1) << 0)
#define EVENT_WAITERS (UINT32_C(1) << 1)
#define EVENT_EPOCH (UINT32_C(1) << 2)
#define RESETS_ITSELF (UINT32_C(1) << 31)
#define EVENT_EPOCHS (RESETS_ITSELF - EVENT_EPOCH)

void hf_event_init(hf_event *event, bool auto_reset)
{
    hf__store64_rlx(&event->gate.word, auto_reset ? HF__EVENT_CAPACITY : 0);
    hf__store_rlx(&event->gate.line, 0);
    hf__store_rlx(&event->gate.own, auto_reset ? RESETS_ITSELF : 0);
}

void hf_event_set(hf_event *event)
{
    uint32_t *state = &event->gate.own;
    if (hf__event_resets_itself(event)) {
        hf__gate_leave(&event->gate, HF__EVENT_CAPACITY, HF__EVENT_CAPACITY, 0);
        return;
    }
    uint32_t word;
    do {
        word = hf__load_rlx(state);
    } while (!hf__cas_rel(state, word, ((word + EVENT_EPOCH) & EVENT_EPOCHS) | EVENT_SET)); /* [R2] I4 */
    if (word & EVENT_WAITERS) {
        hf__wake(state, HF__WAKE_ALL);
    }
}

void hf_event_reset(hf_event *event)
{
    uint32_t *state = &event->gate.own;
    if (hf__event_resets_itself(event)) {
        hf__gate_shut(&event->gate, HF__EVENT_CAPACITY);
        return;
    }
    uint32_t word;
    do {
        word = hf__load_rlx(state);
    } while (!hf__cas_acq(state, word, word & ~EVENT_SET)); /* [A3] I4 */
}

bool hf_event_is_set(const hf_event *event)
{
    return hf__event_resets_itself(event) ? hf__gate_used(&event->gate) == 0
                                          : hf__load_acq(&event->gate.own) & EVENT_SET; /* [A2] */
}

uint32_t hf__event_begin(const hf_event *event)
{
    return hf__load_rlx(&event->gate.own) & EVENT_EPOCHS;
}

__attribute__((noinline)) hf__outcome hf__event_step(hf_event *event, uint32_t token)
{
    uint32_t *state = &event->gate.own;
    for (;;) {
        uint32_t word = hf__load_acq(state); /* [A2] */
        if ((word & EVENT_SET) || (word & EVENT_EPOCHS) != token) {
            return HF__DONE;
        }
        if ((word & EVENT_WAITERS) || hf__cas_rlx(state, word, word | EVENT_WAITERS)) {
            return hf__wait_for(HF__WAIT_TURN, word | EVENT_WAITERS);
        }
    }
}

uint32_t hf__event_wait(hf_event *event, uint32_t token, uint32_t before, int64_t limit_ns)
{
    return hf__wait_once(&event->gate.own, hf__event_step(event, token), before, limit_ns);
}

hf_result hf_event_wait_until(hf_event *event, int64_t deadline_ns)
{
    hf__thread_will_block(HF__CALL("hf_event_wait_async"));
    if (hf__event_resets_itself(event)) {
        return hf__gate_enter_until(&event->gate, hf_thread_id(), HF__EVENT_CAPACITY, HF__EVENT_CAPACITY,
                                    deadline_ns);
    }
    uint32_t token = hf__event_begin(event);
    uint32_t result = 0;
    do {
        result = hf__event_wait(event, token, result, hf__left(deadline_ns));
    } while (result & HF__WAIT_MORE);
    return (hf_result)result;
}

void hf_event_wait(hf_event *event)
{
    hf_event_wait_until(event, HF_FOREVER);
}
