/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { contendInC, setting } from './contended.js';

const IN_C = {
    primitive: /** @type {const} */ ('mutex'),
    all: [0, 1, 5, 20, 100].flatMap((us) => [2, 4, 8].map((threads) => setting(threads, us))),
    quick: [setting(2, 5), setting(4, 5)], // as many threads as cores, and more
};

/** @type {import('./scenarios.js').Scenario} */
export const cThreads = {
    name: 'c-threads',
    inOtherProcesses: true,
    title: 'threads in C that lock again and again: sections per second',
    async run(options) {
        return { figures: await contendInC(IN_C, options) };
    },
};
