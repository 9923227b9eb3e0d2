/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { atMost } from '../figures.js';
import { contendInC, contendInJs, setting } from './contended.js';
import { compareLoops, pairInC } from './pairs.js';

/* The mutex from JavaScript and in C: a free one, and threads that contend for it. */

/** @typedef {import('./scenarios.js').Scenario} Scenario */

const PAIR = 'lock and unlock';

const RIVALS = [
    { key: 'bare', bound: atMost(1.15) },
    { key: 'textbook', bound: atMost(0.4) },
    { key: 'threeState' },
    { key: 'multithreading', bound: atMost(1) },
];

/** @type {Scenario} */
export const uncontended = {
    name: 'uncontended',
    title: 'a pair of calls from JavaScript, with nobody else there',
    run: async (options) => ({ figures: await compareLoops('pairs', PAIR, RIVALS, options) }),
};

/** V8 of Node 20 keeps a loop's counter in memory around calls of slow paths; holdfast's pair has two. */
const MOST_OF_PTHREAD = Number(process.versions.node.split('.')[0]) < 22 ? 1.05 : 0.95;
const bounds = { 'bare instructions': atMost(1.1), pthread_mutex: atMost(MOST_OF_PTHREAD) };

/** @type {Scenario} */
export const c = {
    name: 'c',
    inOtherProcesses: true,
    title: 'a pair of calls in C, with nobody else there',
    run: async (options) => ({ figures: await pairInC('mutex', PAIR, options, { bounds }) }),
};

const ALL = [0, 1, 5, 20, 100].flatMap((us) => [2, 4, 8].map((threads) => setting(threads, us)));

/** Settings with as many threads as cores, and with more threads. */
const QUICK = [setting(2, 5), setting(4, 5)];

/** @type {Scenario} */
export const threads = {
    name: 'threads',
    title: 'sections per second of workers that lock in a loop from JavaScript',
    async run(options) {
        const { full } = options;
        const more = full ? ['multithreading', 'webLocks', 'asymmetric'] : [];
        const keys = ['holdfast', 'textbook', 'threeState', ...more];
        return { figures: await contendInJs({ keys, settings: full ? ALL : QUICK, where: '' }, options) };
    },
};

/** @type {Scenario} */
export const cThreads = {
    name: 'c-threads',
    inOtherProcesses: true,
    title: 'threads in C that lock again and again: sections per second',
    run: async (options) => ({
        figures: await contendInC({ primitive: 'mutex', all: ALL, quick: QUICK }, options),
    }),
};
