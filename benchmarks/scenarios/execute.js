/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { atMost } from '../figures.js';
import { compareLoops } from './loop-figures.js';

const MORE_RIVALS = [
    { key: 'asyncLock', bound: atMost(1) },
    { key: 'asyncSema', bound: atMost(1) },
    { key: 'multithreading', bound: atMost(1) },
    { key: 'webLocks', bound: atMost(1) },
    { key: 'asymmetric' },
    { key: 'atomicsMutex' },
];

/** @type {import('./scenarios.js').Scenario} */
export const execute = {
    name: 'execute',
    title: 'executeLocked(() => value), with nobody else there',
    async run(options) {
        const rivals = [
            { key: 'bareAwaited', bound: atMost(1.1) },
            { key: 'noLock' },
            // One awaits the callback, as executeLocked does, the article's does not.
            { key: 'textbook', bound: atMost(1) },
            { key: 'settling', bound: atMost(1) },
            { key: 'asyncMutex', bound: atMost(0.05) },
            ...(options.full ? MORE_RIVALS : []),
        ];
        const eachAwaited = await compareLoops('execute', 'waits', 'each awaited', rivals, options);
        if (!options.full) {
            return eachAwaited;
        }
        const { figures } = await compareLoops(
            'executeMany',
            'waits',
            'only the last of 2,000 awaited',
            rivals.slice(0, 4),
            options,
        );
        return { figures: [...eachAwaited.figures, ...figures] };
    },
};
