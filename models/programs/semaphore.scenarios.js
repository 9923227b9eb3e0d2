/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import * as c from './circumstances.js';
import * as p from './programs.js';
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

/* T0, T1, … in a counterexample are the threads in this order. `a worker for 2` takes two permits. */

/** @typedef {import('../explorer/scenario.js').Scenario} Scenario */
/** @typedef {{ max: number, initial: number, threads: Scenario['threads'] }} Semaphore of a scenario */

/**
 * @param {import('./threads.js').Options} options @param {Record<string, Semaphore>} described @returns {Scenario[]}
 */
function semaphores(options, described) {
    return Object.entries(described).map(([what, { max, initial, threads }]) => ({
        name: `semaphore of ${max}, ${what}`,
        objects: { lock: { is: 'semaphore', max, initial } },
        threads,
        ...options,
    }));
}

/** @param {number} max @param {number} [initial] @returns {(...threads: Scenario['threads']) => Semaphore} */
function semaphoreOf(max, initial = max) {
    return (...threads) => ({ max, initial, threads });
}

const [of1, of2, of3] = [semaphoreOf(1), semaphoreOf(2), semaphoreOf(3)];
/** Another thread holds one permit for ever. */
const [keptOf2, keptOf3] = [semaphoreOf(2, 1), semaphoreOf(3, 2)];
/** No permits at first: threads must add them. */
const [emptyOf2, emptyOf3] = [semaphoreOf(2, 0), semaphoreOf(3, 0)];

/** Wants more permits than there will ever be, and may die while it waits. */
const FORLORN = { ...worker(3), isForlorn: true };

const COPY = { ...loop([1]), copyOf: 1 };
const COPY_FOR_2_ABORTS = { ...loop([2], ABORTS), copyOf: 1 };

/** @type {Scenario[]} */
export const SEMAPHORE_SCENARIOS = [
    ...semaphores(c.EVERY_WAKE_COUNTS, {
        '3 workers': of1(worker(1), worker(1), worker(1)),
        '3 workers with 2 rounds': of2(worker(1, 1), worker(1, 1), worker(1, 1)),
        '2 workers, a worker for 2': of2(worker(1), worker(1), worker(2)),
        '2 workers with 2 rounds, a worker for 2': of2(worker(1, 1), worker(1, 1), worker(2)),
        '4 workers': of2(worker(1), worker(1), worker(1), worker(1)),
        'workers for 1, 2 and 3': of3(worker(1), worker(2), worker(3)),
        'workers for 1, 2 and 3 with 2 rounds': of3(worker(1, 2), worker(2, 1), worker(3)),
        'a try, a worker, a worker for 2': of2(does([p.tries, 1, 2]), worker(1), worker(2)),
        '3 time limits, one for 2': of2(limited(1), limited(1), limited(2)),
        'a time limit for 2, a worker, a worker for 2': of2(limited(2), worker(1), worker(2)),
        'time limits for 1 and 2, a worker for 3': of3(limited(2), limited(1), worker(3)),
        'permits made one by one, 2 workers': emptyOf2(maker(1, 1), worker(1), worker(1)),
        'permits made at once, 2 workers': emptyOf2(maker(2), worker(1), worker(1)),
        'more permits made than there may be, a worker': of2(
            does([p.mayNotGiveBack, 'HF_OVERFLOW', 2]),
            worker(1),
        ),
        'permits made one by one, loops for 1 and 2': emptyOf3(maker(1, 1, 1), loop([1]), loop([2])),
        '2 workers, a loop for 2': of2(worker(1), worker(1), loop([2])),
        'a worker, a worker for 2, a loop for 1 and 2': of2(worker(1), worker(2), loop([1, 2])),
        'a worker for 2, loops for 1 and 2': of2(worker(2), loop([1]), loop([2])),
        'a holder of 1, a worker for 2, a loop that is old': of2(holder(1), worker(2), loop([1], OLD)),
        'a holder of 2, a worker, a loop for 2 that is old': of2(holder(2), worker(1), loop([2], OLD)),
        'a holder of 2, a time limit for 2, a loop for 2 that is old, with aborts': of2(
            holder(2),
            limited(2),
            loop([2], { ...OLD, ...ABORTS }),
        ),
        'a holder of 1, a worker for 2, loops for 1 and 2 that are old': of2(
            holder(1),
            worker(2),
            loop([1], OLD),
            loop([2], OLD),
        ),
        'a worker for 2, a loop for 2 and 1 with aborts, a loop': of2(
            worker(2),
            loop([2, 1], ABORTS),
            loop([1]),
        ),
        'a worker, a loop with requests for 2 and 1 at once': of2(worker(1), does([p.requestsAtOnce, 2, 1])),
        'a worker, a loop with requests for 2 and 1 that one signal ends, a loop': of2(
            worker(1),
            does([p.abortAtOnce, 2, 1]),
            loop([1]),
        ),
        'a worker for 2, a loop with 3 long sections': of2(worker(2), loop([1, 1, 2], LONG_SECTIONS)),
        'a worker, a loop with long sections, rests and aborts, a loop': of2(
            worker(1),
            loop([2, 1], { ...LONG_SECTIONS, ...ABORTS, ...RESTS }),
            loop([1]),
        ),
        'a worker for 2, a loop that polls, a loop': of2(worker(2), loop([1, 2], POLLS), loop([1])),
        'a holder of 2, a loop for 2 that tries 1 in the same job': of3(
            holder(2),
            does([p.requestsAndTries, 2, 1]),
        ),
        'a holder of 2, a loop for 2 that blocks for 1 in the same job': of3(
            holder(2),
            does([p.requestsAndTakes, 2, 1]),
        ),
        'a holder of 2, a loop for 2 that tries 1': of3(holder(2), loopAnd(2, [p.tries, 1])),
        'a holder of 2, a loop for 2 that blocks for 1': of3(holder(2), loopAnd(2, [p.takes, 1])),
        'a loop for 1 that blocks for 2, workers for 2 and 3': of3(
            loopAnd(1, [p.takes, 2]),
            worker(2),
            worker(3),
        ),
        'a worker, a loop for 2 that holds 1 across jobs': of2(worker(1), does([p.requestsAndHolds, 2, 1])),
        'a loop for 2 that has a time limit for 1, workers for 2 and 3': of3(
            loopAnd(2, [p.takesForAWhile, 1], ABORTS),
            worker(2),
            worker(3),
        ),
    }),
    /** Two copies of the package in one thread, which want different amounts. */
    ...semaphores(c.EVERY_WAKE_COUNTS, {
        'a holder of 2, a loop for 2 with aborts, a copy of it for 1': of2(
            holder(2),
            loop([2], ABORTS),
            COPY,
        ),
        'a worker for 2, a loop, a copy of it for 2 with aborts': of2(
            worker(2),
            loop([1]),
            COPY_FOR_2_ABORTS,
        ),
    }),
    /**
     * A busy event loop may never run again, so no thread may wait for it. Threads may wait for the ends of
     * reservations.
     */
    ...semaphores(c.EVERY_WAKE_COUNTS, {
        'a worker, a worker for 2, a busy loop': of2(worker(1), worker(2), loop([1], BUSY)),
        'a holder of 2, a loop, a busy loop for 2': of2(holder(2), loop([1]), loop([2], BUSY_FOR_GOOD)),
        'a holder of 2, 2 workers, a busy loop for 2': of2(
            holder(2),
            worker(1),
            worker(1),
            loop([2], BUSY_FOR_GOOD),
        ),
        'a holder of 2, a worker, a worker for 2, a busy loop': of2(
            holder(2),
            worker(1),
            worker(2),
            loop([1], BUSY_FOR_GOOD),
        ),
        'a holder of 3, 2 loops, a busy loop': of3(holder(3), loop([1]), loop([1]), loop([1], BUSY_FOR_GOOD)),
        'one permit kept, a holder, a busy loop that has a time limit for 2, a worker': keptOf2(
            holder(1),
            loopAnd(1, [p.takesForAWhile, 2], BUSY),
            worker(1),
        ),
        'one permit kept, a holder, a busy loop that has a time limit for 2, a loop': keptOf2(
            holder(1),
            loopAnd(1, [p.takesForAWhile, 2], BUSY),
            loop([1]),
        ),
        'a holder of 2, a busy loop that takes 1 for good, a worker': of2(
            holder(2),
            loopAnd(1, [p.keeps, 1], BUSY),
            worker(1),
        ),
        'a holder of 3, a busy loop that takes 1 for good, a loop': of3(
            holder(3),
            loopAnd(1, [p.keeps, 1], BUSY),
            loop([1]),
        ),
    }),
    ...semaphores(c.SLICES_MAY_END, {
        '2 workers, a worker for 2, slices': of2(worker(1), worker(1), worker(2)),
        'a try that watches, a worker for 2, a loop for 2, slices': of2(watcher(1), worker(2), loop([2])),
        'a worker, a loop for 2, slices': of2(worker(1), worker(1), loop([2])),
    }),
    /** A waiter may die, and no permit may be lost: the last waiter needs all of them. */
    ...semaphores(c.ONE_MAY_DIE, {
        '2 workers, a worker for 2, a death': of2(worker(1), worker(1), worker(2)),
        'a worker, a worker for 2, a loop, a death': of2(worker(1), worker(2), loop([1])),
        'a worker for 2, a loop, a loop for 2 with aborts, a death': of2(
            worker(2),
            loop([1]),
            loop([2], ABORTS),
        ),
        'one permit kept, a forlorn worker for 3, a loop that is old, a death': keptOf3(
            FORLORN,
            loop([1], OLD),
        ),
        'one permit kept, a forlorn worker for 3, a worker, a death': keptOf3(FORLORN, worker(1)),
        'one permit kept, a forlorn worker for 3, a try that watches, a loop, a death': keptOf3(
            FORLORN,
            watcher(1),
            loop([1]),
        ),
        'one permit kept, a busy loop for 3, a worker, a loop with aborts, a death': keptOf3(
            loop([3], BUSY_FOR_GOOD),
            worker(1),
            loop([1], ABORTS),
        ),
        'one permit kept, a forlorn loop for 3, a worker for 2, a loop that polls, a death': keptOf3(
            loop([3], BUSY),
            worker(2),
            loop([1], POLLS),
        ),
    }),
    ...semaphores(c.ANY_IS_WOKEN, {
        '3 workers, a worker for 2, any is woken': of2(worker(1), worker(1), worker(1), worker(2)),
        '3 workers, a loop, any is woken': of2(worker(1), worker(1), worker(1), loop([1])),
    }),
    ...semaphores(c.TOLD_APART, {
        'workers for 1, 2 and 2, livelocks': of3(worker(1), worker(2), worker(2)),
        'a worker for 2, loops for 1 and 2, livelocks': of2(worker(2), loop([1]), loop([2])),
    }),
];
