/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#include "gate_stage.h"

#include <stdbool.h>

#include "cmocka_with_headers.h"
#include "futex_spy.h"

hf__gate gate;
uint32_t gate_capacity;
uint32_t gate_opens_at;

int gate_afresh(void **unused)
{
    (void)unused;
    gate = (hf__gate){0};
    gate_capacity = HF__GATE_FOR_ONE;
    gate_opens_at = HF__GATE_MOST;
    futex_spy_reset();
    return 0;
}

uint32_t *sleepers(void)
{
    return hf__low_half(&gate.word);
}

uint32_t *turn(void)
{
    return hf__high_half(&gate.word);
}

uint32_t *line(void)
{
    return &gate.line;
}

bool tries(uint32_t self, uint32_t amount)
{
    return hf__gate_try_after(&gate, self, 0, amount, gate_capacity) == HF_OK;
}

void pass(uint32_t self, uint32_t amount)
{
    assert_true(tries(self, amount));
}

hf__outcome outcome_of(uint32_t self, hf__kind kind, hf__token token, uint32_t amount)
{
    return hf__gate_step(&gate, self, kind, token, amount, gate_capacity);
}

hf__next step(uint32_t self, hf__kind kind, hf__token token, uint32_t amount)
{
    return next_in(outcome_of(self, kind, token, amount));
}

hf__next next_in(hf__outcome outcome)
{
    return (hf__next)((outcome >> HF__OUTCOME_NEXT) & 3);
}

uint32_t watched_in(hf__outcome outcome)
{
    return (uint32_t)(outcome >> HF__OUTCOME_WATCHED);
}

bool polls_in(hf__outcome outcome)
{
    return (outcome >> HF__OUTCOME_IS_LONG) & 1;
}

void leave(uint32_t amount)
{
    uint32_t opens_at = gate_capacity == HF__GATE_FOR_ONE ? HF__OPENS_TO_ONE : gate_opens_at;
    assert_true(hf__gate_leave(&gate, amount, HF__GATE_MOST, opens_at));
}

void withdraw(uint32_t self, hf__kind kind, hf__token token)
{
    hf__gate_withdraw(&gate, self, kind, token, gate_capacity);
}

uint32_t wait_once(uint32_t self, hf__token token, int64_t limit_ns, uint32_t amount)
{
    return hf__gate_wait(&gate, self, token, limit_ns, amount, gate_capacity);
}

void enter(uint32_t self)
{
    pass(self, self);
}

void go(uint32_t self)
{
    leave(self);
}

hf__next ask(uint32_t self, hf__kind kind, hf__token token)
{
    return step(self, kind, token, self);
}

void assert_gate_is_zero(void)
{
    assert_only_in_use(0);
    assert_int_equal(gate.line, 0);
    assert_int_equal(gate.own, 0);
}

void assert_only_in_use(uint32_t amount)
{
    /* A gate in use may also record that an event loop passed last. */
    uint64_t loop_passed = amount > 0 ? UINT64_C(1) << (32 + HF_THREAD_BITS + 1) : 0;
    assert_int_equal(gate.word & ~loop_passed, amount);
}

void assert_wakes(uint32_t of_sleepers, uint32_t of_turn, uint32_t of_line)
{
    assert_int_equal(futex_spy_wakes(sleepers()), of_sleepers);
    assert_int_equal(futex_spy_wakes(turn()), of_turn);
    assert_int_equal(futex_spy_wakes(line()), of_line);
    futex_spy_reset();
}
