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

/**
 * @param {number} times
 * @param {import('./threads.js').LoopOptions} [options]
 */
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

/** Every wake is needed: waits end by a wake only. */
const EVERY_WAKE_COUNTS = /** @type {Omit<Scenario, 'objects'>[]} */ ([
    { name: '2 workers, 3 rounds', threads: [locks(3), locks(3)] },
    { name: '3 workers', threads: [locks(1), locks(1), locks(1)] },
    { name: '3 workers, 2 rounds', threads: [locks(2), locks(2), locks(2)] },
    { name: '4 workers', threads: [locks(1), locks(1), locks(1), locks(1)] },
    { name: 'a try, 2 workers', threads: [TRIES, locks(2), locks(1)] },
    { name: 'an unlock by a stranger, 2 workers', threads: [STRAY_UNLOCK, locks(1), locks(1)] },
    {
        name: 'a time limit, 2 workers, one with 2 rounds',
        threads: [TRIES_FOR_A_WHILE, locks(2), locks(1)],
    },
    { name: '2 time limits, 1 worker', threads: [TRIES_FOR_A_WHILE, TRIES_FOR_A_WHILE, locks(1)] },
    { name: '2 workers, 1 loop with 2 requests', threads: [locks(1), locks(1), requests(2)] },
    {
        name: '2 workers with 2 rounds, 1 loop with 2 requests',
        threads: [locks(2), locks(2), requests(2)],
    },
    {
        name: '2 workers with 2 rounds, 1 loop with 2 requests and aborts',
        threads: [locks(2), locks(2), requests(2, ABORTS)],
        long: true,
    },
    {
        name: 'a holder, 1 loop with 2 requests, 1 that is old',
        threads: [HOLDS, requests(2), requests(1, OLD)],
    },
    { name: 'a holder, 1 loop, 1 that is old', threads: [HOLDS, requests(1), requests(1, OLD)] },
    {
        name: 'a holder, 2 loops, 1 that is old',
        threads: [HOLDS, requests(1), requests(1), requests(1, OLD)],
        long: true,
    },
    { name: '1 worker, 2 loops', threads: [locks(1), requests(1), requests(1)] },
    { name: '3 loops', threads: [requests(1), requests(1), requests(1)] },
    {
        name: '2 workers, 1 loop with 2 long sections and rests',
        threads: [locks(1), locks(1), requests(2, { ...LONG_SECTIONS, ...RESTS })],
    },
    {
        name: '1 worker, 1 loop with 3 long sections, rests and aborts',
        threads: [locks(1), requests(3, { ...LONG_SECTIONS, ...RESTS, ...ABORTS })],
    },
    {
        name: '1 worker, 2 loops with aborts',
        threads: [locks(1), requests(1, ABORTS), requests(1, ABORTS)],
    },
    {
        name: 'a try, 3 loops: one polls, one with aborts',
        threads: [TRIES, requests(1, POLLS), requests(1, ABORTS), requests(1)],
        long: true,
    },
    {
        name: '1 worker, 1 loop with 2 requests and aborts, 1 loop',
        threads: [locks(1), requests(2, ABORTS), requests(1)],
        long: true,
    },
    {
        name: '2 time limits, 1 loop with aborts',
        threads: [TRIES_FOR_A_WHILE, TRIES_FOR_A_WHILE, requests(1, ABORTS)],
    },
    { name: '2 workers, 1 loop that polls', threads: [locks(1), locks(1), requests(2, POLLS)] },
    { name: '1 worker, 1 loop, 1 loop that polls', threads: [locks(1), requests(1), requests(1, POLLS)] },
    { name: '1 worker, 1 loop that blocks too', threads: [locks(2), REQUESTS_THEN_BLOCKS] },
    {
        name: '1 worker, 1 loop, 1 loop that blocks first',
        threads: [locks(1), requests(1), BLOCKS_THEN_REQUESTS],
        long: true,
    },
    {
        name: '2 workers, 2 loops',
        long: true,
        threads: [locks(1), locks(1), requests(1), requests(1)],
    },
    {
        name: '3 loops with aborts',
        threads: [requests(1, ABORTS), requests(1, ABORTS), requests(1, ABORTS)],
    },
    {
        name: '1 worker, 1 loop that holds it across jobs and requests it',
        threads: [locks(1), REQUESTS_AND_HOLDS],
    },
    {
        name: '1 loop, 1 loop that holds it across jobs and requests it',
        threads: [requests(1), REQUESTS_AND_HOLDS],
    },
    {
        name: '1 worker, 1 loop, 1 loop that holds it across jobs and requests it',
        threads: [locks(1), requests(1), REQUESTS_AND_HOLDS],
        long: true,
    },
    {
        name: '1 worker, 1 loop with 2 requests at once',
        threads: [locks(1), does([requestsAtOnce, WHOLE, WHOLE])],
    },
    {
        name: '1 worker, 1 loop with 2 requests that one signal ends',
        threads: [locks(1), does([abortAtOnce, WHOLE, WHOLE], [request, WHOLE])],
    },
    {
        name: '1 worker, 1 loop whose callback throws, and that asks again',
        threads: [locks(1), does([throws, WHOLE], [request, WHOLE])],
    },
    {
        name: '1 worker, 1 loop whose callback asks again',
        threads: [locks(1), does([requestsWithin, WHOLE, WHOLE], [request, WHOLE])],
    },
    {
        name: '1 worker, 1 loop with a guard for long and a request',
        threads: [locks(1), does([guards, WHOLE], [request, WHOLE])],
    },
    {
        name: '1 worker, 1 loop with a time limit and a request',
        threads: [locks(1), does([mayTimeOut, WHOLE], [request, WHOLE])],
    },
    { name: '3 workers, 3 rounds', threads: [locks(3), locks(3), locks(3)], long: true },
    {
        name: '3 workers, 1 loop with 2 requests and aborts',
        threads: [locks(1), locks(1), locks(1), requests(2, ABORTS)],
        long: true,
    },
    {
        name: '2 workers, 2 loops with aborts',
        threads: [locks(1), locks(1), requests(1, ABORTS), requests(1, ABORTS)],
        long: true,
    },
    { name: '4 workers, two with 2 rounds', threads: [locks(2), locks(2), locks(1), locks(1)], long: true },
    {
        name: '5 workers',
        threads: [locks(1), locks(1), locks(1), locks(1), locks(1)],
        long: true,
    },
]);

/** Two copies of the package in one thread: two bundles of a program, or two of its versions. */
const COPIES = /** @type {Omit<Scenario, 'objects'>[]} */ ([
    {
        name: 'a holder, 1 loop with aborts, a copy of it that requests',
        threads: [HOLDS, requests(1, ABORTS), { ...requests(1), copyOf: 1 }],
    },
    {
        name: '1 worker, 1 loop with aborts, a copy of it that requests',
        threads: [locks(1), requests(1, ABORTS), { ...requests(1), copyOf: 1 }],
    },
    {
        name: '1 loop, 1 loop with aborts, a copy of it that requests',
        threads: [requests(1), requests(1, ABORTS), { ...requests(1), copyOf: 1 }],
    },
    {
        name: '1 worker, 1 loop with long sections, a copy of it with aborts',
        threads: [locks(1), requests(1, LONG_SECTIONS), { ...requests(1, ABORTS), copyOf: 1 }],
    },
]);

/** Nobody may depend on an event loop that is busy, but the others may on the ends of reservations. */
const SOME_ARE_BUSY = /** @type {Omit<Scenario, 'objects'>[]} */ ([
    { name: '2 workers, 1 busy loop', threads: [locks(1), locks(1), requests(1, BUSY)] },
    {
        name: '1 worker with 2 rounds, 1 loop, 1 busy loop',
        long: true,
        threads: [locks(2), requests(1), requests(1, BUSY)],
    },
    {
        name: '1 worker with 2 rounds, 1 loop, 1 busy loop with aborts',
        long: true,
        threads: [locks(2), requests(1), requests(1, { ...BUSY, ...ABORTS })],
    },
    {
        name: '1 worker, 1 loop with 2 long sections and rests, 1 busy loop',
        long: true,
        threads: [locks(1), requests(2, { ...LONG_SECTIONS, ...RESTS }), requests(1, BUSY)],
    },
    {
        name: '2 workers, 1 busy loop that comes late',
        threads: [locks(1), locks(1), requests(1, { ...BUSY, ...LATE })],
    },
    {
        name: '1 worker with 2 rounds, 1 loop, 1 busy loop that comes late, with aborts',
        long: true,
        threads: [locks(2), requests(1), requests(1, { ...BUSY, ...LATE, ...ABORTS })],
    },
    {
        name: '1 worker, 1 loop, 1 busy loop that polls',
        threads: [locks(1), requests(1), requests(1, { ...BUSY, ...POLLS })],
    },
    {
        name: '1 loop, 1 busy loop, 1 busy loop that blocks too',
        long: true,
        threads: [requests(1), requests(1, BUSY), { ...REQUESTS_THEN_BLOCKS, ...BUSY }],
    },
    {
        name: 'a holder, 1 loop, 1 busy loop that is old',
        threads: [HOLDS, requests(1), requests(1, { ...BUSY_FOR_GOOD, ...OLD })],
    },
    {
        name: 'a holder, 1 loop, 2 busy loops',
        threads: [HOLDS, requests(1), requests(1, BUSY_FOR_GOOD), requests(1, BUSY_FOR_GOOD)],
    },
    {
        name: 'a holder, 2 loops, one with aborts, 1 busy loop',
        threads: [HOLDS, requests(1, ABORTS), requests(1, BUSY_FOR_GOOD), requests(1)],
        long: true,
    },
    {
        name: 'a holder, a time limit, 1 worker, 1 busy loop',
        long: true,
        threads: [HOLDS, TRIES_FOR_A_WHILE, locks(1), requests(1, BUSY_FOR_GOOD)],
    },
    {
        name: 'a holder, 1 loop, 2 loops that are busy at times',
        threads: [HOLDS, requests(1), requests(1, BUSY), requests(1, BUSY)],
        long: true,
    },
    {
        name: 'a holder, 2 loops, one with aborts, 1 loop that is busy at times',
        threads: [HOLDS, requests(1, ABORTS), requests(1, BUSY), requests(1)],
        long: true,
    },
    {
        name: 'a holder, 1 worker, 1 loop, 1 loop that is busy at times',
        threads: [HOLDS, locks(1), requests(1), requests(1, BUSY)],
        long: true,
    },
]);

/** Any wait may time out at any moment, but nobody may need that: no state is left in which a wake is lost. */
const SLICES_MAY_END = /** @type {Omit<Scenario, 'objects'>[]} */ ([
    { name: '2 workers with 2 rounds, slices', threads: [locks(2), locks(2)] },
    { name: '3 workers, slices', threads: [locks(1), locks(1), locks(1)] },
    {
        name: 'a try that watches, 2 workers, slices',
        threads: [TRIES_AND_WATCHES, locks(1), locks(1)],
    },
    { name: '2 workers, 1 loop, slices', threads: [locks(1), locks(1), requests(1)] },
    { name: '1 worker, 2 loops, slices', threads: [locks(1), requests(1), requests(1)] },
    {
        name: '1 time limit, 1 worker, 1 loop with aborts, slices',
        threads: [TRIES_FOR_A_WHILE, locks(1), requests(1, ABORTS)],
    },
    {
        name: '2 workers, 1 loop with 2 requests and aborts, slices',
        threads: [locks(1), locks(1), requests(2, ABORTS)],
    },
    { name: '3 workers with 2 rounds, slices', threads: [locks(2), locks(2), locks(2)] },
]).map((scenario) => ({ ...scenario, slices: /** @type {const} */ ('perhaps') }));

/** One thread may die wherever it does not have the lock, and takes its place, its flags and wakes with it. */
const ONE_MAY_DIE = /** @type {Omit<Scenario, 'objects'>[]} */ ([
    { name: '3 workers, a death', threads: [locks(1), locks(1), locks(1)] },
    {
        name: '1 worker, 1 loop with 2 requests that one signal ends, a death',
        threads: [locks(1), does([abortAtOnce, WHOLE, WHOLE])],
    },
    { name: '3 workers with 2 rounds, a death', threads: [locks(2), locks(2), locks(2)] },
    { name: '2 workers, 1 loop, a death', threads: [locks(1), locks(1), requests(1)] },
    { name: '1 worker, 2 loops, a death', threads: [locks(1), requests(1), requests(1)] },
    {
        name: '1 worker, 1 loop with aborts, 1 loop that polls, a death',
        threads: [locks(1), requests(1, ABORTS), requests(1, POLLS)],
    },
    {
        name: 'a time limit, 1 worker with 2 rounds, 1 loop, a death',
        threads: [TRIES_FOR_A_WHILE, locks(2), requests(1)],
        long: true,
    },
    {
        name: '1 worker, 2 loops with aborts, 2 deaths',
        threads: [locks(1), requests(1, ABORTS), requests(1, ABORTS)],
        deaths: 2,
    },
]).map((scenario) => ({ deaths: 1, slices: /** @type {const} */ ('surely'), ...scenario }));

/** A wake for one may go to any that waits there, not only to the first. */
const ANY_IS_WOKEN = /** @type {Omit<Scenario, 'objects'>[]} */ ([
    { name: '3 workers with 2 rounds, any is woken', threads: [locks(2), locks(2), locks(2)] },
    { name: '4 workers, any is woken', threads: [locks(1), locks(1), locks(1), locks(1)] },
    { name: '3 workers, 1 loop, any is woken', threads: [locks(1), locks(1), locks(1), requests(1)] },
    {
        name: 'a time limit, 2 workers, one with 2 rounds, any is woken',
        threads: [TRIES_FOR_A_WHILE, locks(2), locks(1)],
    },
    {
        name: '3 workers, any is woken, a death',
        threads: [locks(1), locks(1), locks(1)],
        deaths: 1,
        slices: 'surely',
    },
]).map((scenario) => ({ ...scenario, wakesAny: true }));

/** Threads that do the same, told apart, to see that they do not keep each other busy for ever. */
const NO_LIVELOCK = /** @type {Omit<Scenario, 'objects'>[]} */ ([
    { name: '3 workers with 2 rounds, livelocks', threads: [locks(2), locks(2), locks(2)] },
    { name: '2 workers, 1 loop with 2 requests, livelocks', threads: [locks(1), locks(1), requests(2)] },
    {
        name: '1 worker, 2 loops with aborts, livelocks',
        threads: [locks(1), requests(1, ABORTS), requests(1, ABORTS)],
    },
    {
        name: '2 workers, 1 loop, slices, livelocks',
        threads: [locks(1), locks(1), requests(1)],
        slices: 'perhaps',
    },
]).map((scenario) => ({ ...scenario, livelocks: true }));

/** @type {Scenario[]} */
export const MUTEX_SCENARIOS = [
    ...EVERY_WAKE_COUNTS,
    ...COPIES,
    ...SOME_ARE_BUSY,
    ...SLICES_MAY_END,
    ...ONE_MAY_DIE,
    ...ANY_IS_WOKEN,
    ...NO_LIVELOCK,
].map((scenario) => ({ ...scenario, objects: MUTEX }));
