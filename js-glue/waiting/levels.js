/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/**
 * A recursive mutex as a condition sees it.
 *
 * @typedef {object} Levels
 * @property {() => number} depth of this thread; 0: it does not hold it
 * @property {() => void} begin the thread has just got it, so its depth is 1
 * @property {() => void} lose a wait has ended without it
 */

/** The levels of recursive mutexes. Conditions find them here, and need not load that class. @type {WeakMap<object, Levels>} */
export const levelsOf = new WeakMap();
