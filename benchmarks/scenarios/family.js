/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { atMost } from '../figures.js';
import { PERMITS } from '../holdfast.js';
import { contendInC, contendInJs, EQUAL, setting } from './contended.js';
import { compareLoops, inBrief, pairInC } from './pairs.js';

/* The primitives other than the mutex. */

/** @typedef {import('./scenarios.js').Scenario} Scenario */

const SEMAPHORES_IN_C = {
    primitive: /** @type {const} */ ('semaphore'),
    leastRatio: EQUAL,
    all: [2, 4, 8].flatMap((threads) => [setting(threads, 0), setting(threads, 5)]),
    quick: [setting(4, 5)],
};

/** @type {Scenario} */
export const semaphore = {
    name: 'semaphore',
    inOtherProcesses: true,
    title: `a semaphore of ${PERMITS} permits: a free one, and threads that contend for it`,
    async run(options) {
        const what = 'in JavaScript, enter and leave';
        const rivals = [{ key: 'multithreadingSemaphore', bound: atMost(1) }];
        return {
            figures: [
                ...(await pairInC('semaphore', 'enter and leave', options)),
                ...(await compareLoops('pairs', what, rivals, inBrief(options), 'semaphore')),
                ...(await contendInC(SEMAPHORES_IN_C, options)),
            ],
        };
    },
};

const SIZES = [2, 4, 8].flatMap((threads) => [90, 99].map((reads) => ({ threads, reads })));

/** Emscripten's pthread_rwlock lets readers overtake a waiting writer. */
const RWLOCKS_IN_C = {
    primitive: /** @type {const} */ ('rwlock'),
    leastRatio: EQUAL,
    all: SIZES.flatMap(({ threads, reads }) => [0, 5].map((us) => setting(threads, us, reads))),
    quick: [setting(4, 0, 99)],
};

const RWLOCKS_IN_JS = {
    keys: ['rwLock', 'multithreadingRwLock'],
    leastRatio: EQUAL,
    settings: SIZES.map(({ threads, reads }) => ({
        ...setting(threads, 5, reads),
        job: () => /** @type {const} */ ('readWrite'),
    })),
};

const MODES = /** @type {const} */ ([
    { pair: 'lock and unlock', readsIn100: 0, loop: 'pairs' },
    { pair: 'lockShared and unlockShared', readsIn100: 100, loop: 'share' },
]);

/** @type {Scenario} */
export const rwlock = {
    name: 'rwlock',
    inOtherProcesses: true,
    title: 'a reader-writer lock: a free one, and threads that mostly read',
    async run(options) {
        const rivals = [{ key: 'multithreadingRwLock', bound: atMost(1) }];
        const figures = [];
        for (const { pair, readsIn100, loop } of options.full ? MODES : MODES.slice(-1)) {
            const what = `in JavaScript, ${pair}`;
            figures.push(
                ...(await pairInC('rwlock', pair, options, { readsIn100 })),
                ...(await compareLoops(loop, what, rivals, inBrief(options), 'rwLock')),
            );
        }
        const inC = await contendInC(RWLOCKS_IN_C, options);
        const inJs = options.full ? await contendInJs(RWLOCKS_IN_JS, options) : [];
        return { figures: [...figures, ...inC, ...inJs] };
    },
};

/* With a condition, in each turn a thread falls asleep and another one is woken, so the time is mostly the system's. The thread
 * is woken while the other one still holds the mutex, so it may have to sleep once more. A program that notifies after the unlock
 * avoids that, with any contestant. */

const inTurn = (/** @type {number} */ threads) => ({ what: `${threads} threads in turn`, threads, us: 0 });

const CONDITIONS_IN_C = {
    primitive: /** @type {const} */ ('condition'),
    counted: 'turns of all threads',
    leastRatio: EQUAL,
    all: [inTurn(2), inTurn(4)],
    quick: [inTurn(2)],
};

const JOBS = /** @type {const} */ (['alternate', 'alternateAsync']);

const CONDITIONS_IN_JS = {
    keys: ['condition', 'multithreadingCondition'],
    counted: 'turns of both',
    leastRatio: EQUAL,
    settings: [
        {
            ...inTurn(2),
            what: 'a worker and an event loop in turn',
            job: (/** @type {number} */ thread) => JOBS[thread] ?? 'alternate',
        },
        { ...inTurn(2), what: '2 workers in turn', job: () => /** @type {const} */ ('alternate') },
    ],
};

/** @type {Scenario} */
export const condition = {
    name: 'condition',
    inOtherProcesses: true,
    title: 'threads that take turns by a mutex and a condition',
    async run(options) {
        const inC = await contendInC(CONDITIONS_IN_C, options);
        const inJs = options.full ? await contendInJs(CONDITIONS_IN_JS, options) : [];
        return { figures: [...inC, ...inJs] };
    },
};

const meeting = (/** @type {number} */ threads) => ({ what: `${threads} threads`, threads, us: 0 });

const BARRIERS_IN_C = {
    primitive: /** @type {const} */ ('barrier'),
    counted: 'rounds',
    /** All threads pass in each round, so the rate counts rounds. */
    ratesOf: (/** @type {number[]} */ rates) => rates.map((rate) => rate / rates.length),
    leastRatio: EQUAL,
    all: [2, 4, 8].map(meeting),
    quick: [meeting(4)],
};

/** @type {Scenario} */
export const barrier = {
    name: 'barrier',
    inOtherProcesses: true,
    title: 'threads that meet at a barrier, round after round',
    run: async (options) => ({ figures: await contendInC(BARRIERS_IN_C, options) }),
};
