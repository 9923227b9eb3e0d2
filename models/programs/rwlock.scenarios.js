/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { RWLOCK_EXCLUSIVE, RWLOCK_SHARED } from '../../js-glue/memory/layout.js';
import {
    does,
    holder,
    keeper,
    limited,
    loop,
    loopAnd,
    ABORTS,
    BUSY,
    BUSY_FOR_GOOD,
    LONG_SECTIONS,
    POLLS,
    watcher,
    worker,
} from './threads.js';
import {
    abortAtOnce,
    keeps,
    mayNotGiveBack,
    requestsAndHolds,
    requestsAndTries,
    requestsAtOnce,
    takes,
    tries,
} from './programs.js';

/* T0, T1, … in a counterexample are the threads in the order given here. Readers and writers block; a loop reads, or
 * writes where that is said. */

/** @typedef {import('../explorer/scenario.js').Scenario} Scenario */
/** @typedef {import('./threads.js').Options} Options */

const READS = RWLOCK_SHARED;
const WRITES = RWLOCK_EXCLUSIVE;

const READER = worker(READS);
const WRITER = worker(WRITES);

/** @param {string} what @param {Scenario['threads']} threads @param {Options} [options] @returns {Scenario} */
function rwlock(what, threads, options = {}) {
    return { name: `rwlock, ${what}`, objects: { lock: { is: 'rwlock' } }, threads, ...options };
}

/** Every wake is needed: waits end by a wake only. */
const EVERY_WAKE_COUNTS = [
    rwlock('2 readers, 1 writer', [READER, READER, WRITER]),
    rwlock('1 reader, 2 writers', [READER, WRITER, WRITER]),
    rwlock('2 readers with 2 rounds, 1 writer', [worker(READS, READS), worker(READS, READS), WRITER]),
    rwlock('3 readers, 1 writer', [READER, READER, READER, WRITER]),
    rwlock('2 readers, 2 writers', [READER, READER, WRITER, WRITER]),
    rwlock('a try of both, 1 that reads and writes, 1 writer', [
        does([tries, READS, WRITES]),
        worker(READS, WRITES),
        WRITER,
    ]),
    rwlock('an unlock by a stranger, 1 reader, 1 writer', [
        does([mayNotGiveBack, 'HF_NOT_OWNER', WRITES]),
        READER,
        WRITER,
    ]),
    rwlock('time limits of both, 1 writer', [limited(READS), limited(WRITES), WRITER]),
    rwlock('time limits of both, 1 reader with 2 rounds', [
        limited(READS),
        limited(WRITES),
        worker(READS, READS),
    ]),
    rwlock('1 reader, 1 writer, a loop that reads and writes', [READER, WRITER, loop([READS, WRITES])]),
    rwlock('1 reader, a loop, a loop that writes', [READER, loop([READS]), loop([WRITES])]),
    rwlock('1 writer, a loop that reads and writes with aborts, a loop that writes', [
        WRITER,
        loop([READS, WRITES], ABORTS),
        loop([WRITES]),
    ]),
    rwlock('1 reader, a loop that writes and reads at once', [READER, does([requestsAtOnce, WRITES, READS])]),
    rwlock('1 reader, a loop that writes and reads, which one signal ends, a loop', [
        READER,
        does([abortAtOnce, WRITES, READS]),
        loop([READS]),
    ]),
    rwlock('1 writer, a loop with 3 long sections', [WRITER, loop([READS, READS, WRITES], LONG_SECTIONS)]),
    rwlock('1 reader, a loop with long sections and aborts, a loop', [
        READER,
        loop([READS, WRITES], { ...LONG_SECTIONS, ...ABORTS }),
        loop([READS]),
    ]),
    rwlock('1 writer, a loop that polls, a loop that writes with aborts', [
        WRITER,
        loop([READS], POLLS),
        loop([WRITES], ABORTS),
    ]),
    rwlock('a reader inside, a loop that writes and blocks to read', [
        holder(READS),
        loopAnd(WRITES, [takes, READS]),
    ]),
    rwlock('a reader inside, a loop that writes and tries to read in the same job', [
        holder(READS),
        does([requestsAndTries, WRITES, READS]),
    ]),
    rwlock('a reader inside, a loop that writes and tries to read', [
        holder(READS),
        loopAnd(WRITES, [tries, READS]),
    ]),
    rwlock('1 writer, a loop that writes and holds to read across jobs', [
        WRITER,
        does([requestsAndHolds, WRITES, READS]),
    ]),
    rwlock('1 writer, 1 reader, a loop that reads and blocks to write', [
        WRITER,
        READER,
        loopAnd(READS, [takes, WRITES]),
    ]),
];

/** Nobody may depend on an event loop that is busy, but the others may on the ends of reservations. */
const SOME_ARE_BUSY = [
    rwlock('1 reader, 1 writer, a busy loop', [READER, WRITER, loop([READS], BUSY)]),
    rwlock('a writer inside, 2 readers, a busy loop that writes', [
        holder(WRITES),
        READER,
        READER,
        loop([WRITES], BUSY_FOR_GOOD),
    ]),
    rwlock('a writer inside, 2 loops, a busy loop that writes', [
        holder(WRITES),
        loop([READS]),
        loop([READS]),
        loop([WRITES], BUSY_FOR_GOOD),
    ]),
    rwlock('a reader inside, a loop, a loop that writes, a busy loop', [
        holder(READS),
        loop([WRITES]),
        loop([READS]),
        loop([READS], BUSY_FOR_GOOD),
    ]),
    rwlock('a writer inside, a time limit, 1 reader, a busy loop that writes', [
        holder(WRITES),
        limited(READS),
        READER,
        loop([WRITES], BUSY_FOR_GOOD),
    ]),
    rwlock('a writer inside, a busy loop that reads in both ways, a loop', [
        holder(WRITES),
        loopAnd(READS, [tries, READS], BUSY),
        loop([READS]),
    ]),
    rwlock('a writer inside, a busy loop that keeps reading, 1 reader', [
        holder(WRITES),
        loopAnd(READS, [keeps, READS], BUSY),
        READER,
    ]),
];

/** Any wait may time out at any moment, but nobody may need that. */
const SLICES_MAY_END = [
    rwlock('2 readers, 1 writer, slices', [READER, READER, WRITER]),
    rwlock('a try that watches, 1 writer, a loop, slices', [watcher(READS), WRITER, loop([READS])]),
    rwlock('1 reader, 1 writer, a loop that writes, slices', [READER, WRITER, loop([WRITES])]),
].map((scenario) => ({ ...scenario, slices: /** @type {const} */ ('perhaps') }));

/** One that waits may die. */
const ONE_MAY_DIE = [
    rwlock('2 readers, 1 writer, a death', [READER, READER, WRITER]),
    rwlock('1 reader, 1 writer, a loop, a death', [READER, WRITER, loop([READS])]),
    rwlock('1 writer, a loop, a loop that writes with aborts, a death', [
        WRITER,
        loop([READS]),
        loop([WRITES], ABORTS),
    ]),
    rwlock('a loop that keeps reading, a forlorn writer, 1 reader, a loop, a death', [
        keeper(READS),
        { ...WRITER, isForlorn: true },
        READER,
        loop([READS]),
    ]),
    rwlock('a loop that keeps reading, a busy loop that writes, 1 reader, a death', [
        keeper(READS),
        loop([WRITES], BUSY_FOR_GOOD),
        READER,
    ]),
].map((scenario) => ({ ...scenario, deaths: 1, slices: /** @type {const} */ ('surely') }));

/** A wake for one may go to any that waits there, not only to the first. */
const ANY_IS_WOKEN = [
    rwlock('3 readers, 1 writer, any is woken', [READER, READER, READER, WRITER]),
    rwlock('2 readers, 1 writer, a loop, any is woken', [READER, READER, WRITER, loop([READS])]),
].map((scenario) => ({ ...scenario, wakesAny: true }));

/** Threads told apart, to see that they do not keep each other busy for ever. */
const NO_LIVELOCK = [
    rwlock('2 readers, 1 writer, livelocks', [READER, READER, WRITER]),
    rwlock('1 writer, a loop, a loop that writes, livelocks', [WRITER, loop([READS]), loop([WRITES])]),
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
