/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import {
    does,
    holder,
    limited,
    loop,
    loopAnd,
    maker,
    ABORTS,
    BUSY,
    BUSY_FOR_GOOD,
    LONG_SECTIONS,
    OLD,
    POLLS,
    RESTS,
    watcher,
    worker,
} from './threads.js';
import {
    abortAtOnce,
    keeps,
    mayNotGiveBack,
    requestsAndHolds,
    requestsAndTakes,
    requestsAndTries,
    requestsAtOnce,
    takes,
    takesForAWhile,
    tries,
} from './programs.js';

/* T0, T1, … in a counterexample are the threads in the order given here. `a worker for 2` takes two permits. */

/** @typedef {import('../explorer/scenario.js').Scenario} Scenario */
/** @typedef {import('./threads.js').Options} Options */

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
        objects: { lock: { is: 'semaphore', max, initial } },
        threads,
        ...options,
    };
}

/** Wants more than there will ever be, and may die of it. */
const FORLORN = { ...worker(3), isForlorn: true };

/** Of three, one is had by somebody else for ever. */
const KEPT = { initial: 2 };

/** Every wake is needed: waits end by a wake only. */
const EVERY_WAKE_COUNTS = [
    semaphoreOf(1, '3 workers', [worker(1), worker(1), worker(1)]),
    semaphoreOf(2, '3 workers with 2 rounds', [worker(1, 1), worker(1, 1), worker(1, 1)]),
    semaphoreOf(2, '2 workers, a worker for 2', [worker(1), worker(1), worker(2)]),
    semaphoreOf(2, '2 workers with 2 rounds, a worker for 2', [worker(1, 1), worker(1, 1), worker(2)]),
    semaphoreOf(2, '4 workers', [worker(1), worker(1), worker(1), worker(1)]),
    semaphoreOf(3, 'workers for 1, 2 and 3', [worker(1), worker(2), worker(3)]),
    semaphoreOf(3, 'workers for 1, 2 and 3 with 2 rounds', [worker(1, 2), worker(2, 1), worker(3)]),
    semaphoreOf(2, 'a try, a worker, a worker for 2', [does([tries, 1, 2]), worker(1), worker(2)]),
    semaphoreOf(2, '3 time limits, one for 2', [limited(1), limited(1), limited(2)]),
    semaphoreOf(2, 'a time limit for 2, a worker, a worker for 2', [limited(2), worker(1), worker(2)]),
    semaphoreOf(3, 'time limits for 1 and 2, a worker for 3', [limited(2), limited(1), worker(3)]),
    semaphoreOf(2, 'permits made one by one, 2 workers', [maker(1, 1), worker(1), worker(1)], {
        initial: 0,
    }),
    semaphoreOf(2, 'permits made at once, 2 workers', [maker(2), worker(1), worker(1)], { initial: 0 }),
    semaphoreOf(2, 'more permits made than there may be, a worker', [
        does([mayNotGiveBack, 'HF_OVERFLOW', 2]),
        worker(1),
    ]),
    semaphoreOf(3, 'permits made one by one, loops for 1 and 2', [maker(1, 1, 1), loop([1]), loop([2])], {
        initial: 0,
    }),
    semaphoreOf(2, '2 workers, a loop for 2', [worker(1), worker(1), loop([2])]),
    semaphoreOf(2, 'a worker, a worker for 2, a loop for 1 and 2', [worker(1), worker(2), loop([1, 2])]),
    semaphoreOf(2, 'a worker for 2, loops for 1 and 2', [worker(2), loop([1]), loop([2])]),
    semaphoreOf(2, 'a holder of 1, a worker for 2, a loop that is old', [
        holder(1),
        worker(2),
        loop([1], OLD),
    ]),
    semaphoreOf(2, 'a holder of 2, a worker, a loop for 2 that is old', [
        holder(2),
        worker(1),
        loop([2], OLD),
    ]),
    semaphoreOf(2, 'a holder of 2, a time limit for 2, a loop for 2 that is old, with aborts', [
        holder(2),
        limited(2),
        loop([2], { ...OLD, ...ABORTS }),
    ]),
    semaphoreOf(2, 'a holder of 1, a worker for 2, loops for 1 and 2 that are old', [
        holder(1),
        worker(2),
        loop([1], OLD),
        loop([2], OLD),
    ]),
    semaphoreOf(2, 'a worker for 2, a loop for 2 and 1 with aborts, a loop', [
        worker(2),
        loop([2, 1], ABORTS),
        loop([1]),
    ]),
    semaphoreOf(2, 'a worker, a loop with requests for 2 and 1 at once', [
        worker(1),
        does([requestsAtOnce, 2, 1]),
    ]),
    semaphoreOf(2, 'a worker, a loop with requests for 2 and 1 that one signal ends, a loop', [
        worker(1),
        does([abortAtOnce, 2, 1]),
        loop([1]),
    ]),
    semaphoreOf(2, 'a worker for 2, a loop with 3 long sections', [
        worker(2),
        loop([1, 1, 2], LONG_SECTIONS),
    ]),
    semaphoreOf(2, 'a worker, a loop with long sections, rests and aborts, a loop', [
        worker(1),
        loop([2, 1], { ...LONG_SECTIONS, ...ABORTS, ...RESTS }),
        loop([1]),
    ]),
    semaphoreOf(2, 'a worker for 2, a loop that polls, a loop', [worker(2), loop([1, 2], POLLS), loop([1])]),
    semaphoreOf(3, 'a holder of 2, a loop for 2 that tries 1 in the same job', [
        holder(2),
        does([requestsAndTries, 2, 1]),
    ]),
    semaphoreOf(3, 'a holder of 2, a loop for 2 that blocks for 1 in the same job', [
        holder(2),
        does([requestsAndTakes, 2, 1]),
    ]),
    semaphoreOf(3, 'a holder of 2, a loop for 2 that tries 1', [holder(2), loopAnd(2, [tries, 1])]),
    semaphoreOf(3, 'a holder of 2, a loop for 2 that blocks for 1', [holder(2), loopAnd(2, [takes, 1])]),
    semaphoreOf(3, 'a loop for 1 that blocks for 2, workers for 2 and 3', [
        loopAnd(1, [takes, 2]),
        worker(2),
        worker(3),
    ]),
    semaphoreOf(2, 'a worker, a loop for 2 that holds 1 across jobs', [
        worker(1),
        does([requestsAndHolds, 2, 1]),
    ]),
    semaphoreOf(3, 'a loop for 2 that has a time limit for 1, workers for 2 and 3', [
        loopAnd(2, [takesForAWhile, 1], ABORTS),
        worker(2),
        worker(3),
    ]),
];

/** Two copies of the package in one thread, which want different amounts. */
const COPIES = [
    semaphoreOf(2, 'a holder of 2, a loop for 2 with aborts, a copy of it for 1', [
        holder(2),
        loop([2], ABORTS),
        { ...loop([1]), copyOf: 1 },
    ]),
    semaphoreOf(2, 'a worker for 2, a loop, a copy of it for 2 with aborts', [
        worker(2),
        loop([1]),
        { ...loop([2], ABORTS), copyOf: 1 },
    ]),
];

/** Nobody may depend on an event loop that is busy, but the others may on the ends of reservations. */
const SOME_ARE_BUSY = [
    semaphoreOf(2, 'a worker, a worker for 2, a busy loop', [worker(1), worker(2), loop([1], BUSY)]),
    semaphoreOf(2, 'a holder of 2, a loop, a busy loop for 2', [
        holder(2),
        loop([1]),
        loop([2], BUSY_FOR_GOOD),
    ]),
    semaphoreOf(2, 'a holder of 2, 2 workers, a busy loop for 2', [
        holder(2),
        worker(1),
        worker(1),
        loop([2], BUSY_FOR_GOOD),
    ]),
    semaphoreOf(2, 'a holder of 2, a worker, a worker for 2, a busy loop', [
        holder(2),
        worker(1),
        worker(2),
        loop([1], BUSY_FOR_GOOD),
    ]),
    semaphoreOf(3, 'a holder of 3, 2 loops, a busy loop', [
        holder(3),
        loop([1]),
        loop([1]),
        loop([1], BUSY_FOR_GOOD),
    ]),
    semaphoreOf(
        2,
        'one permit kept, a holder, a busy loop that has a time limit for 2, a worker',
        [holder(1), loopAnd(1, [takesForAWhile, 2], BUSY), worker(1)],
        { initial: 1 },
    ),
    semaphoreOf(
        2,
        'one permit kept, a holder, a busy loop that has a time limit for 2, a loop',
        [holder(1), loopAnd(1, [takesForAWhile, 2], BUSY), loop([1])],
        { initial: 1 },
    ),
    semaphoreOf(2, 'a holder of 2, a busy loop that takes 1 for good, a worker', [
        holder(2),
        loopAnd(1, [keeps, 1], BUSY),
        worker(1),
    ]),
    semaphoreOf(3, 'a holder of 3, a busy loop that takes 1 for good, a loop', [
        holder(3),
        loopAnd(1, [keeps, 1], BUSY),
        loop([1]),
    ]),
];

/** Any wait may time out at any moment, but nobody may need that. */
const SLICES_MAY_END = [
    semaphoreOf(2, '2 workers, a worker for 2, slices', [worker(1), worker(1), worker(2)]),
    semaphoreOf(2, 'a try that watches, a worker for 2, a loop for 2, slices', [
        watcher(1),
        worker(2),
        loop([2]),
    ]),
    semaphoreOf(2, 'a worker, a loop for 2, slices', [worker(1), worker(1), loop([2])]),
].map((scenario) => ({ ...scenario, slices: /** @type {const} */ ('perhaps') }));

/** One that waits may die, and takes no permit with it: the last who waits needs all of them. */
const ONE_MAY_DIE = [
    semaphoreOf(2, '2 workers, a worker for 2, a death', [worker(1), worker(1), worker(2)]),
    semaphoreOf(2, 'a worker, a worker for 2, a loop, a death', [worker(1), worker(2), loop([1])]),
    semaphoreOf(2, 'a worker for 2, a loop, a loop for 2 with aborts, a death', [
        worker(2),
        loop([1]),
        loop([2], ABORTS),
    ]),
    semaphoreOf(
        3,
        'one permit kept, a forlorn worker for 3, a loop that is old, a death',
        [FORLORN, loop([1], OLD)],
        KEPT,
    ),
    semaphoreOf(3, 'one permit kept, a forlorn worker for 3, a worker, a death', [FORLORN, worker(1)], KEPT),
    semaphoreOf(
        3,
        'one permit kept, a forlorn worker for 3, a try that watches, a loop, a death',
        [FORLORN, watcher(1), loop([1])],
        KEPT,
    ),
    semaphoreOf(
        3,
        'one permit kept, a busy loop for 3, a worker, a loop with aborts, a death',
        [loop([3], BUSY_FOR_GOOD), worker(1), loop([1], ABORTS)],
        KEPT,
    ),
    semaphoreOf(
        3,
        'one permit kept, a forlorn loop for 3, a worker for 2, a loop that polls, a death',
        [loop([3], BUSY), worker(2), loop([1], POLLS)],
        KEPT,
    ),
].map((scenario) => ({ ...scenario, deaths: 1, slices: /** @type {const} */ ('surely') }));

/** A wake for one may go to any that waits there, not only to the first. */
const ANY_IS_WOKEN = [
    semaphoreOf(2, '3 workers, a worker for 2, any is woken', [worker(1), worker(1), worker(1), worker(2)]),
    semaphoreOf(2, '3 workers, a loop, any is woken', [worker(1), worker(1), worker(1), loop([1])]),
].map((scenario) => ({ ...scenario, wakesAny: true }));

/** Threads told apart, to see that they do not keep each other busy for ever. */
const NO_LIVELOCK = [
    semaphoreOf(3, 'workers for 1, 2 and 2, livelocks', [worker(1), worker(2), worker(2)]),
    semaphoreOf(2, 'a worker for 2, loops for 1 and 2, livelocks', [worker(2), loop([1]), loop([2])]),
].map((scenario) => ({ ...scenario, livelocks: true }));

/** @type {Scenario[]} */
export const SEMAPHORE_SCENARIOS = [
    ...EVERY_WAKE_COUNTS,
    ...COPIES,
    ...SOME_ARE_BUSY,
    ...SLICES_MAY_END,
    ...ONE_MAY_DIE,
    ...ANY_IS_WOKEN,
    ...NO_LIVELOCK,
];
