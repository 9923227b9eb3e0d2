/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
#ifndef GATE_STAGE_H
#define GATE_STAGE_H

#include <stdbool.h>

#include "gate.h"
#include "gate_word.h"

/* One gate, and four threads that want to pass it. Identities are passed in, so one thread plays all the
 * parts, and each test writes its interleaving down. No identity is so small that its reservation has another
 * number. */
enum { ANNA = 101, BERT = 102, CARL = 103, DORA = 104 };

/* Tokens of blocking threads. */
#define ONCE_OVERTAKEN ((uint32_t)WOKEN_IN_VAIN << HF__TOKEN_STAGE)
#define TWICE_OVERTAKEN ((uint32_t)HAS_NAPPED << HF__TOKEN_STAGE)
#define OVERTAKEN_ENOUGH ((uint32_t)OUT_OF_PATIENCE << HF__TOKEN_STAGE)

extern hf__gate gate;

/* A setup for cmocka: the gate is zero, and the spy has seen nothing. */
int gate_afresh(void **unused);

/* Capacity and opening level, on which all callers of the gate agree. gate_afresh sets them to
 * HF__GATE_FOR_ONE and HF__GATE_MOST; a gate for one opens as a mutex does. */
extern uint32_t gate_capacity;
extern uint32_t gate_opens_at;

/* The words that are waited on. */
uint32_t *sleepers(void);
uint32_t *turn(void);
uint32_t *line(void);

/* Passes, which must be possible. */
void pass(uint32_t self, uint32_t amount);

/* Returns whether `self` passes by a try. */
bool tries(uint32_t self, uint32_t amount);

/* Make a step, and return its whole outcome, or only what comes next. */
hf__outcome outcome_of(uint32_t self, hf__kind kind, hf__token token, uint32_t amount);
hf__next step(uint32_t self, hf__kind kind, hf__token token, uint32_t amount);

/* The parts of an outcome. */
hf__next next_in(hf__outcome outcome);
uint32_t watched_in(hf__outcome outcome);
bool polls_in(hf__outcome outcome);

/* Gives back an amount that is in use. */
void leave(uint32_t amount);

void withdraw(uint32_t self, hf__kind kind, hf__token token);

/* Blocks once; limit as of hf__gate_wait. */
uint32_t wait_once(uint32_t self, hf__token token, int64_t limit_ns, uint32_t amount);

/* For a gate that one thread passes at a time: the amount is its identity. */
void enter(uint32_t self);
void go(uint32_t self);
hf__next ask(uint32_t self, hf__kind kind, hf__token token);

void assert_gate_is_zero(void);

/* Checks that the lower half has this in use and no flag, and that there is no heir. */
void assert_only_in_use(uint32_t amount);

/* Checks the number of wakes since this was called last. */
void assert_wakes(uint32_t of_sleepers, uint32_t of_turn, uint32_t of_line);

#endif
