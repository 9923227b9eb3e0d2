/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* A name begins with the number of permits. T0, T1, … in a counterexample are the threads in the order given here. */

/** @typedef {import('./scenario.js').Scenario} Scenario */

/**
 * @param {...number} asks one a round
 * @returns {import('./scenario.js').Blocking}
 */
function takes(...asks) {
    return { blocks: asks.map(() => 'lock'), asks };
}

/**
 * @param {number} ask
 * @returns {import('./scenario.js').Blocking}
 */
function takesForAWhile(ask) {
    return { blocks: ['tryLock for a while'], asks: [ask] };
}

/**
 * @param {number} ask it has at the start, and gives back
 * @returns {import('./scenario.js').Blocking}
 */
function holds(ask) {
    return { blocks: ['lock'], holds: true, asks: [ask] };
}

/**
 * @param {number[]} asks
 * @param {import('./event-loop.js').LoopOptions} [options]
 * @returns {import('./scenario.js').Looping}
 */
function requests(asks, options = {}) {
    return { does: asks.map(() => 'request'), asks, ...options };
}

/**
 * @param {...number} asks
 * @returns {import('./scenario.js').Blocking} gives permits back that it has not taken
 */
function makes(...asks) {
    return { blocks: asks.map(() => 'unlock'), asks };
}

const ABORTS = { aborts: true };
const POLLS = { polls: true };
const BUSY = { busy: /** @type {const} */ ('at times') };
const BUSY_FOR_GOOD = { busy: /** @type {const} */ ('for good') };
const LONG_SECTIONS = { longSections: true };

const SEMAPHORE = (/** @type {number} */ max, /** @type {number} */ initial = max) => ({
    is: /** @type {const} */ ('semaphore'),
    max,
    initial,
});

/** @type {Scenario[]} */
const ALL = [
    { name: '1 permit, 3 workers', lock: SEMAPHORE(1), threads: [takes(1), takes(1), takes(1)] },
    { name: '2 permits, 3 workers', lock: SEMAPHORE(2), threads: [takes(1), takes(1), takes(1)] },
    { name: '2 permits, 3 workers, one for 2', lock: SEMAPHORE(2), threads: [takes(1), takes(1), takes(2)] },
    { name: '2 permits, 3 workers with 2 rounds, one for 2', lock: SEMAPHORE(2), threads: [takes(1, 1), takes(1, 1), takes(2)] },
    { name: '3 permits, 3 workers for 1, 2 and 3', lock: SEMAPHORE(3), threads: [takes(1), takes(2), takes(3)] },
    { name: '2 permits, 3 workers for 1, 1 and 1, 2 rounds', lock: SEMAPHORE(2), threads: [takes(1,1), takes(1,1), takes(1,1)] },
    { name: '2 permits, 4 workers', lock: SEMAPHORE(2), threads: [takes(1), takes(1), takes(1), takes(1)] },
    { name: '2 permits made one by one, 2 workers', lock: SEMAPHORE(2, 0), threads: [makes(1, 1), takes(1), takes(1)] },
    { name: '2 permits made, 2 workers', lock: SEMAPHORE(2, 0), threads: [makes(2), takes(1), takes(1)] },
    { name: '2 permits, 2 workers, 1 loop for 2', lock: SEMAPHORE(2), threads: [takes(1), takes(1), requests([2])] },
    { name: '2 permits, 2 workers, 1 loop with 2 requests', lock: SEMAPHORE(2), threads: [takes(1), takes(2), requests([1, 2])] },
    { name: '2 permits, a worker for 2, 2 loops', lock: SEMAPHORE(2), threads: [takes(2), requests([1]), requests([2])] },
    { name: '2 permits, a time limit, 2 workers', lock: SEMAPHORE(2), threads: [takesForAWhile(2), takes(1), takes(2)] },
    { name: '2 permits, a worker for 2, a loop with aborts, a loop', lock: SEMAPHORE(2), threads: [takes(2), requests([2, 1], ABORTS), requests([1])] },
    { name: '3 permits, a holder of 2, a loop that asks for 2 and tries 1', lock: SEMAPHORE(3), threads: [holds(2), { does: ['request', 'tryLock'], asks: [2, 1] }] },
    { name: '3 permits, a holder of 2, a loop that asks for 2 and blocks for 1', lock: SEMAPHORE(3), threads: [holds(2), { does: ['request', 'lock'], asks: [2, 1] }] },
];

export const SEMAPHORE_SCENARIOS = ALL;
