/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import {
    does,
    holder,
    limited,
    loop,
    loopAnd,
    ABORTS,
    BUSY,
    BUSY_FOR_GOOD,
    LATE,
    LONG_SECTIONS,
    OLD,
    POLLS,
    RESTS,
    scenariosOf,
    watcher,
    WHOLE,
    worker,
} from './threads.js';
import {
    abortAtOnce,
    guards,
    mayNotGiveBack,
    mayTimeOut,
    requests as request,
    requestsAndHolds,
    requestsAtOnce,
    requestsWithin,
    takes,
    throws,
    tries,
} from './programs.js';

/* T0, T1, … in a counterexample are the threads in the order given here. */

/** @typedef {import('../explorer/scenario.js').Scenario} Scenario */

/** @param {number} times */
const locks = (times) => worker(...new Array(times).fill(WHOLE));

/** @param {number} times @param {import('./threads.js').LoopOptions} [options] */
const requests = (times, options) => loop(new Array(times).fill(WHOLE), options);

/** It has the lock at the start, and releases it. */
const HOLDS = holder(WHOLE);
const TRIES = does([tries, WHOLE]);
const STRAY_UNLOCK = does([mayNotGiveBack, 'HF_NOT_OWNER', WHOLE]);
const TRIES_FOR_A_WHILE = limited(WHOLE);
const TRIES_AND_WATCHES = watcher(WHOLE);
const REQUESTS_THEN_BLOCKS = loopAnd(WHOLE, [takes, WHOLE]);
const BLOCKS_THEN_REQUESTS = does([takes, WHOLE], [request, WHOLE]);
const REQUESTS_AND_HOLDS = does([requestsAndHolds, WHOLE, WHOLE]);

const MUTEX = { lock: { is: /** @type {const} */ ('mutex') } };

/** @type {Scenario[]} */
export const MUTEX_SCENARIOS = [
    /** Every wake is needed: waits end by a wake only. */
    ...scenariosOf(MUTEX, {
        '2 workers, 3 rounds': [locks(3), locks(3)],
        '3 workers': [locks(1), locks(1), locks(1)],
        '3 workers, 2 rounds': [locks(2), locks(2), locks(2)],
        '4 workers': [locks(1), locks(1), locks(1), locks(1)],
        'a try, 2 workers': [TRIES, locks(2), locks(1)],
        'an unlock by a stranger, 2 workers': [STRAY_UNLOCK, locks(1), locks(1)],
        'a time limit, 2 workers, one with 2 rounds': [TRIES_FOR_A_WHILE, locks(2), locks(1)],
        '2 time limits, 1 worker': [TRIES_FOR_A_WHILE, TRIES_FOR_A_WHILE, locks(1)],
        '2 workers, 1 loop with 2 requests': [locks(1), locks(1), requests(2)],
        '2 workers with 2 rounds, 1 loop with 2 requests': [locks(2), locks(2), requests(2)],
        '2 workers with 2 rounds, 1 loop with 2 requests and aborts': [
            locks(2),
            locks(2),
            requests(2, ABORTS),
        ],
        'a holder, 1 loop with 2 requests, 1 that is old': [HOLDS, requests(2), requests(1, OLD)],
        'a holder, 1 loop, 1 that is old': [HOLDS, requests(1), requests(1, OLD)],
        'a holder, 2 loops, 1 that is old': [HOLDS, requests(1), requests(1), requests(1, OLD)],
        'a holder, 1 worker, 1 loop that is old': [HOLDS, locks(1), requests(1, OLD)],
        'a holder, 1 worker, 2 loops that are old': [HOLDS, locks(1), requests(1, OLD), requests(1, OLD)],
        'a holder, 1 worker, 1 loop that is old with aborts': [
            HOLDS,
            locks(1),
            requests(1, { ...OLD, ...ABORTS }),
        ],
        'a holder, a time limit, 1 loop that is old': [HOLDS, TRIES_FOR_A_WHILE, requests(1, OLD)],
        '2 workers, 1 loop that is old': [locks(1), locks(1), requests(1, OLD)],
        'a holder, 2 workers, 1 loop that is old': [HOLDS, locks(1), locks(1), requests(1, OLD)],
        '1 worker, 2 loops': [locks(1), requests(1), requests(1)],
        '3 loops': [requests(1), requests(1), requests(1)],
        '2 workers, 1 loop with 2 long sections and rests': [
            locks(1),
            locks(1),
            requests(2, { ...LONG_SECTIONS, ...RESTS }),
        ],
        '1 worker, 1 loop with 3 long sections, rests and aborts': [
            locks(1),
            requests(3, { ...LONG_SECTIONS, ...RESTS, ...ABORTS }),
        ],
        '1 worker, 2 loops with aborts': [locks(1), requests(1, ABORTS), requests(1, ABORTS)],
        'a try, 3 loops: one polls, one with aborts': [
            TRIES,
            requests(1, POLLS),
            requests(1, ABORTS),
            requests(1),
        ],
        '1 worker, 1 loop with 2 requests and aborts, 1 loop': [locks(1), requests(2, ABORTS), requests(1)],
        '2 time limits, 1 loop with aborts': [TRIES_FOR_A_WHILE, TRIES_FOR_A_WHILE, requests(1, ABORTS)],
        '2 workers, 1 loop that polls': [locks(1), locks(1), requests(2, POLLS)],
        '1 worker, 1 loop, 1 loop that polls': [locks(1), requests(1), requests(1, POLLS)],
        '1 worker, 1 loop that blocks too': [locks(2), REQUESTS_THEN_BLOCKS],
        '1 worker, 1 loop, 1 loop that blocks first': [locks(1), requests(1), BLOCKS_THEN_REQUESTS],
        '2 workers, 2 loops': [locks(1), locks(1), requests(1), requests(1)],
        '3 loops with aborts': [requests(1, ABORTS), requests(1, ABORTS), requests(1, ABORTS)],
        '1 worker, 1 loop that holds it across jobs and requests it': [locks(1), REQUESTS_AND_HOLDS],
        '1 loop, 1 loop that holds it across jobs and requests it': [requests(1), REQUESTS_AND_HOLDS],
        '1 worker, 1 loop, 1 loop that holds it across jobs and requests it': [
            locks(1),
            requests(1),
            REQUESTS_AND_HOLDS,
        ],
        '1 worker, 1 loop with 2 requests at once': [locks(1), does([requestsAtOnce, WHOLE, WHOLE])],
        '1 worker, 1 loop with 2 requests that one signal ends': [
            locks(1),
            does([abortAtOnce, WHOLE, WHOLE], [request, WHOLE]),
        ],
        '1 worker, 1 loop whose callback throws, and that asks again': [
            locks(1),
            does([throws, WHOLE], [request, WHOLE]),
        ],
        '1 worker, 1 loop whose callback asks again': [
            locks(1),
            does([requestsWithin, WHOLE, WHOLE], [request, WHOLE]),
        ],
        '1 worker, 1 loop with a guard for long and a request': [
            locks(1),
            does([guards, WHOLE], [request, WHOLE]),
        ],
        '1 worker, 1 loop with a time limit and a request': [
            locks(1),
            does([mayTimeOut, WHOLE], [request, WHOLE]),
        ],
        '3 workers, 3 rounds': [locks(3), locks(3), locks(3)],
        '3 workers, 1 loop with 2 requests and aborts': [locks(1), locks(1), locks(1), requests(2, ABORTS)],
        '2 workers, 2 loops with aborts': [locks(1), locks(1), requests(1, ABORTS), requests(1, ABORTS)],
        '4 workers, two with 2 rounds': [locks(2), locks(2), locks(1), locks(1)],
        '5 workers': [locks(1), locks(1), locks(1), locks(1), locks(1)],
    }),
    /** Two copies of the package in one thread: two bundles of a program, or two of its versions. */
    ...scenariosOf(MUTEX, {
        'a holder, 1 loop with aborts, a copy of it that requests': [
            HOLDS,
            requests(1, ABORTS),
            { ...requests(1), copyOf: 1 },
        ],
        '1 worker, 1 loop with aborts, a copy of it that requests': [
            locks(1),
            requests(1, ABORTS),
            { ...requests(1), copyOf: 1 },
        ],
        '1 loop, 1 loop with aborts, a copy of it that requests': [
            requests(1),
            requests(1, ABORTS),
            { ...requests(1), copyOf: 1 },
        ],
        '1 worker, 1 loop with long sections, a copy of it with aborts': [
            locks(1),
            requests(1, LONG_SECTIONS),
            { ...requests(1, ABORTS), copyOf: 1 },
        ],
    }),
    /** Nobody may depend on an event loop that is busy, but the others may on the ends of reservations. */
    ...scenariosOf(MUTEX, {
        '2 workers, 1 busy loop': [locks(1), locks(1), requests(1, BUSY)],
        '1 worker with 2 rounds, 1 loop, 1 busy loop': [locks(2), requests(1), requests(1, BUSY)],
        '1 worker with 2 rounds, 1 loop, 1 busy loop with aborts': [
            locks(2),
            requests(1),
            requests(1, { ...BUSY, ...ABORTS }),
        ],
        '1 worker, 1 loop with 2 long sections and rests, 1 busy loop': [
            locks(1),
            requests(2, { ...LONG_SECTIONS, ...RESTS }),
            requests(1, BUSY),
        ],
        '2 workers, 1 busy loop that comes late': [locks(1), locks(1), requests(1, { ...BUSY, ...LATE })],
        '1 worker with 2 rounds, 1 loop, 1 busy loop that comes late, with aborts': [
            locks(2),
            requests(1),
            requests(1, { ...BUSY, ...LATE, ...ABORTS }),
        ],
        '1 worker, 1 loop, 1 busy loop that polls': [
            locks(1),
            requests(1),
            requests(1, { ...BUSY, ...POLLS }),
        ],
        '1 loop, 1 busy loop, 1 busy loop that blocks too': [
            requests(1),
            requests(1, BUSY),
            { ...REQUESTS_THEN_BLOCKS, ...BUSY },
        ],
        'a holder, 1 loop, 1 busy loop that is old': [
            HOLDS,
            requests(1),
            requests(1, { ...BUSY_FOR_GOOD, ...OLD }),
        ],
        'a holder, 1 worker, 1 busy loop that is old': [
            HOLDS,
            locks(1),
            requests(1, { ...BUSY_FOR_GOOD, ...OLD }),
        ],
        'a holder, 1 worker, 1 loop, 1 loop that is old and busy at times': [
            HOLDS,
            locks(1),
            requests(1),
            requests(1, { ...BUSY, ...OLD }),
        ],
        'a holder, 1 loop, 2 busy loops': [
            HOLDS,
            requests(1),
            requests(1, BUSY_FOR_GOOD),
            requests(1, BUSY_FOR_GOOD),
        ],
        'a holder, 2 loops, one with aborts, 1 busy loop': [
            HOLDS,
            requests(1, ABORTS),
            requests(1, BUSY_FOR_GOOD),
            requests(1),
        ],
        'a holder, a time limit, 1 worker, 1 busy loop': [
            HOLDS,
            TRIES_FOR_A_WHILE,
            locks(1),
            requests(1, BUSY_FOR_GOOD),
        ],
        'a holder, 1 loop, 2 loops that are busy at times': [
            HOLDS,
            requests(1),
            requests(1, BUSY),
            requests(1, BUSY),
        ],
        'a holder, 2 loops, one with aborts, 1 loop that is busy at times': [
            HOLDS,
            requests(1, ABORTS),
            requests(1, BUSY),
            requests(1),
        ],
        'a holder, 1 worker, 1 loop, 1 loop that is busy at times': [
            HOLDS,
            locks(1),
            requests(1),
            requests(1, BUSY),
        ],
    }),
    /** Any wait may time out at any moment, but nobody may need that: no state is left in which a wake is lost. */
    ...scenariosOf(
        MUTEX,
        {
            '2 workers with 2 rounds, slices': [locks(2), locks(2)],
            '3 workers, slices': [locks(1), locks(1), locks(1)],
            'a try that watches, 2 workers, slices': [TRIES_AND_WATCHES, locks(1), locks(1)],
            '2 workers, 1 loop, slices': [locks(1), locks(1), requests(1)],
            '1 worker, 2 loops, slices': [locks(1), requests(1), requests(1)],
            'a holder, 1 worker, 1 loop that is old, slices': [HOLDS, locks(1), requests(1, OLD)],
            '1 time limit, 1 worker, 1 loop with aborts, slices': [
                TRIES_FOR_A_WHILE,
                locks(1),
                requests(1, ABORTS),
            ],
            '2 workers, 1 loop with 2 requests and aborts, slices': [locks(1), locks(1), requests(2, ABORTS)],
            '3 workers with 2 rounds, slices': [locks(2), locks(2), locks(2)],
        },
        { slices: 'perhaps' },
    ),
    /** One thread may die wherever it does not have the lock, and takes its place, its flags and wakes with it. */
    ...scenariosOf(
        MUTEX,
        {
            '3 workers, a death': [locks(1), locks(1), locks(1)],
            '1 worker, 1 loop with 2 requests that one signal ends, a death': [
                locks(1),
                does([abortAtOnce, WHOLE, WHOLE]),
            ],
            '3 workers with 2 rounds, a death': [locks(2), locks(2), locks(2)],
            '2 workers, 1 loop, a death': [locks(1), locks(1), requests(1)],
            '2 workers, 1 loop that is old, a death': [locks(1), locks(1), requests(1, OLD)],
            '1 worker, 2 loops, a death': [locks(1), requests(1), requests(1)],
            '1 worker, 1 loop with aborts, 1 loop that polls, a death': [
                locks(1),
                requests(1, ABORTS),
                requests(1, POLLS),
            ],
            'a time limit, 1 worker with 2 rounds, 1 loop, a death': [
                TRIES_FOR_A_WHILE,
                locks(2),
                requests(1),
            ],
        },
        { deaths: 1, slices: 'surely' },
    ),
    ...scenariosOf(
        MUTEX,
        {
            '1 worker, 2 loops with aborts, 2 deaths': [locks(1), requests(1, ABORTS), requests(1, ABORTS)],
        },
        { deaths: 2, slices: 'surely' },
    ),
    /** A wake for one may go to any that waits there, not only to the first. */
    ...scenariosOf(
        MUTEX,
        {
            '3 workers with 2 rounds, any is woken': [locks(2), locks(2), locks(2)],
            '4 workers, any is woken': [locks(1), locks(1), locks(1), locks(1)],
            '3 workers, 1 loop, any is woken': [locks(1), locks(1), locks(1), requests(1)],
            'a time limit, 2 workers, one with 2 rounds, any is woken': [
                TRIES_FOR_A_WHILE,
                locks(2),
                locks(1),
            ],
        },
        { wakesAny: true },
    ),
    ...scenariosOf(
        MUTEX,
        {
            '3 workers, any is woken, a death': [locks(1), locks(1), locks(1)],
        },
        { wakesAny: true, deaths: 1, slices: 'surely' },
    ),
    /** Threads that do the same, told apart, to see that they do not keep each other busy for ever. */
    ...scenariosOf(
        MUTEX,
        {
            '3 workers with 2 rounds, livelocks': [locks(2), locks(2), locks(2)],
            '2 workers, 1 loop with 2 requests, livelocks': [locks(1), locks(1), requests(2)],
            'a holder, 1 worker, 1 loop that is old, livelocks': [HOLDS, locks(1), requests(1, OLD)],
            '1 worker, 2 loops with aborts, livelocks': [locks(1), requests(1, ABORTS), requests(1, ABORTS)],
        },
        { livelocks: true },
    ),
    ...scenariosOf(
        MUTEX,
        {
            '2 workers, 1 loop, slices, livelocks': [locks(1), locks(1), requests(1)],
        },
        { livelocks: true, slices: 'perhaps' },
    ),
];
