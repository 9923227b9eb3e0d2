/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { RWLOCK_EXCLUSIVE, RWLOCK_SHARED } from '../js-glue/memory/layout.js';
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

/* T0, T1, … in a counterexample are the threads in the order given here. Readers and writers block; a loop reads, or
 * writes where that is said. */

/** @typedef {import('./scenario.js').Scenario} Scenario */
/** @typedef {Omit<Scenario, 'name' | 'lock' | 'threads'>} Options */

const READS = RWLOCK_SHARED;
const WRITES = RWLOCK_EXCLUSIVE;

const READER = takes(READS);
const WRITER = takes(WRITES);

const LONG_SECTIONS = { longSections: true };

/**
 * @param {string} what
 * @param {Scenario['threads']} threads
 * @param {Options} [options]
 * @returns {Scenario}
 */
function rwlock(what, threads, options = {}) {
    return { name: `rwlock, ${what}`, lock: { is: 'rwlock' }, threads, ...options };
}

/** Every wake is needed: waits end by a wake only. */
const EVERY_WAKE_COUNTS = [
    rwlock('2 readers, 1 writer', [READER, READER, WRITER]),
    rwlock('1 reader, 2 writers', [READER, WRITER, WRITER]),
    rwlock('2 readers with 2 rounds, 1 writer', [takes(READS, READS), takes(READS, READS), WRITER]),
    rwlock('3 readers, 1 writer', [READER, READER, READER, WRITER]),
    rwlock('2 readers, 2 writers', [READER, READER, WRITER, WRITER]),
    rwlock('a try of both, 1 that reads and writes, 1 writer', [
        tries(READS, WRITES),
        takes(READS, WRITES),
        WRITER,
    ]),
    rwlock('an unlock by a stranger, 1 reader, 1 writer', [givesBack(WRITES), READER, WRITER]),
    rwlock('time limits of both, 1 writer', [takesForAWhile(READS), takesForAWhile(WRITES), WRITER]),
    rwlock('time limits of both, 1 reader with 2 rounds', [
        takesForAWhile(READS),
        takesForAWhile(WRITES),
        takes(READS, READS),
    ]),
    rwlock('1 reader, 1 writer, a loop that reads and writes', [READER, WRITER, requests([READS, WRITES])]),
    rwlock('1 reader, a loop, a loop that writes', [READER, requests([READS]), requests([WRITES])]),
    rwlock('1 writer, a loop that reads and writes with aborts, a loop that writes', [
        WRITER,
        requests([READS, WRITES], ABORTS),
        requests([WRITES]),
    ]),
    rwlock('1 writer, a loop with 3 long sections', [
        WRITER,
        requests([READS, READS, WRITES], LONG_SECTIONS),
    ]),
    rwlock(
        '1 reader, a loop with long sections and aborts, a loop',
        [READER, requests([READS, WRITES], { ...LONG_SECTIONS, ...ABORTS }), requests([READS])],
        { long: true },
    ),
    rwlock('1 writer, a loop that polls, a loop that writes with aborts', [
        WRITER,
        requests([READS], POLLS),
        requests([WRITES], ABORTS),
    ]),
    rwlock('a reader inside, a loop that writes and blocks to read', [
        holds(READS),
        requestsAnd(WRITES, 'lock', READS),
    ]),
    rwlock('a reader inside, a loop that writes and tries to read', [
        holds(READS),
        requestsAnd(WRITES, 'tryLock', READS),
    ]),
    rwlock('1 writer, a loop that writes and holds to read across jobs', [
        WRITER,
        requestsAndHolds(WRITES, READS),
    ]),
    rwlock('1 writer, 1 reader, a loop that reads and blocks to write', [
        WRITER,
        READER,
        requestsAnd(READS, 'lock', WRITES),
    ]),
];

/** Nobody may depend on an event loop that is busy, but the others may on the ends of reservations. */
const SOME_ARE_BUSY = [
    rwlock('1 reader, 1 writer, a busy loop', [READER, WRITER, requests([READS], BUSY)]),
    rwlock('a writer inside, 2 readers, a busy loop that writes', [
        holds(WRITES),
        READER,
        READER,
        requests([WRITES], BUSY_FOR_GOOD),
    ]),
    rwlock('a writer inside, 2 loops, a busy loop that writes', [
        holds(WRITES),
        requests([READS]),
        requests([READS]),
        requests([WRITES], BUSY_FOR_GOOD),
    ]),
    rwlock(
        'a reader inside, a loop, a loop that writes, a busy loop',
        [holds(READS), requests([WRITES]), requests([READS]), requests([READS], BUSY_FOR_GOOD)],
        { long: true },
    ),
    rwlock(
        'a writer inside, a time limit, 1 reader, a busy loop that writes',
        [holds(WRITES), takesForAWhile(READS), READER, requests([WRITES], BUSY_FOR_GOOD)],
        { long: true },
    ),
    rwlock('a writer inside, a busy loop that reads in both ways, a loop', [
        holds(WRITES),
        requestsAnd(READS, 'tryLock', READS, BUSY),
        requests([READS]),
    ]),
    rwlock('a writer inside, a busy loop that keeps reading, 1 reader', [
        holds(WRITES),
        requestsAnd(READS, 'tryLock and keep', READS, BUSY),
        READER,
    ]),
];

/** Any wait may time out at any moment, but nobody may need that. */
const SLICES_MAY_END = [
    rwlock('2 readers, 1 writer, slices', [READER, READER, WRITER]),
    rwlock('a try that watches, 1 writer, a loop, slices', [
        triesAndWatches(READS),
        WRITER,
        requests([READS]),
    ]),
    rwlock('1 reader, 1 writer, a loop that writes, slices', [READER, WRITER, requests([WRITES])]),
].map((scenario) => ({ ...scenario, slices: /** @type {const} */ ('perhaps') }));

/** One that waits may die. */
const ONE_MAY_DIE = [
    rwlock('2 readers, 1 writer, a death', [READER, READER, WRITER]),
    rwlock('1 reader, 1 writer, a loop, a death', [READER, WRITER, requests([READS])]),
    rwlock('1 writer, a loop, a loop that writes with aborts, a death', [
        WRITER,
        requests([READS]),
        requests([WRITES], ABORTS),
    ]),
    rwlock(
        'a loop that keeps reading, a forlorn writer, 1 reader, a loop, a death',
        [
            { does: ['tryLock and keep'], asks: [READS] },
            { ...WRITER, isForlorn: true },
            READER,
            requests([READS]),
        ],
        { long: true },
    ),
    rwlock('a loop that keeps reading, a busy loop that writes, 1 reader, a death', [
        { does: ['tryLock and keep'], asks: [READS] },
        requests([WRITES], BUSY_FOR_GOOD),
        READER,
    ]),
].map((scenario) => ({ ...scenario, deaths: 1, slices: /** @type {const} */ ('surely') }));

/** A wake for one may go to any that waits there, not only to the first. */
const ANY_IS_WOKEN = [
    rwlock('3 readers, 1 writer, any is woken', [READER, READER, READER, WRITER]),
    rwlock('2 readers, 1 writer, a loop, any is woken', [READER, READER, WRITER, requests([READS])]),
].map((scenario) => ({ ...scenario, wakesAny: true }));

/** Threads told apart, to see that they do not keep each other busy for ever. */
const NO_LIVELOCK = [
    rwlock('2 readers, 1 writer, livelocks', [READER, READER, WRITER]),
    rwlock('1 writer, a loop, a loop that writes, livelocks', [
        WRITER,
        requests([READS]),
        requests([WRITES]),
    ]),
].map((scenario) => ({ ...scenario, livelocks: true }));

/** @type {Scenario[]} */
export const RWLOCK_SCENARIOS = [
    ...EVERY_WAKE_COUNTS,
    ...SOME_ARE_BUSY,
    ...SLICES_MAY_END,
    ...ONE_MAY_DIE,
    ...ANY_IS_WOKEN,
    ...NO_LIVELOCK,
];
