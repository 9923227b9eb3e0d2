/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Durations, in milliseconds. Each begins with a number: bundlers inline such constants. */

/** How often a sweep looks for lost wakes. */
export const SWEEP_MS = 50;

/** How long callbacks may run one after another before other work has a turn. */
export const BURST_MS = 4;

/**
 * Every eighth spurious step asks for the long reservation: a thread whose jobs follow without a pause always misses
 * the short one. Not every step: while a thread misses the long one, other threads lose that time.
 */
export const LATE_STEP_EVERY = 8;

/** How often waitAsync may refuse, because the word has changed since the step, before a timer polls. */
export const MOST_REFUSALS = 4;

/** How many tasks, or requests of one signal, may end in a row before their promise reactions run. */
export const MOST_AT_ONCE = 64;

/** The first poll without waitAsync. Browsers round it up to 4. */
export const POLL_MS = 1;

/** The longest pause between two polls. */
export const LONGEST_POLL_MS = 32;

/** How long a thread must hold a lock before waiters probe whether it lives. */
export const PROBE_AFTER_MS = 250;

/** How long a thread must block before its slot shows what it waits for. */
export const SHOWN_AFTER_MS = 100;

/** How long a deadlock cycle that may end by itself must last before it is reported. */
export const SUSPECTED_AFTER_MS = 1000;

/** After this time a deadlock cycle is reported even if its members could not all be probed. */
export const UNKNOWN_AFTER_MS = 3000;

/** The largest difference between the clocks of threads. */
export const CLOCKS_MS = 8;

/** Attempts without a wait that are further apart do not count as watching one reservation. */
export const WATCH_MS = 1000;

/** The longest delay that setTimeout and setInterval take. */
export const LONGEST_DELAY_MS = 2 ** 31 - 1;

/**
 * The limits of the age classes of async waiters. An older class goes first; from the second limit on, also ahead of
 * blocking threads (HF__AGE_DISPLACES).
 */
export const AGE_CLASSES_MS = [4, 16, 64];
