/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { RWLOCK_SHARED } from '../../js-glue/memory/layout.js';
import { requests, takes, usesAllWays } from '../programs/programs.js';
import { ABORTS, BUSY, does, LONG_SECTIONS, loop, POLLS, RESTS, WHOLE, worker } from '../programs/threads.js';

/* Scenarios with more threads and rounds than the explorer can search. */

/** @typedef {import('../explorer/scenario.js').Scenario} Scenario */

const MUTEX = { lock: { is: /** @type {const} */ ('mutex') } };
const THRICE = [WHOLE, WHOLE, WHOLE];
const LOCKS = worker(...THRICE);

/** @param {...number} asks */
const inAllWays = (...asks) => does([usesAllWays, ...asks]);
const USES_ALL_WAYS = inAllWays(WHOLE, WHOLE, WHOLE, WHOLE);

/** @param {number} first @param {number} second @param {number} third */
const requestsAndBlocks = (first, second, third) =>
    does([requests, first], [takes, second], [requests, third]);
const REQUESTS_AND_BLOCKS = requestsAndBlocks(WHOLE, WHOLE, WHOLE);

/** @type {Scenario[]} */
export const LARGER_SCENARIOS = [
    { name: '5 workers, 3 rounds', objects: MUTEX, threads: [LOCKS, LOCKS, LOCKS, LOCKS, LOCKS] },
    {
        name: '4 workers in all ways',
        objects: MUTEX,
        threads: [USES_ALL_WAYS, USES_ALL_WAYS, USES_ALL_WAYS, USES_ALL_WAYS],
    },
    {
        name: '2 workers in all ways, 2 loops with 3 requests and aborts',
        objects: MUTEX,
        threads: [USES_ALL_WAYS, USES_ALL_WAYS, loop(THRICE, ABORTS), loop(THRICE, ABORTS)],
    },
    {
        name: '2 workers with 3 rounds, 1 loop with 3 long sections and rests, 2 loops that block too',
        objects: MUTEX,
        threads: [
            LOCKS,
            LOCKS,
            loop(THRICE, { ...LONG_SECTIONS, ...RESTS }),
            REQUESTS_AND_BLOCKS,
            REQUESTS_AND_BLOCKS,
        ],
    },
    {
        name: '2 workers in all ways, 1 loop, 1 busy loop, 1 loop that polls',
        objects: MUTEX,
        threads: [USES_ALL_WAYS, USES_ALL_WAYS, loop(THRICE), loop(THRICE, BUSY), loop(THRICE, POLLS)],
    },
    {
        name: '3 workers in all ways, 2 loops with 3 requests and aborts, slices',
        objects: MUTEX,
        threads: [USES_ALL_WAYS, USES_ALL_WAYS, USES_ALL_WAYS, loop(THRICE, ABORTS), loop(THRICE, ABORTS)],
        slices: 'perhaps',
    },
    {
        name: '2 workers with 3 rounds, 1 in all ways, 2 loops with aborts, 2 deaths',
        objects: MUTEX,
        threads: [LOCKS, LOCKS, USES_ALL_WAYS, loop(THRICE, ABORTS), loop(THRICE, ABORTS)],
        slices: 'surely',
        deaths: 2,
    },
    {
        name: 'semaphore of 3, 3 workers in all ways, 2 loops with 3 requests and aborts',
        objects: { lock: { is: 'semaphore', max: 3 } },
        threads: [
            inAllWays(1, 2, 3, 1),
            inAllWays(2, 1, 1, 2),
            inAllWays(3, 3, 2, 1),
            loop([1, 2, 1], { ...ABORTS, ...LONG_SECTIONS }),
            loop([2, 1, 3], ABORTS),
        ],
    },
    {
        name: 'semaphore of 2, 2 workers, 3 loops that block too, slices, 2 deaths',
        objects: { lock: { is: 'semaphore', max: 2 } },
        threads: [
            worker(1, 2, 1),
            worker(2, 1, 1),
            requestsAndBlocks(1, 2, 1),
            requestsAndBlocks(2, 1, 2),
            requestsAndBlocks(1, 1, 2),
        ],
        slices: 'surely',
        deaths: 2,
    },
    {
        name: 'rwlock, 3 that read and write in all ways, 2 loops that do both, one blocks too',
        objects: { lock: { is: 'rwlock' } },
        threads: [
            inAllWays(RWLOCK_SHARED, WHOLE, RWLOCK_SHARED, RWLOCK_SHARED),
            inAllWays(WHOLE, RWLOCK_SHARED, WHOLE, RWLOCK_SHARED),
            inAllWays(RWLOCK_SHARED, RWLOCK_SHARED, RWLOCK_SHARED, WHOLE),
            loop([RWLOCK_SHARED, WHOLE, RWLOCK_SHARED], ABORTS),
            requestsAndBlocks(WHOLE, RWLOCK_SHARED, RWLOCK_SHARED),
        ],
    },
];

/**
 * True if a page can run this scenario: a page runs no microtasks within a schedule, and calls no init.
 * @param {Scenario} scenario
 */
export function isForPages({ objects, threads }) {
    const isZero = Object.values(objects).every(({ is }) => is === 'mutex' || is === 'rwlock');
    return isZero && threads.every(({ loops = false }) => !loops);
}
