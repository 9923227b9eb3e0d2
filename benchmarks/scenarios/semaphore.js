/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { PERMITS } from '../counters.js';
import { atMost } from '../figures.js';
import { contendInC, contendInJs, EQUAL, setting } from './contended.js';
import { compareLoops, inBrief, pairInC } from './pairs.js';

const IN_C = {
    primitive: /** @type {const} */ ('semaphore'),
    leastRatio: EQUAL,
    all: [2, 4, 8].flatMap((threads) => [setting(threads, 0), setting(threads, 5)]),
    quick: [setting(4, 5)],
};

const IN_JS = {
    keys: ['semaphore', 'multithreadingSemaphore'],
    leastRatio: EQUAL,
    settings: [2, 4, 8].map((threads) => ({
        ...setting(threads, 5),
        job: () => /** @type {const} */ ('permits'),
    })),
};

const bound = atMost(1);
const BLOCKING = [{ key: 'multithreadingSemaphore', bound }];
const AWAITED = [...BLOCKING, { key: 'asyncMutexSemaphore', bound }, { key: 'asyncSemaPermits', bound }];

/** @type {import('./scenarios.js').Scenario} */
export const semaphore = {
    name: 'semaphore',
    inOtherProcesses: true,
    title: `a semaphore of ${PERMITS} permits: a free one, and threads that contend for it`,
    async run(options) {
        const [pair, awaited] = ['in JavaScript, enter and leave', 'in JavaScript, execAsync, each awaited'];
        const figures = [
            ...(await pairInC('semaphore', 'enter and leave', options)),
            ...(await compareLoops('pairs', pair, BLOCKING, inBrief(options), 'semaphore')),
        ];
        if (options.full) {
            figures.push(...(await compareLoops('awaitEach', awaited, AWAITED, options, 'semaphore')));
        }
        figures.push(...(await contendInC(IN_C, options)));
        if (options.full) {
            figures.push(...(await contendInJs(IN_JS, options)));
        }
        return { figures };
    },
};
