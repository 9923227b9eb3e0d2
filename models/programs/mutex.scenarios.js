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
    scenariosOf,
    ABORTS,
    BUSY,
    BUSY_FOR_GOOD,
    LATE,
    LONG_SECTIONS,
    OLD,
    POLLS,
    RESTS,
    watcher,
    WHOLE,
    worker,
} from './threads.js';

/* T0, T1, … in a counterexample are the threads in this order. */

/** @typedef {import('../explorer/scenario.js').Scenario} Scenario */
/** @typedef {import('./threads.js').Task} Task */

/** @param {number} times */
const locks = (times) => worker(...new Array(times).fill(WHOLE));

/** @param {number} times @param {import('./threads.js').LoopOptions} [options] */
const requests = (times, options) => loop(new Array(times).fill(WHOLE), options);

const WORKER = locks(1);
const HOLDER = holder(WHOLE);
const TRIES = does([p.tries, WHOLE]);
const LIMITED = limited(WHOLE);
const WATCHER = watcher(WHOLE);
const STRAY_UNLOCK = does([p.mayNotGiveBack, 'HF_NOT_OWNER', WHOLE]);

const LOOP = requests(1);
const LOOP_ABORTS = requests(1, ABORTS);
const LOOP_POLLS = requests(1, POLLS);
const OLD_LOOP = requests(1, OLD);
const BUSY_LOOP = requests(1, BUSY);
const STUCK_LOOP = requests(1, BUSY_FOR_GOOD);
const COPY = { ...LOOP, copyOf: 1 };
const COPY_ABORTS = { ...LOOP_ABORTS, copyOf: 1 };

/** @type {Task} */
const REQUEST = [p.requests, WHOLE];
const LOOP_THEN_BLOCKS = loopAnd(WHOLE, [p.takes, WHOLE]);
const BUSY_LOOP_THEN_BLOCKS = { ...LOOP_THEN_BLOCKS, ...BUSY };
const BLOCKS_THEN_LOOP = does([p.takes, WHOLE], REQUEST);
const LOOP_HOLDS = does([p.requestsAndHolds, WHOLE, WHOLE]);

/** @param {import('./threads.js').Options} options @param {Record<string, Scenario['threads']>} threadsOf by name */
const mutexes = (options, threadsOf) => scenariosOf('', { lock: { is: 'mutex' } }, options, threadsOf);

/** @type {Scenario[]} */
export const MUTEX_SCENARIOS = [
    ...mutexes(c.EVERY_WAKE_COUNTS, {
        '2 workers, 3 rounds': [locks(3), locks(3)],
        '3 workers': [WORKER, WORKER, WORKER],
        '3 workers, 2 rounds': [locks(2), locks(2), locks(2)],
        '4 workers': [WORKER, WORKER, WORKER, WORKER],
        'a try, 2 workers': [TRIES, locks(2), WORKER],
        'an unlock by a stranger, 2 workers': [STRAY_UNLOCK, WORKER, WORKER],
        'a time limit, 2 workers, one with 2 rounds': [LIMITED, locks(2), WORKER],
        '2 time limits, 1 worker': [LIMITED, LIMITED, WORKER],
        '2 workers, 1 loop with 2 requests': [WORKER, WORKER, requests(2)],
        '2 workers with 2 rounds, 1 loop with 2 requests': [locks(2), locks(2), requests(2)],
        '2 workers with 2 rounds, 1 loop with 2 requests and aborts': [
            locks(2),
            locks(2),
            requests(2, ABORTS),
        ],
        'a holder, 1 loop with 2 requests, 1 that is old': [HOLDER, requests(2), OLD_LOOP],
        'a holder, 1 loop, 1 that is old': [HOLDER, LOOP, OLD_LOOP],
        'a holder, 2 loops, 1 that is old': [HOLDER, LOOP, LOOP, OLD_LOOP],
        'a holder, 1 worker, 1 loop that is old': [HOLDER, WORKER, OLD_LOOP],
        'a holder, 1 worker, 2 loops that are old': [HOLDER, WORKER, OLD_LOOP, OLD_LOOP],
        'a holder, 1 worker, 1 loop that is old with aborts': [
            HOLDER,
            WORKER,
            requests(1, { ...OLD, ...ABORTS }),
        ],
        'a holder, a time limit, 1 loop that is old': [HOLDER, LIMITED, OLD_LOOP],
        '2 workers, 1 loop that is old': [WORKER, WORKER, OLD_LOOP],
        'a holder, 2 workers, 1 loop that is old': [HOLDER, WORKER, WORKER, OLD_LOOP],
        '1 worker, 2 loops': [WORKER, LOOP, LOOP],
        '3 loops': [LOOP, LOOP, LOOP],
        '2 workers, 1 loop with 2 long sections and rests': [
            WORKER,
            WORKER,
            requests(2, { ...LONG_SECTIONS, ...RESTS }),
        ],
        '1 worker, 1 loop with 3 long sections, rests and aborts': [
            WORKER,
            requests(3, { ...LONG_SECTIONS, ...RESTS, ...ABORTS }),
        ],
        '1 worker, 2 loops with aborts': [WORKER, LOOP_ABORTS, LOOP_ABORTS],
        'a try, 3 loops: one polls, one with aborts': [TRIES, LOOP_POLLS, LOOP_ABORTS, LOOP],
        '1 worker, 1 loop with 2 requests and aborts, 1 loop': [WORKER, requests(2, ABORTS), LOOP],
        '2 time limits, 1 loop with aborts': [LIMITED, LIMITED, LOOP_ABORTS],
        '2 workers, 1 loop that polls': [WORKER, WORKER, requests(2, POLLS)],
        '1 worker, 1 loop, 1 loop that polls': [WORKER, LOOP, LOOP_POLLS],
        '1 worker, 1 loop that blocks too': [locks(2), LOOP_THEN_BLOCKS],
        '1 worker, 1 loop, 1 loop that blocks first': [WORKER, LOOP, BLOCKS_THEN_LOOP],
        '2 workers, 2 loops': [WORKER, WORKER, LOOP, LOOP],
        '3 loops with aborts': [LOOP_ABORTS, LOOP_ABORTS, LOOP_ABORTS],
        '1 worker, 1 loop that holds it across jobs and requests it': [WORKER, LOOP_HOLDS],
        '1 loop, 1 loop that holds it across jobs and requests it': [LOOP, LOOP_HOLDS],
        '1 worker, 1 loop, 1 loop that holds it across jobs and requests it': [WORKER, LOOP, LOOP_HOLDS],
        '1 worker, 1 loop with 2 requests at once': [WORKER, does([p.requestsAtOnce, WHOLE, WHOLE])],
        '1 worker, 1 loop with 2 requests that one signal ends': [
            WORKER,
            does([p.abortAtOnce, WHOLE, WHOLE], REQUEST),
        ],
        '1 worker, 1 loop whose callback throws, and that asks again': [
            WORKER,
            does([p.throws, WHOLE], REQUEST),
        ],
        '1 worker, 1 loop whose callback asks again': [
            WORKER,
            does([p.requestsWithin, WHOLE, WHOLE], REQUEST),
        ],
        '1 worker, 1 loop with a guard for long and a request': [WORKER, does([p.guards, WHOLE], REQUEST)],
        '1 worker, 1 loop with a time limit and a request': [WORKER, does([p.mayTimeOut, WHOLE], REQUEST)],
        '3 workers, 3 rounds': [locks(3), locks(3), locks(3)],
        '3 workers, 1 loop with 2 requests and aborts': [WORKER, WORKER, WORKER, requests(2, ABORTS)],
        '2 workers, 2 loops with aborts': [WORKER, WORKER, LOOP_ABORTS, LOOP_ABORTS],
        '4 workers, two with 2 rounds': [locks(2), locks(2), WORKER, WORKER],
        '5 workers': [WORKER, WORKER, WORKER, WORKER, WORKER],
    }),
    /** Two copies of the package in one thread: two bundles of a program, or two of its versions. */
    ...mutexes(c.EVERY_WAKE_COUNTS, {
        'a holder, 1 loop with aborts, a copy of it that requests': [HOLDER, LOOP_ABORTS, COPY],
        '1 worker, 1 loop with aborts, a copy of it that requests': [WORKER, LOOP_ABORTS, COPY],
        '1 loop, 1 loop with aborts, a copy of it that requests': [LOOP, LOOP_ABORTS, COPY],
        '1 worker, 1 loop with long sections, a copy of it with aborts': [
            WORKER,
            requests(1, LONG_SECTIONS),
            COPY_ABORTS,
        ],
    }),
    /**
     * A busy event loop may never run again, so no thread may wait for it. Threads may wait for the ends of
     * reservations.
     */
    ...mutexes(c.EVERY_WAKE_COUNTS, {
        '2 workers, 1 busy loop': [WORKER, WORKER, BUSY_LOOP],
        '1 worker with 2 rounds, 1 loop, 1 busy loop': [locks(2), LOOP, BUSY_LOOP],
        '1 worker with 2 rounds, 1 loop, 1 busy loop with aborts': [
            locks(2),
            LOOP,
            requests(1, { ...BUSY, ...ABORTS }),
        ],
        '1 worker, 1 loop with 2 long sections and rests, 1 busy loop': [
            WORKER,
            requests(2, { ...LONG_SECTIONS, ...RESTS }),
            BUSY_LOOP,
        ],
        '2 workers, 1 busy loop that comes late': [WORKER, WORKER, requests(1, { ...BUSY, ...LATE })],
        '1 worker with 2 rounds, 1 loop, 1 busy loop that comes late, with aborts': [
            locks(2),
            LOOP,
            requests(1, { ...BUSY, ...LATE, ...ABORTS }),
        ],
        '1 worker, 1 loop, 1 busy loop that polls': [WORKER, LOOP, requests(1, { ...BUSY, ...POLLS })],
        '1 loop, 1 busy loop, 1 busy loop that blocks too': [LOOP, BUSY_LOOP, BUSY_LOOP_THEN_BLOCKS],
        'a holder, 1 loop, 1 busy loop that is old': [
            HOLDER,
            LOOP,
            requests(1, { ...BUSY_FOR_GOOD, ...OLD }),
        ],
        'a holder, 1 worker, 1 busy loop that is old': [
            HOLDER,
            WORKER,
            requests(1, { ...BUSY_FOR_GOOD, ...OLD }),
        ],
        'a holder, 1 worker, 1 loop, 1 loop that is old and busy at times': [
            HOLDER,
            WORKER,
            LOOP,
            requests(1, { ...BUSY, ...OLD }),
        ],
        'a holder, 1 loop, 2 busy loops': [HOLDER, LOOP, STUCK_LOOP, STUCK_LOOP],
        'a holder, 2 loops, one with aborts, 1 busy loop': [HOLDER, LOOP_ABORTS, STUCK_LOOP, LOOP],
        'a holder, a time limit, 1 worker, 1 busy loop': [HOLDER, LIMITED, WORKER, STUCK_LOOP],
        'a holder, 1 loop, 2 loops that are busy at times': [HOLDER, LOOP, BUSY_LOOP, BUSY_LOOP],
        'a holder, 2 loops, one with aborts, 1 loop that is busy at times': [
            HOLDER,
            LOOP_ABORTS,
            BUSY_LOOP,
            LOOP,
        ],
        'a holder, 1 worker, 1 loop, 1 loop that is busy at times': [HOLDER, WORKER, LOOP, BUSY_LOOP],
    }),
    ...mutexes(c.SLICES_MAY_END, {
        '2 workers with 2 rounds, slices': [locks(2), locks(2)],
        '3 workers, slices': [WORKER, WORKER, WORKER],
        'a try that watches, 2 workers, slices': [WATCHER, WORKER, WORKER],
        '2 workers, 1 loop, slices': [WORKER, WORKER, LOOP],
        '1 worker, 2 loops, slices': [WORKER, LOOP, LOOP],
        'a holder, 1 worker, 1 loop that is old, slices': [HOLDER, WORKER, OLD_LOOP],
        '1 time limit, 1 worker, 1 loop with aborts, slices': [LIMITED, WORKER, LOOP_ABORTS],
        '2 workers, 1 loop with 2 requests and aborts, slices': [WORKER, WORKER, requests(2, ABORTS)],
        '3 workers with 2 rounds, slices': [locks(2), locks(2), locks(2)],
    }),
    ...mutexes(c.ONE_MAY_DIE, {
        '3 workers, a death': [WORKER, WORKER, WORKER],
        '1 worker, 1 loop with 2 requests that one signal ends, a death': [
            WORKER,
            does([p.abortAtOnce, WHOLE, WHOLE]),
        ],
        '3 workers with 2 rounds, a death': [locks(2), locks(2), locks(2)],
        '2 workers, 1 loop, a death': [WORKER, WORKER, LOOP],
        '2 workers, 1 loop that is old, a death': [WORKER, WORKER, OLD_LOOP],
        '1 worker, 2 loops, a death': [WORKER, LOOP, LOOP],
        '1 worker, 1 loop with aborts, 1 loop that polls, a death': [WORKER, LOOP_ABORTS, LOOP_POLLS],
        'a time limit, 1 worker with 2 rounds, 1 loop, a death': [LIMITED, locks(2), LOOP],
    }),
    ...mutexes(
        { ...c.ONE_MAY_DIE, deaths: 2 },
        {
            '1 worker, 2 loops with aborts, 2 deaths': [WORKER, LOOP_ABORTS, LOOP_ABORTS],
        },
    ),
    ...mutexes(c.ANY_IS_WOKEN, {
        '3 workers with 2 rounds, any is woken': [locks(2), locks(2), locks(2)],
        '4 workers, any is woken': [WORKER, WORKER, WORKER, WORKER],
        '3 workers, 1 loop, any is woken': [WORKER, WORKER, WORKER, LOOP],
        'a time limit, 2 workers, one with 2 rounds, any is woken': [LIMITED, locks(2), WORKER],
    }),
    ...mutexes(
        { ...c.ONE_MAY_DIE, ...c.ANY_IS_WOKEN },
        {
            '3 workers, any is woken, a death': [WORKER, WORKER, WORKER],
        },
    ),
    ...mutexes(c.TOLD_APART, {
        '3 workers with 2 rounds, livelocks': [locks(2), locks(2), locks(2)],
        '2 workers, 1 loop with 2 requests, livelocks': [WORKER, WORKER, requests(2)],
        'a holder, 1 worker, 1 loop that is old, livelocks': [HOLDER, WORKER, OLD_LOOP],
        '1 worker, 2 loops with aborts, livelocks': [WORKER, LOOP_ABORTS, LOOP_ABORTS],
    }),
    ...mutexes(
        { ...c.SLICES_MAY_END, ...c.TOLD_APART },
        {
            '2 workers, 1 loop, slices, livelocks': [WORKER, WORKER, LOOP],
        },
    ),
];
