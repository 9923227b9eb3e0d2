/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { atMost } from '../figures.js';
import { compareLoops } from './pairs.js';

const RIVALS = [
    { key: 'bareAwaited', bound: atMost(1.1) },
    // Less work than execAsync does: it does not await what the callback returns.
    { key: 'textbook', bound: atMost(1) },
];
const ASYNC_MUTEX = { key: 'asyncMutex', bound: atMost(0.05) };
const MORE_RIVALS = ['asyncLock', 'asyncSema', 'multithreading', 'webLocks'].map((key) => ({
    key,
    bound: atMost(1),
}));

/** @type {import('./scenarios.js').Scenario} */
export const execute = {
    name: 'execute',
    title: 'execAsync(() => value), with nobody else there',
    async run(options) {
        const rivals = [...RIVALS, ASYNC_MUTEX, ...(options.full ? MORE_RIVALS : [])];
        const figures = await compareLoops('awaitEach', 'each awaited', rivals, options);
        if (options.full) {
            const last = 'only the last of 2,000 awaited';
            figures.push(...(await compareLoops('awaitLast', last, RIVALS, options)));
        }
        return { figures };
    },
};
