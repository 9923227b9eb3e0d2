/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Events that may happen in a scenario besides its threads' own steps. */

/** @typedef {import('./threads.js').Options} Options */

/** Waits end only by a wake. */
export const EVERY_WAKE_COUNTS = {};

/** Any wait may time out at any moment, but threads must end without timeouts. @type {Options} */
export const SLICES_MAY_END = { slices: 'perhaps' };

/** Wakes may be lost: waits are checked again. @type {Options} */
export const SLICES_END = { slices: 'surely' };

/** A thread that holds nothing may die, and takes its slot, its flags and wakes with it. @type {Options} */
export const ONE_MAY_DIE = { ...SLICES_END, deaths: 1 };

/** A wake for one may go to any waiter there, not only to the first. */
export const ANY_IS_WOKEN = { wakesAny: true };

/** Threads that run the same program are distinguished, to check that they do not keep each other busy for
 * ever. */
export const TOLD_APART = { livelocks: true };
