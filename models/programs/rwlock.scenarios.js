/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { RWLOCK_SHARED } from '../../js-glue/memory/layout.js';
import * as c from './circumstances.js';
import * as p from './programs.js';
import {
    does,
    holder,
    keeper,
    limited,
    loop,
    loopAnd,
    scenariosOf,
    ABORTS,
    BUSY,
    BUSY_FOR_GOOD,
    LONG_SECTIONS,
    POLLS,
    watcher,
    WHOLE,
    worker,
} from './threads.js';

/* T0, T1, … in a counterexample are the threads in this order. Readers and writers block; an event loop
 * reads, unless its name says that it writes. */

/** @typedef {import('../explorer/scenario.js').Scenario} Scenario */

const READS = RWLOCK_SHARED;
const WRITES = WHOLE;

const READER = worker(READS);
const WRITER = worker(WRITES);
const FORLORN_WRITER = { ...WRITER, isForlorn: true };
const READER_INSIDE = holder(READS);
const WRITER_INSIDE = holder(WRITES);
const TRIES_BOTH = does([p.tries, READS, WRITES]);
const LOOP = loop([READS]);
const STUCK_LOOP = loop([READS], BUSY_FOR_GOOD);
const LOOP_WRITES = loop([WRITES]);
const LOOP_WRITES_ABORTS = loop([WRITES], ABORTS);
const DOWNGRADES = does([p.downgrades]);
const DOWNGRADER_INSIDE = { ...does(p.staysToRead), holds: WRITES };
const KEEPS_DOWNGRADED = { ...does([p.downgradesAndKeeps]), loops: true };
const LOOP_DOWNGRADES = does([p.downgradesGuard]);
const STUCK_LOOP_WRITES = loop([WRITES], BUSY_FOR_GOOD);

const UPGRADES = does([p.upgrades]);
const UPGRADES_THEN_DOWNGRADES = does([p.upgrades, 'downgrade']);
const TRIES_TO_UPGRADE = does([p.triesToUpgrade]);
const UPGRADES_IN_TIME = does([p.triesToUpgradeForAWhile]);
const READS_UPGRADABLE = does([p.readsUpgradable]);
const WRITES_TOO = does([p.writesToo]);
const LOOP_UPGRADES = does([p.upgradesGuard]);
const LOOP_UPGRADES_AT_ONCE = does([p.upgradesGuardAtOnce]);
const LOOP_MAY_UPGRADE = does([p.upgradesGuard, true]);

/** @param {import('./threads.js').Options} options @param {Record<string, Scenario['threads']>} threadsOf by name */
const upgradables = (options, threadsOf) =>
    scenariosOf(
        'rwlock, upgradable, ',
        { lock: { is: 'rwlock' }, number: { is: 'data' } },
        options,
        threadsOf,
    );

/** @param {import('./threads.js').Options} options @param {Record<string, Scenario['threads']>} threadsOf by name */
const rwlocks = (options, threadsOf) =>
    scenariosOf('rwlock, ', { lock: { is: 'rwlock' } }, options, threadsOf);

/** @type {Scenario[]} */
export const RWLOCK_SCENARIOS = [
    ...rwlocks(c.EVERY_WAKE_COUNTS, {
        '2 readers, 1 writer': [READER, READER, WRITER],
        '1 reader, 2 writers': [READER, WRITER, WRITER],
        '2 readers with 2 rounds, 1 writer': [worker(READS, READS), worker(READS, READS), WRITER],
        '3 readers, 1 writer': [READER, READER, READER, WRITER],
        '2 readers, 2 writers': [READER, READER, WRITER, WRITER],
        'a try of both, 1 that reads and writes, 1 writer': [TRIES_BOTH, worker(READS, WRITES), WRITER],
        'an unlock by a stranger, 1 reader, 1 writer': [
            does([p.mayNotGiveBack, 'HF_NOT_OWNER', WRITES]),
            READER,
            WRITER,
        ],
        '1 that downgrades, 1 reader, 1 writer': [DOWNGRADES, READER, WRITER],
        '2 that downgrade, 1 writer': [DOWNGRADES, DOWNGRADES, WRITER],
        'a writer inside that downgrades, 1 reader, a writer with a time limit': [
            DOWNGRADER_INSIDE,
            READER,
            limited(WRITES),
        ],
        'a writer inside that downgrades, 2 readers': [DOWNGRADER_INSIDE, READER, READER],
        '1 reader, 1 writer, a downgrade by a stranger': [
            READER,
            WRITER,
            does([p.mayNotDowngrade, 'HF_NOT_OWNER']),
        ],
        'a writer inside that downgrades, a loop, 1 writer': [DOWNGRADER_INSIDE, LOOP, WRITER],
        'a writer inside that downgrades, 1 reader, a loop that writes with aborts': [
            DOWNGRADER_INSIDE,
            READER,
            LOOP_WRITES_ABORTS,
        ],
        'a loop that downgrades a guard, 1 reader, 1 writer': [LOOP_DOWNGRADES, READER, WRITER],
        'a loop that downgrades before a request of its own, 1 writer': [
            does([p.downgradesBeforeOwn]),
            WRITER,
        ],
        'time limits of both, 1 writer': [limited(READS), limited(WRITES), WRITER],
        'time limits of both, 1 reader with 2 rounds': [
            limited(READS),
            limited(WRITES),
            worker(READS, READS),
        ],
        '1 reader, 1 writer, a loop that reads and writes': [READER, WRITER, loop([READS, WRITES])],
        '1 reader, a loop, a loop that writes': [READER, LOOP, LOOP_WRITES],
        '1 writer, a loop that reads and writes with aborts, a loop that writes': [
            WRITER,
            loop([READS, WRITES], ABORTS),
            LOOP_WRITES,
        ],
        '1 reader, a loop that writes and reads at once': [READER, does([p.requestsAtOnce, WRITES, READS])],
        '1 reader, a loop that writes and reads, which one signal ends, a loop': [
            READER,
            does([p.abortAtOnce, WRITES, READS]),
            LOOP,
        ],
        '1 writer, a loop with 3 long sections': [WRITER, loop([READS, READS, WRITES], LONG_SECTIONS)],
        '1 reader, a loop with long sections and aborts, a loop': [
            READER,
            loop([READS, WRITES], { ...LONG_SECTIONS, ...ABORTS }),
            LOOP,
        ],
        '1 writer, a loop that polls, a loop that writes with aborts': [
            WRITER,
            loop([READS], POLLS),
            LOOP_WRITES_ABORTS,
        ],
        'a reader inside, a loop that writes and blocks to read': [
            READER_INSIDE,
            loopAnd(WRITES, [p.takes, READS]),
        ],
        'a reader inside, a loop that writes and tries to read in the same job': [
            READER_INSIDE,
            does([p.requestsAndTries, WRITES, READS]),
        ],
        'a reader inside, a loop that writes and tries to read': [
            READER_INSIDE,
            loopAnd(WRITES, [p.tries, READS]),
        ],
        '1 writer, a loop that writes and holds to read across jobs': [
            WRITER,
            does([p.requestsAndHolds, WRITES, READS]),
        ],
        '1 writer, 1 reader, a loop that reads and blocks to write': [
            WRITER,
            READER,
            loopAnd(READS, [p.takes, WRITES]),
        ],
    }),
    /**
     * A busy event loop may never run again, so no thread may wait for it. Threads may wait for the ends of
     * reservations.
     */
    ...rwlocks(c.EVERY_WAKE_COUNTS, {
        '1 reader, 1 writer, a busy loop': [READER, WRITER, loop([READS], BUSY)],
        'a writer inside, 2 readers, a busy loop that writes': [
            WRITER_INSIDE,
            READER,
            READER,
            STUCK_LOOP_WRITES,
        ],
        'a writer inside that downgrades, 1 reader, a busy loop that writes': [
            DOWNGRADER_INSIDE,
            READER,
            STUCK_LOOP_WRITES,
        ],
        'a writer inside that downgrades, 1 reader, a busy loop': [DOWNGRADER_INSIDE, READER, STUCK_LOOP],
        'a writer inside, 2 loops, a busy loop that writes': [WRITER_INSIDE, LOOP, LOOP, STUCK_LOOP_WRITES],
        'a reader inside, a loop, a loop that writes, a busy loop': [
            READER_INSIDE,
            LOOP_WRITES,
            LOOP,
            STUCK_LOOP,
        ],
        'a writer inside, a time limit, 1 reader, a busy loop that writes': [
            WRITER_INSIDE,
            limited(READS),
            READER,
            STUCK_LOOP_WRITES,
        ],
        'a writer inside, a busy loop that reads in both ways, a loop': [
            WRITER_INSIDE,
            loopAnd(READS, [p.tries, READS], BUSY),
            LOOP,
        ],
        'a writer inside, a busy loop that keeps reading, 1 reader': [
            WRITER_INSIDE,
            loopAnd(READS, [p.keeps, READS], BUSY),
            READER,
        ],
    }),
    ...rwlocks(c.SLICES_MAY_END, {
        'a writer inside that downgrades, 1 reader, 1 writer, slices': [DOWNGRADER_INSIDE, READER, WRITER],
        '2 readers, 1 writer, slices': [READER, READER, WRITER],
        'a try that watches, 1 writer, a loop, slices': [watcher(READS), WRITER, LOOP],
        '1 reader, 1 writer, a loop that writes, slices': [READER, WRITER, LOOP_WRITES],
    }),
    ...rwlocks(c.ONE_MAY_DIE, {
        '2 readers, 1 writer, a death': [READER, READER, WRITER],
        'a writer inside that downgrades, 2 readers, a death': [DOWNGRADER_INSIDE, READER, READER],
        'a loop that downgrades for good, a forlorn writer, 1 reader, a death': [
            KEEPS_DOWNGRADED,
            FORLORN_WRITER,
            READER,
        ],
        '1 reader, 1 writer, a loop, a death': [READER, WRITER, LOOP],
        '1 writer, a loop, a loop that writes with aborts, a death': [WRITER, LOOP, LOOP_WRITES_ABORTS],
        'a loop that keeps reading, a forlorn writer, 1 reader, a loop, a death': [
            keeper(READS),
            FORLORN_WRITER,
            READER,
            LOOP,
        ],
        'a loop that keeps reading, a busy loop that writes, 1 reader, a death': [
            keeper(READS),
            STUCK_LOOP_WRITES,
            READER,
        ],
    }),
    ...rwlocks(c.ANY_IS_WOKEN, {
        '3 readers, 1 writer, any is woken': [READER, READER, READER, WRITER],
        'a writer inside that downgrades, 1 reader, 1 writer, any is woken': [
            DOWNGRADER_INSIDE,
            READER,
            WRITER,
        ],
        '2 readers, 1 writer, a loop, any is woken': [READER, READER, WRITER, LOOP],
    }),
    ...rwlocks(c.TOLD_APART, {
        'a writer inside that downgrades, 1 reader, 1 writer, livelocks': [DOWNGRADER_INSIDE, READER, WRITER],
        '2 readers, 1 writer, livelocks': [READER, READER, WRITER],
        '1 writer, a loop, a loop that writes, livelocks': [WRITER, LOOP, LOOP_WRITES],
    }),
    ...upgradables(c.EVERY_WAKE_COUNTS, {
        '2 that upgrade, 1 reader': [UPGRADES, UPGRADES, READER],
        '1 that upgrades, 1 reader, 1 writer': [UPGRADES, READER, WRITES_TOO],
        '1 that upgrades, 2 readers': [UPGRADES, READER, READER],
        '1 that upgrades, a reader inside, 1 reader, 1 writer': [UPGRADES, READER_INSIDE, READER, WRITES_TOO],
        '1 that upgrades and downgrades, 1 that upgrades, 1 writer': [
            UPGRADES_THEN_DOWNGRADES,
            UPGRADES,
            WRITES_TOO,
        ],
        '2 that try to upgrade, 1 reader, 1 writer': [TRIES_TO_UPGRADE, TRIES_TO_UPGRADE, READER, WRITES_TOO],
        '1 that upgrades in time, 1 reader, 1 writer': [UPGRADES_IN_TIME, READER, WRITES_TOO],
        '1 that upgrades in time, 1 that upgrades, 1 reader': [UPGRADES_IN_TIME, UPGRADES, READER],
        '1 that reads upgradable, 1 that upgrades, 1 writer': [READS_UPGRADABLE, UPGRADES, WRITES_TOO],
        'a reader inside, 1 that reads upgradable, 1 that upgrades': [
            READER_INSIDE,
            READS_UPGRADABLE,
            UPGRADES,
        ],
        'what is refused, 1 reader, 1 writer': [does([p.mayNotUpgrade]), READER, WRITES_TOO],
        'a loop that upgrades, 1 reader, 1 writer': [LOOP_UPGRADES, READER, WRITES_TOO],
        'a loop that upgrades, 1 that upgrades, 1 reader': [LOOP_UPGRADES, UPGRADES, READER],
        'a loop that may upgrade, 2 readers': [LOOP_MAY_UPGRADE, READER, READER],
        'a loop that upgrades, a loop that writes': [LOOP_UPGRADES, LOOP_WRITES],
        'a loop that upgrades, a loop': [LOOP_UPGRADES, LOOP],
        '2 loops that upgrade, 1 reader': [LOOP_UPGRADES, LOOP_UPGRADES, READER],
        'a reader inside, a loop that upgrades, a loop': [READER_INSIDE, LOOP_UPGRADES, LOOP],
        'a reader inside, a loop that upgrades at once, a busy loop that writes': [
            READER_INSIDE,
            LOOP_UPGRADES_AT_ONCE,
            STUCK_LOOP_WRITES,
        ],
        'a loop that upgrades at once and reads, a loop that writes': [
            does([p.upgradesGuardAtOnce], [p.requests, READS]),
            LOOP_WRITES,
        ],
        '1 that upgrades, 1 reader, a loop that writes with aborts': [UPGRADES, READER, LOOP_WRITES_ABORTS],
        '1 that upgrades, 1 reader, a busy loop that writes': [UPGRADES, READER, STUCK_LOOP_WRITES],
    }),
    ...upgradables(c.SLICES_MAY_END, {
        '1 that upgrades, 1 reader, 1 writer, slices': [UPGRADES, READER, WRITES_TOO],
        'a loop that upgrades, 1 reader, 1 writer, slices': [LOOP_UPGRADES, READER, WRITES_TOO],
    }),
    ...upgradables(c.ANY_IS_WOKEN, {
        '1 that upgrades, 1 reader, 1 writer, any is woken': [UPGRADES, READER, WRITES_TOO],
        '1 that upgrades in time, 2 readers, any is woken': [UPGRADES_IN_TIME, READER, READER],
    }),
    ...upgradables(c.TOLD_APART, {
        '2 that upgrade, 1 reader, livelocks': [UPGRADES, UPGRADES, READER],
        'a loop that upgrades, 1 reader, livelocks': [LOOP_UPGRADES, READER],
    }),
];
