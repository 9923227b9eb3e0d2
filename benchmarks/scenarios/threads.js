/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { contendInJs, setting } from './contended.js';

const ALL = [0, 1, 5, 20, 100].flatMap((us) => [2, 4, 8].map((threads) => setting(threads, us)));

/** Beside rivals of one's choice. */
const CHOSEN = [5, 100].flatMap((us) => [2, 4].map((threads) => setting(threads, us)));

/** As many threads as cores, and more. */
const QUICK = [setting(2, 5), setting(4, 5)];

/** @type {import('./scenarios.js').Scenario} */
export const threads = {
    name: 'threads',
    title: 'sections per second of workers that lock in a loop from JavaScript',
    async run(options) {
        const { full, against } = options;
        const rivals = [
            'textbook',
            'threeState',
            ...(full ? ['multithreading', 'webLocks', 'asymmetric'] : []),
        ];
        const keys = ['holdfast', ...(against ?? rivals)];
        const settings = full ? ALL : against === undefined ? QUICK : CHOSEN;
        return { figures: await contendInJs({ keys, settings, where: '' }, options) };
    },
};
