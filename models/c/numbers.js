/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Generated from the C sources by scripts/generate-layout.mjs; do not edit. */

/* Bits of a gate's word, a token's stages and numbers (gate_word.h); how a blocking thread waits (gate_block.c). */
export const GATE_NAPPER_SHIFT = 29;
export const GATE_SLEEPERS_SHIFT = 31;
export const GATE_ASYNC_HEIR_SHIFT = 61;
export const GATE_KEEPS_SLOT_SHIFT = 62;
export const GATE_LOOP_PASSED_SHIFT = 62;
export const GATE_RESERVED_SHIFT = 63;
export const GATE_SPINS_BEFORE_SLEEP = 100;
export const GATE_PERMITS_BY_CORES = 1023;
export const GATE_OPENS_TO_ONE = 4294967295;
export const GATE_NUMBER_BITS = 28;
export const GATE_AGE_DISPLACES = 2;
export const GATE_PATIENT = 0;
export const GATE_WOKEN_IN_VAIN = 1;
export const GATE_HAS_NAPPED = 2;
export const GATE_OUT_OF_PATIENCE = 3;
export const GATE_NAPS = 1;
export const GATE_NAPS_ONCE = 2;
export const GATE_FIRST_NAP_NS = 200000;
export const GATE_ONLY_NAP_NS = 600000;
export const GATE_PATIENCE_NS = 1000000;
export const GATE_BEHIND_NS = 200000000;
export const GATE_WOKEN_SLEEPS_LESS = 8;
export const GATE_LEAST_SLEEPS_IN_A_LIMIT = 8;
export const GATE_RESERVATION_NS = 1000000;
export const GATE_POLLED_RESERVATION_NS = 8000000;
export const GATE_BESIDE_NS = 50000000;
export const GATE_SLICES_TIMES_FOUR = 5;
export const GATE_SLICES_BEFORE_PROBE = 4;

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
export const WAITING_SLICE_NS = 20000000;
export const WAITING_LONGEST_SLICE_NS = 1000000000;

/* The states of a slot of the table of threads, and the parts of its words (agents.c, records.h). */
export const AGENT_FREE = 0;
export const AGENT_JOINING = 1;
export const AGENT_DEAD = 3;
export const AGENT_PROBING_BITS = 12;
export const AGENT_HOLDER_SHIFT = 32;
