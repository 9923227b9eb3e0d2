/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Generated from the C sources by scripts/generate-layout.mjs; do not edit. */

/* Bits of a gate's word (gate_word.h), and how often a thread reads it before it sleeps (gate_block.c). */
export const GATE_NAPPER_SHIFT = 29;
export const GATE_SLEEPERS_SHIFT = 31;
export const GATE_ASYNC_HEIR_SHIFT = 61;
export const GATE_KEEPS_SLOT_SHIFT = 62;
export const GATE_LOOP_PASSED_SHIFT = 62;
export const GATE_RESERVED_SHIFT = 63;
export const GATE_SPINS_BEFORE_SLEEP = 100;

/* The parts of a condition's word (condition.c). */
export const CONDITION_LOOPS_SHIFT = 18;
export const CONDITION_EPOCH_SHIFT = 19;
export const CONDITION_EPOCH_BITS = 27;
export const CONDITION_WAITERS_SHIFT = 46;

/* The epoch in the state of a manual event (event.c). */
export const EVENT_EPOCH = 4;
export const EVENT_EPOCHS = 2147483644;

/* The parts of the words of a barrier (barrier.c). */
export const BARRIER_PARTIES_SHIFT = 32;
export const BARRIER_ARRIVED_SHIFT = 48;
export const BARRIER_SLEEPS_SHIFT = 31;
export const BARRIER_LAST_SHIFT = 32;
export const BARRIER_ONE_LEFT = 256;

/* How long a blocked thread spins, and the number of its growing slices (waiting.c, waiting.h). */
export const WAITING_SPINS_FOR_A_CHANGE = 25000;
export const WAITING_SLICES_MOST = 6;

/* The states of a slot of the table of threads, and the parts of its words (agents.c, records.h). */
export const AGENT_FREE = 0;
export const AGENT_JOINING = 1;
export const AGENT_DEAD = 3;
export const AGENT_PROBING_BITS = 12;
export const AGENT_HOLDER_SHIFT = 32;
