/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/**
 * A recursive mutex as conditions use it.
 * @typedef {object} Levels
 * @property {() => number} depth of this thread; 0: it does not hold it
 * @property {() => void} begin the thread has just locked it, so its depth is 1
 * @property {() => void} lose a wait has ended without the mutex
 */

/**
 * The levels of recursive mutexes, here so that conditions need not load that class.
 * @type {WeakMap<object, Levels>}
 */
export const levelsOf = new WeakMap();
