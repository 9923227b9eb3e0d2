/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { atMost } from '../figures.js';
import { contendInC, inBrief, pairInC } from './family-in-c.js';
import { contendInJs } from './family-in-js.js';
import { compareLoops } from './loop-figures.js';

/**
 * @param {number} threads
 * @param {number} readsIn100
 * @param {number} sectionMicroseconds
 */
function settingInC(threads, readsIn100, sectionMicroseconds) {
    const what = `${threads} threads, ${readsIn100}% reads, ${sectionMicroseconds} µs`;
    return { what, threads, readsIn100, sectionMicroseconds };
}

const IN_C = {
    primitive: /** @type {const} */ ('rwlock'),
    counted: 'sections of all threads',
    all: [2, 4, 8].flatMap((threads) =>
        [90, 99].flatMap((reads) => [0, 5].map((microseconds) => settingInC(threads, reads, microseconds))),
    ),
    quick: [settingInC(4, 99, 0)],
};

const IN_JS = {
    keys: ['rwLock', 'multithreadingRwLock'],
    counted: 'sections of all threads',
    settings: [2, 4, 8].flatMap((workers) =>
        [90, 99].map((readsIn100) => ({
            what: `${workers} threads, ${readsIn100}% reads, 5 µs`,
            workers,
            readsIn100,
            sectionMs: 0.005,
            job: () => /** @type {const} */ ('readWrite'),
        })),
    ),
};

const MODES = [
    { pair: 'lock and unlock', readsIn100: /** @type {const} */ (0), key: 'RwLock', ours: 'rwLock' },
    {
        pair: 'lockShared and unlockShared',
        readsIn100: /** @type {const} */ (100),
        key: 'RwLockShared',
        ours: 'rwLockShared',
    },
];

/** @type {import('./scenarios.js').Scenario} */
export const rwlock = {
    name: 'rwlock',
    inOtherProcesses: true,
    title: 'a reader-writer lock: a free one, and threads that mostly read',
    async run(options) {
        const figures = [];
        for (const { pair, readsIn100, key, ours } of MODES) {
            const rivals = [{ key: `multithreading${key}`, bound: atMost(1) }];
            const what = `in JavaScript, ${pair}`;
            const inJs = await compareLoops('uncontended', 'blocks', what, rivals, inBrief(options), ours);
            figures.push(...(await pairInC('rwlock', pair, options, readsIn100)), ...inJs.figures);
        }
        figures.push(...(await contendInC(IN_C, options)));
        if (options.full) {
            figures.push(...(await contendInJs(IN_JS, options)));
        }
        return { figures };
    },
};
