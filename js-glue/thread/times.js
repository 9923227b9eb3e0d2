/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* How long things take here, in milliseconds. Numbers come first: bundlers write such a number where it is used. */

/** How often a sweep looks for lost wakes. */
export const SWEEP_MS = 50;

/** How long callbacks may follow each other before other work has a turn. */
export const BURST_MS = 4;

/**
 * After so many spurious steps one step comes late, that is, it asks for the long reservation: a thread whose jobs follow
 * without a pause is always late for the short one. Not each step: if it is late for that too, the others only lose by it.
 */
export const LATE_STEP_EVERY = 8;

/** How often waitAsync may refuse, as the word has changed since the step, before a timer polls. */
export const MOST_REFUSALS = 4;

/** How many tasks, or requests of one signal, may end in a row before the promise reactions to their ends run. */
export const MOST_AT_ONCE = 64;

/** The first poll without waitAsync. Browsers round it up to 4. */
export const POLL_MS = 1;

/** The longest pause between two polls. */
export const LONGEST_POLL_MS = 32;

/** The longest for the heir: a reservation for one that polls is twice as long (HF_POLLED_RESERVATION_NS). */
export const HURRIED_POLL_MS = 4;

/** How long a thread has to hold a lock before others probe whether it lives. */
export const PROBE_AFTER_MS = 250;

/** How long a thread has to block before its slot says for what. */
export const SHOWN_AFTER_MS = 100;

/** How long `mutex_lock_for_a_time` blocks before it comes back with a token (SLICES_BEFORE_PROBE in c-src/gate_block.c). */
export const BLOCKED_BEFORE_MS = 300;

/** How long a deadlock cycle that may come apart by itself has to last before it is reported. */
export const SUSPECTED_AFTER_MS = 1000;

/** A deadlock cycle is reported after that time also if nobody could probe whether one of its threads has died. */
export const UNKNOWN_AFTER_MS = 3000;

/** How much the clocks of threads may differ. */
export const CLOCKS_MS = 8;

/** Attempts without a wait that are further apart do not count as watching one reservation. */
export const WATCH_MS = 1000;

/** The most that setTimeout and setInterval take. */
export const LONGEST_DELAY_MS = 2 ** 31 - 1;

/** The age classes of async waiters: an older one goes first, from the second class on also before blocking threads
 * (HF__AGE_DISPLACES). */
export const AGE_CLASSES_MS = [4, 16, 64];
