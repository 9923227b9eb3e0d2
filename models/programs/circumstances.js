/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Events that may happen in a scenario besides its threads' own steps. */

/** @typedef {import('./threads.js').Options} Options */

/** Waits end by a wake only. */
export const EVERY_WAKE_COUNTS = {};

/** Any wait may time out at any moment, but nobody may need that. @type {Options} */
export const SLICES_MAY_END = { slices: 'perhaps' };

/** Wakes may be lost: waits are checked again. @type {Options} */
export const SLICES_END = { slices: 'surely' };

/** A thread that has nothing may die, and takes its place, its flags and wakes with it. @type {Options} */
export const ONE_MAY_DIE = { ...SLICES_END, deaths: 1 };

/** A wake for one may go to any that waits there, not only to the first. */
export const ANY_IS_WOKEN = { wakesAny: true };

/** Threads that do the same are told apart, to see that they do not keep each other busy for ever. */
export const TOLD_APART = { livelocks: true };
