/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The threads of scenarios whose primitive is asked for amounts. */

/**
 * @param {...number} asks one a round
 * @returns {import('./scenario.js').Blocking}
 */
export function takes(...asks) {
    return { blocks: asks.map(() => 'lock'), asks };
}

/**
 * @param {...number} asks
 * @returns {import('./scenario.js').Blocking}
 */
export function tries(...asks) {
    return { blocks: asks.map(() => 'tryLock'), asks };
}

/**
 * @param {...number} asks
 * @returns {import('./scenario.js').Blocking}
 */
export function takesForAWhile(...asks) {
    return { blocks: asks.map(() => 'tryLock for a while'), asks };
}

/**
 * @param {...number} asks
 * @returns {import('./scenario.js').Blocking}
 */
export function triesAndWatches(...asks) {
    return { blocks: asks.map(() => 'tryLock and watch'), asks };
}

/**
 * @param {...number} asks
 * @returns {import('./scenario.js').Blocking} gives back what it has not taken
 */
export function givesBack(...asks) {
    return { blocks: asks.map(() => 'unlock'), asks };
}

/**
 * @param {number} ask it has that at the start, and gives it back
 * @returns {import('./scenario.js').Blocking}
 */
export function holds(ask) {
    return { blocks: ['lock'], asks: [ask], holds: true };
}

/**
 * @param {number[]} asks
 * @param {import('./event-loop.js').LoopOptions} [options]
 * @returns {import('./scenario.js').Looping}
 */
export function requests(asks, options = {}) {
    return { does: asks.map(() => 'request'), asks, ...options };
}

/**
 * A thread whose event loop asks while the thread has something, and that takes it again.
 * @param {number} ask
 * @param {number} other what it has
 * @param {import('./event-loop.js').LoopOptions} [options]
 * @returns {import('./scenario.js').Looping}
 */
export function requestsAndHolds(ask, other, options = {}) {
    return {
        does: ['acquire', 'request', 'release', 'acquire', 'release'],
        asks: [other, ask, other, other, other],
        ...options,
    };
}

/**
 * A thread whose event loop asks, and that does something else besides.
 * @param {number} ask
 * @param {import('./event-loop.js').Job} job
 * @param {number} other what that asks for
 * @param {import('./event-loop.js').LoopOptions} [options]
 * @returns {import('./scenario.js').Looping}
 */
export function requestsAnd(ask, job, other, options = {}) {
    return { does: ['request', job], asks: [ask, other], ...options };
}
