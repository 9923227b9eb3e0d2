/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { ABORTS, BUSY, BUSY_FOR_GOOD, POLLS } from './loop-options.js';
import {
    givesBack,
    holds,
    requests,
    requestsAnd,
    requestsAndHolds,
    takes,
    takesForAWhile,
    tries,
    triesAndWatches,
} from './scenario-threads.js';

/* T0, T1, … in a counterexample are the threads in the order given here. `a worker for 2` takes two permits. */

/** @typedef {import('./scenario.js').Scenario} Scenario */
/** @typedef {Omit<Scenario, 'name' | 'lock' | 'threads'>} Options */

const LONG_SECTIONS = { longSections: true };

/**
 * @param {number} max
 * @param {string} what
 * @param {Scenario['threads']} threads
 * @param {Options & { initial?: number }} [options] `initial`: how many permits anybody will ever have, unless some are
 *     made
 * @returns {Scenario}
 */
function semaphoreOf(max, what, threads, { initial = max, ...options } = {}) {
    return {
        name: `semaphore of ${max}, ${what}`,
        lock: { is: 'semaphore', max, initial },
        threads,
        ...options,
    };
}

/** Wants more than there will ever be, and may die of it. */
const FORLORN = { ...takes(3), isForlorn: true };

/** Of three, one is had by somebody else for ever. */
const KEPT = { initial: 2 };

/** Every wake is needed: waits end by a wake only. */
const EVERY_WAKE_COUNTS = [
    semaphoreOf(1, '3 workers', [takes(1), takes(1), takes(1)]),
    semaphoreOf(2, '3 workers with 2 rounds', [takes(1, 1), takes(1, 1), takes(1, 1)]),
    semaphoreOf(2, '2 workers, a worker for 2', [takes(1), takes(1), takes(2)]),
    semaphoreOf(2, '2 workers with 2 rounds, a worker for 2', [takes(1, 1), takes(1, 1), takes(2)]),
    semaphoreOf(2, '4 workers', [takes(1), takes(1), takes(1), takes(1)]),
    semaphoreOf(3, 'workers for 1, 2 and 3', [takes(1), takes(2), takes(3)]),
    semaphoreOf(3, 'workers for 1, 2 and 3 with 2 rounds', [takes(1, 2), takes(2, 1), takes(3)]),
    semaphoreOf(2, 'a try, a worker, a worker for 2', [tries(1, 2), takes(1), takes(2)]),
    semaphoreOf(2, '3 time limits, one for 2', [takesForAWhile(1), takesForAWhile(1), takesForAWhile(2)]),
    semaphoreOf(2, 'a time limit for 2, a worker, a worker for 2', [takesForAWhile(2), takes(1), takes(2)]),
    semaphoreOf(3, 'time limits for 1 and 2, a worker for 3', [
        takesForAWhile(2),
        takesForAWhile(1),
        takes(3),
    ]),
    semaphoreOf(2, 'permits made one by one, 2 workers', [givesBack(1, 1), takes(1), takes(1)], {
        initial: 0,
    }),
    semaphoreOf(2, 'permits made at once, 2 workers', [givesBack(2), takes(1), takes(1)], { initial: 0 }),
    semaphoreOf(
        3,
        'permits made one by one, loops for 1 and 2',
        [givesBack(1, 1, 1), requests([1]), requests([2])],
        {
            initial: 0,
        },
    ),
    semaphoreOf(2, 'more permits made than there may be, 2 workers', [givesBack(3), takes(1), takes(2)]),
    semaphoreOf(2, '2 workers, a loop for 2', [takes(1), takes(1), requests([2])]),
    semaphoreOf(2, 'a worker, a worker for 2, a loop for 1 and 2', [takes(1), takes(2), requests([1, 2])]),
    semaphoreOf(2, 'a worker for 2, loops for 1 and 2', [takes(2), requests([1]), requests([2])]),
    semaphoreOf(2, 'a worker for 2, a loop for 2 and 1 with aborts, a loop', [
        takes(2),
        requests([2, 1], ABORTS),
        requests([1]),
    ]),
    semaphoreOf(2, 'a worker for 2, a loop with 3 long sections', [
        takes(2),
        requests([1, 1, 2], LONG_SECTIONS),
    ]),
    semaphoreOf(2, 'a worker, a loop with long sections, rests and aborts, a loop', [
        takes(1),
        requests([2, 1], { ...LONG_SECTIONS, ...ABORTS, rests: true }),
        requests([1]),
    ]),
    semaphoreOf(2, 'a worker for 2, a loop that polls, a loop', [
        takes(2),
        requests([1, 2], POLLS),
        requests([1]),
    ]),
    semaphoreOf(3, 'a holder of 2, a loop for 2 that tries 1', [holds(2), requestsAnd(2, 'tryLock', 1)]),
    semaphoreOf(3, 'a holder of 2, a loop for 2 that blocks for 1', [holds(2), requestsAnd(2, 'lock', 1)]),
    semaphoreOf(3, 'a loop for 1 that blocks for 2, workers for 2 and 3', [
        requestsAnd(1, 'lock', 2),
        takes(2),
        takes(3),
    ]),
    semaphoreOf(2, 'a worker, a loop for 2 that holds 1 across jobs', [takes(1), requestsAndHolds(2, 1)]),
    semaphoreOf(3, 'a loop for 2 that has a time limit for 1, workers for 2 and 3', [
        requestsAnd(2, 'tryLock for a while', 1, ABORTS),
        takes(2),
        takes(3),
    ]),
];

/** Nobody may depend on an event loop that is busy, but the others may on the ends of reservations. */
const SOME_ARE_BUSY = [
    semaphoreOf(2, 'a worker, a worker for 2, a busy loop', [takes(1), takes(2), requests([1], BUSY)]),
    semaphoreOf(2, 'a holder of 2, a loop, a busy loop for 2', [
        holds(2),
        requests([1]),
        requests([2], BUSY_FOR_GOOD),
    ]),
    semaphoreOf(2, 'a holder of 2, 2 workers, a busy loop for 2', [
        holds(2),
        takes(1),
        takes(1),
        requests([2], BUSY_FOR_GOOD),
    ]),
    semaphoreOf(
        2,
        'a holder of 2, a worker, a worker for 2, a busy loop',
        [holds(2), takes(1), takes(2), requests([1], BUSY_FOR_GOOD)],
        { long: true },
    ),
    semaphoreOf(3, 'a holder of 3, 2 loops, a busy loop', [
        holds(3),
        requests([1]),
        requests([1]),
        requests([1], BUSY_FOR_GOOD),
    ]),
    semaphoreOf(
        2,
        'one permit kept, a holder, a busy loop that has a time limit for 2, a worker',
        [holds(1), requestsAnd(1, 'tryLock for a while', 2, BUSY), takes(1)],
        { initial: 1 },
    ),
    semaphoreOf(
        2,
        'one permit kept, a holder, a busy loop that has a time limit for 2, a loop',
        [holds(1), requestsAnd(1, 'tryLock for a while', 2, BUSY), requests([1])],
        { initial: 1 },
    ),
    semaphoreOf(2, 'a holder of 2, a busy loop that takes 1 for good, a worker', [
        holds(2),
        requestsAnd(1, 'tryLock and keep', 1, BUSY),
        takes(1),
    ]),
    semaphoreOf(3, 'a holder of 3, a busy loop that takes 1 for good, a loop', [
        holds(3),
        requestsAnd(1, 'tryLock and keep', 1, BUSY),
        requests([1]),
    ]),
];

/** Any wait may time out at any moment, but nobody may need that. */
const SLICES_MAY_END = [
    semaphoreOf(2, '2 workers, a worker for 2, slices', [takes(1), takes(1), takes(2)]),
    semaphoreOf(2, 'a try that watches, a worker for 2, a loop for 2, slices', [
        triesAndWatches(1),
        takes(2),
        requests([2]),
    ]),
    semaphoreOf(2, 'a worker, a loop for 2, slices', [takes(1), takes(1), requests([2])]),
].map((scenario) => ({ ...scenario, slices: /** @type {const} */ ('perhaps') }));

/** One that waits may die, and takes no permit with it: the last who waits needs all of them. */
const ONE_MAY_DIE = [
    semaphoreOf(2, '2 workers, a worker for 2, a death', [takes(1), takes(1), takes(2)]),
    semaphoreOf(2, 'a worker, a worker for 2, a loop, a death', [takes(1), takes(2), requests([1])]),
    semaphoreOf(2, 'a worker for 2, a loop, a loop for 2 with aborts, a death', [
        takes(2),
        requests([1]),
        requests([2], ABORTS),
    ]),
    semaphoreOf(3, 'one permit kept, a forlorn worker for 3, a worker, a death', [FORLORN, takes(1)], KEPT),
    semaphoreOf(
        3,
        'one permit kept, a forlorn worker for 3, a try that watches, a loop, a death',
        [FORLORN, triesAndWatches(1), requests([1])],
        KEPT,
    ),
    semaphoreOf(
        3,
        'one permit kept, a busy loop for 3, a worker, a loop with aborts, a death',
        [requests([3], BUSY_FOR_GOOD), takes(1), requests([1], ABORTS)],
        KEPT,
    ),
    semaphoreOf(
        3,
        'one permit kept, a forlorn loop for 3, a worker for 2, a loop that polls, a death',
        [requests([3], BUSY), takes(2), requests([1], POLLS)],
        KEPT,
    ),
].map((scenario) => ({ ...scenario, deaths: 1, slices: /** @type {const} */ ('surely') }));

/** A wake for one may go to any that waits there, not only to the first. */
const ANY_IS_WOKEN = [
    semaphoreOf(2, '3 workers, a worker for 2, any is woken', [takes(1), takes(1), takes(1), takes(2)]),
    semaphoreOf(2, '3 workers, a loop, any is woken', [takes(1), takes(1), takes(1), requests([1])]),
].map((scenario) => ({ ...scenario, wakesAny: true }));

/** Threads told apart, to see that they do not keep each other busy for ever. */
const NO_LIVELOCK = [
    semaphoreOf(3, 'workers for 1, 2 and 2, livelocks', [takes(1), takes(2), takes(2)]),
    semaphoreOf(2, 'a worker for 2, loops for 1 and 2, livelocks', [takes(2), requests([1]), requests([2])]),
].map((scenario) => ({ ...scenario, livelocks: true }));

/** @type {Scenario[]} */
export const SEMAPHORE_SCENARIOS = [
    ...EVERY_WAKE_COUNTS,
    ...SOME_ARE_BUSY,
    ...SLICES_MAY_END,
    ...ONE_MAY_DIE,
    ...ANY_IS_WOKEN,
    ...NO_LIVELOCK,
];
