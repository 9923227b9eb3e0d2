/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { compareLoops } from './loop-figures.js';

/** @param {number} most @returns {import('../figures.js').Bound} */
const atMost = (most) => ({ of: 'ratio', most });

/** @type {import('./scenarios.js').Scenario} */
export const execute = {
    name: 'execute',
    title: 'await executeLocked(() => value), with nobody else there',
    async run(options) {
        const rivals = [
            { key: 'settling', bound: atMost(0.3) },
            { key: 'asyncMutex', bound: atMost(0.05) },
            { key: 'textbook' },
            { key: 'noLock' },
            { key: 'asyncLock', bound: atMost(1) },
            { key: 'asyncSema', bound: atMost(1) },
            { key: 'multithreading', bound: atMost(1) },
            { key: 'webLocks', bound: atMost(1) },
            ...(options.full ? ['asymmetric', 'atomicsMutex'].map((key) => ({ key })) : []),
        ];
        return compareLoops('execute', 'waits', 'one awaited section', rivals, options);
    },
};
