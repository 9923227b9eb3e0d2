/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { atMost } from '../figures.js';
import { contendInC, contendInJs, EQUAL, setting } from '../frames/contended.js';
import { compareLoops, inBrief, pairInC } from '../frames/pairs.js';
import { PERMITS } from '../holdfast.js';

/* The primitives other than the mutex. */

/** @typedef {import('../scenarios.js').Scenario} Scenario */

const NOT_SLOWER = atMost(1);
const SIZES = [2, 4, 8];

/** @type {Scenario} */
export const semaphore = {
    name: 'semaphore',
    inOtherProcesses: true,
    title: `a semaphore of ${PERMITS} permits: a free one, and threads that contend for it`,
    async run(options) {
        const what = 'in JavaScript, enter and leave';
        const rivals = [{ key: 'multithreadingSemaphore', bound: NOT_SLOWER }];
        const inC = {
            primitive: /** @type {const} */ ('semaphore'),
            leastRatio: EQUAL,
            all: SIZES.flatMap((threads) => [setting(threads, 0), setting(threads, 5)]),
            quick: [setting(4, 5)],
        };
        return [
            ...(await pairInC('semaphore', 'enter and leave', options)),
            ...(await compareLoops('pairs', what, rivals, inBrief(options), 'semaphore')),
            ...(await contendInC(inC, options)),
        ];
    },
};

const MODES = /** @type {const} */ ([
    { pair: 'lock and unlock', primitive: 'rwlock', loop: 'pairs' },
    { pair: 'lockShared and unlockShared', primitive: 'rwlock, shared', loop: 'share' },
]);

/** @type {Scenario} */
export const rwlock = {
    name: 'rwlock',
    inOtherProcesses: true,
    title: 'a reader-writer lock: a free one, and threads that mostly read',
    async run(options) {
        const rivals = [{ key: 'multithreadingRwLock', bound: NOT_SLOWER }];
        const figures = [];
        for (const { pair, primitive, loop } of options.full ? MODES : MODES.slice(-1)) {
            const what = `in JavaScript, ${pair}`;
            figures.push(
                ...(await pairInC(primitive, pair, options)),
                ...(await compareLoops(loop, what, rivals, inBrief(options), 'rwLock')),
            );
        }
        const readers = (/** @type {number} */ us) =>
            SIZES.flatMap((threads) => [90, 99].map((reads) => setting(threads, us, reads)));
        // Emscripten's pthread_rwlock lets readers overtake a waiting writer.
        const inC = {
            primitive: /** @type {const} */ ('rwlock'),
            leastRatio: EQUAL,
            all: [...readers(0), ...readers(5)],
            quick: [setting(4, 0, 99)],
        };
        const inJs = {
            keys: ['rwLock', 'multithreadingRwLock'],
            leastRatio: EQUAL,
            settings: readers(5).map((one) => ({ ...one, jobs: /** @type {const} */ (['readWrite']) })),
        };
        figures.push(...(await contendInC(inC, options)));
        return options.full ? [...figures, ...(await contendInJs(inJs, options))] : figures;
    },
};

/** @param {number} threads */
const inTurn = (threads) => ({ what: `${threads} threads in turn`, threads, us: 0 });

/* With a condition, in each turn a thread falls asleep and another one is woken, so the time is mostly the system's. The thread
 * is woken while the other one still holds the mutex, so it may have to sleep once more. A program that notifies after the unlock
 * avoids that, with any contestant. */
/** @type {Scenario} */
export const condition = {
    name: 'condition',
    inOtherProcesses: true,
    title: 'threads that take turns by a mutex and a condition',
    async run(options) {
        const inC = {
            primitive: /** @type {const} */ ('condition'),
            ...{ counted: 'turns of all threads', leastRatio: EQUAL },
            ...{ all: [inTurn(2), inTurn(4)], quick: [inTurn(2)] },
        };
        const [BLOCKS, AWAITS] = /** @type {const} */ (['alternate', 'alternateAsync']);
        const inJs = {
            keys: ['condition', 'multithreadingCondition'],
            ...{ counted: 'turns of both', leastRatio: EQUAL },
            settings: [
                { ...inTurn(2), what: 'a worker and an event loop in turn', jobs: [BLOCKS, AWAITS] },
                { ...inTurn(2), what: '2 workers in turn', jobs: [BLOCKS] },
            ],
        };
        const figures = await contendInC(inC, options);
        return options.full ? [...figures, ...(await contendInJs(inJs, options))] : figures;
    },
};

/** @param {number} threads */
const meeting = (threads) => ({ what: `${threads} threads`, threads, us: 0 });

/** @type {Scenario} */
export const barrier = {
    name: 'barrier',
    inOtherProcesses: true,
    title: 'threads that meet at a barrier, round after round',
    run(options) {
        const inC = {
            primitive: /** @type {const} */ ('barrier'),
            ...{ counted: 'rounds', leastRatio: EQUAL },
            // All threads pass in each round, so the rate counts rounds.
            ratesOf: (/** @type {number[]} */ rates) => rates.map((rate) => rate / rates.length),
            ...{ all: SIZES.map(meeting), quick: [meeting(4)] },
        };
        return contendInC(inC, options);
    },
};
