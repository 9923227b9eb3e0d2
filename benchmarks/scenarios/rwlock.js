/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { atMost } from '../figures.js';
import { contendInC, contendInJs, EQUAL, setting } from './contended.js';
import { compareLoops, inBrief, pairInC } from './pairs.js';

/* Emscripten's pthread_rwlock lets readers pass a writer that waits. */

const SIZES = [2, 4, 8].flatMap((threads) => [90, 99].map((reads) => ({ threads, reads })));

const IN_C = {
    primitive: /** @type {const} */ ('rwlock'),
    leastRatio: EQUAL,
    all: SIZES.flatMap(({ threads, reads }) => [0, 5].map((us) => setting(threads, us, reads))),
    quick: [setting(4, 0, 99)],
};

const IN_JS = {
    keys: ['rwLock', 'multithreadingRwLock'],
    leastRatio: EQUAL,
    settings: SIZES.map(({ threads, reads }) => ({
        ...setting(threads, 5, reads),
        job: () => /** @type {const} */ ('readWrite'),
    })),
};

const MODES = [
    { pair: 'lock and unlock', readsIn100: /** @type {const} */ (0), ours: 'rwLock', rival: 'RwLock' },
    {
        pair: 'lockShared and unlockShared',
        readsIn100: /** @type {const} */ (100),
        ours: 'rwLockShared',
        rival: 'RwLockShared',
    },
];

/** @type {import('./scenarios.js').Scenario} */
export const rwlock = {
    name: 'rwlock',
    inOtherProcesses: true,
    title: 'a reader-writer lock: a free one, and threads that mostly read',
    async run(options) {
        const figures = [];
        for (const { pair, readsIn100, ours, rival } of options.full ? MODES : MODES.slice(-1)) {
            const rivals = [{ key: `multithreading${rival}`, bound: atMost(1) }];
            const what = `in JavaScript, ${pair}`;
            figures.push(
                ...(await pairInC('rwlock', pair, options, { readsIn100 })),
                ...(await compareLoops('pairs', what, rivals, inBrief(options), ours)),
            );
        }
        figures.push(...(await contendInC(IN_C, options)));
        if (options.full) {
            figures.push(...(await contendInJs(IN_JS, options)));
        }
        return { figures };
    },
};
