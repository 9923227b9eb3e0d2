/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { PERMITS } from '../counters.js';
import { atMost } from '../figures.js';
import { contendInC, inBrief, pairInC } from './family-in-c.js';
import { contendInJs } from './family-in-js.js';
import { compareLoops } from './loop-figures.js';

/** @param {number} threads @param {number} sectionMicroseconds */
function settingInC(threads, sectionMicroseconds) {
    return { what: `${threads} threads, ${sectionMicroseconds} µs`, threads, sectionMicroseconds };
}

const IN_C = {
    primitive: /** @type {const} */ ('semaphore'),
    counted: 'sections of all threads',
    all: [2, 4, 8].flatMap((threads) => [0, 5].map((microseconds) => settingInC(threads, microseconds))),
    quick: [settingInC(4, 5)],
};

const IN_JS = {
    keys: ['semaphore', 'multithreadingSemaphore'],
    counted: 'sections of all threads',
    settings: [2, 4, 8].map((workers) => ({
        what: `${workers} threads, 5 µs`,
        workers,
        sectionMs: 0.005,
        job: () => /** @type {const} */ ('permits'),
    })),
};

/** @type {import('./scenarios.js').Scenario} */
export const semaphore = {
    name: 'semaphore',
    inOtherProcesses: true,
    title: `a semaphore of ${PERMITS} permits: a free one, and threads that contend for it`,
    async run(options) {
        const bound = atMost(1);
        const rivals = [{ key: 'multithreadingSemaphore', bound }];
        const asyncRivals = [
            ...rivals,
            { key: 'asyncMutexSemaphore', bound },
            { key: 'asyncSemaPermits', bound },
        ];
        const pair = await compareLoops(
            'uncontended',
            'blocks',
            'in JavaScript, enter and leave',
            rivals,
            inBrief(options),
            'semaphore',
        );
        const awaited = options.full
            ? await compareLoops(
                  'execute',
                  'waits',
                  'in JavaScript, execAsync, each awaited',
                  asyncRivals,
                  options,
                  'semaphore',
              )
            : { figures: [] };
        return {
            figures: [
                ...(await pairInC('semaphore', 'enter and leave', options)),
                ...pair.figures,
                ...awaited.figures,
                ...(await contendInC(IN_C, options)),
                ...(options.full ? await contendInJs(IN_JS, options) : []),
            ],
        };
    },
};
