/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { RWLOCK_EXCLUSIVE, RWLOCK_SHARED } from '../../js-glue/memory/layout.js';

/* More threads and rounds than the explorer can look at one by one. */

/** @typedef {import('../scenario.js').Scenario} Scenario */

/** @type {import('../scenario.js').Blocking} */
const LOCKS = { blocks: ['lock', 'lock', 'lock'] };

/** @type {import('../scenario.js').Blocking} */
const USES_ALL_WAYS = { blocks: ['tryLock', 'tryLock for a while', 'lock', 'tryLock for a while'] };

/** @type {import('../event-loop.js').Job[]} */
const REQUESTS = ['request', 'request', 'request'];

/** @type {import('../scenario.js').Looping} */
const REQUESTS_AND_BLOCKS = { does: ['request', 'lock', 'request'] };

/** @type {Scenario[]} */
export const LARGER_SCENARIOS = [
    { name: '5 workers, 3 rounds', threads: [LOCKS, LOCKS, LOCKS, LOCKS, LOCKS] },
    {
        name: '2 workers in all ways, 2 loops with 3 requests and aborts',
        threads: [
            USES_ALL_WAYS,
            USES_ALL_WAYS,
            { does: REQUESTS, aborts: true },
            { does: REQUESTS, aborts: true },
        ],
    },
    {
        name: '2 workers with 3 rounds, 1 loop with 3 long sections and rests, 2 loops that block too',
        threads: [
            LOCKS,
            LOCKS,
            { does: REQUESTS, longSections: true, rests: true },
            REQUESTS_AND_BLOCKS,
            REQUESTS_AND_BLOCKS,
        ],
    },
    {
        name: '2 workers in all ways, 1 loop, 1 busy loop, 1 loop that polls',
        threads: [
            USES_ALL_WAYS,
            USES_ALL_WAYS,
            { does: REQUESTS },
            { does: REQUESTS, busy: 'at times' },
            { does: REQUESTS, polls: true },
        ],
    },
    {
        name: '3 workers in all ways, 2 loops with 3 requests and aborts, slices',
        threads: [
            USES_ALL_WAYS,
            USES_ALL_WAYS,
            USES_ALL_WAYS,
            { does: REQUESTS, aborts: true },
            { does: REQUESTS, aborts: true },
        ],
        slices: 'perhaps',
    },
    {
        name: '2 workers with 3 rounds, 1 in all ways, 2 loops with aborts, 2 deaths',
        threads: [
            LOCKS,
            LOCKS,
            USES_ALL_WAYS,
            { does: REQUESTS, aborts: true },
            { does: REQUESTS, aborts: true },
        ],
        slices: 'surely',
        deaths: 2,
    },
    {
        name: 'semaphore of 3, 3 workers in all ways, 2 loops with 3 requests and aborts',
        lock: { is: 'semaphore', max: 3 },
        threads: [
            { ...USES_ALL_WAYS, asks: [1, 2, 3, 1] },
            { ...USES_ALL_WAYS, asks: [2, 1, 1, 2] },
            { ...USES_ALL_WAYS, asks: [3, 3, 2, 1] },
            { does: REQUESTS, asks: [1, 2, 1], aborts: true, longSections: true },
            { does: REQUESTS, asks: [2, 1, 3], aborts: true },
        ],
    },
    {
        name: 'semaphore of 2, 2 workers, 3 loops that block too, slices, 2 deaths',
        lock: { is: 'semaphore', max: 2 },
        threads: [
            { ...LOCKS, asks: [1, 2, 1] },
            { ...LOCKS, asks: [2, 1, 1] },
            { ...REQUESTS_AND_BLOCKS, asks: [1, 2, 1] },
            { ...REQUESTS_AND_BLOCKS, asks: [2, 1, 2] },
            { ...REQUESTS_AND_BLOCKS, asks: [1, 1, 2] },
        ],
        slices: 'surely',
        deaths: 2,
    },
    {
        name: 'rwlock, 3 that read and write in all ways, 2 loops that do both, one blocks too',
        lock: { is: 'rwlock' },
        threads: [
            { ...USES_ALL_WAYS, asks: [RWLOCK_SHARED, RWLOCK_EXCLUSIVE, RWLOCK_SHARED, RWLOCK_SHARED] },
            { ...USES_ALL_WAYS, asks: [RWLOCK_EXCLUSIVE, RWLOCK_SHARED, RWLOCK_EXCLUSIVE, RWLOCK_SHARED] },
            { ...USES_ALL_WAYS, asks: [RWLOCK_SHARED, RWLOCK_SHARED, RWLOCK_SHARED, RWLOCK_EXCLUSIVE] },
            { does: REQUESTS, asks: [RWLOCK_SHARED, RWLOCK_EXCLUSIVE, RWLOCK_SHARED], aborts: true },
            { ...REQUESTS_AND_BLOCKS, asks: [RWLOCK_EXCLUSIVE, RWLOCK_SHARED, RWLOCK_SHARED] },
        ],
    },
];
