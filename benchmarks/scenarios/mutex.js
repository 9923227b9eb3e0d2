/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { atLeast, atMost } from '../figures.js';
import { contendInC, contendInJs, setting } from '../frames/contended.js';
import { compareLoops, pairInC } from '../frames/pairs.js';

/* The mutex from JavaScript and in C: a free one, and threads that contend for it. */

/** @typedef {import('../scenarios.js').Scenario} Scenario */

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
    run: (options) => compareLoops('pairs', PAIR, RIVALS, options),
};

/** V8 of Node 20 keeps a loop's counter in memory around calls of slow paths; holdfast's pair has two. */
const MOST_OF_PTHREAD = Number(process.versions.node.split('.')[0]) < 22 ? 1.05 : 0.95;
const bounds = { 'bare instructions': atMost(1.1), pthread_mutex: atMost(MOST_OF_PTHREAD) };

/** @type {Scenario} */
export const c = {
    name: 'c',
    inOtherProcesses: true,
    title: 'a pair of calls in C, with nobody else there',
    run: (options) => pairInC('mutex', PAIR, options, bounds),
};

/** The bound of the ratio if both run the same code: 1 less the noise between two turns. */
const SAME = 0.95;

/**
 * The bound of the ratio after a call has seen a traced object: its compiled code then checks further shapes
 * of objects.
 */
const MORE_SHAPES = 0.7;

const TRACED = [
    { key: 'traceLoaded', bound: atLeast(SAME) },
    { key: 'besideTraced', bound: atLeast(MORE_SHAPES) },
    { key: 'tracedBefore', bound: atLeast(MORE_SHAPES) },
];

/** @type {Scenario} */
export const trace = {
    name: 'trace',
    title: 'a pair of calls from JavaScript of a mutex that was never traced, beside tracing',
    run(options) {
        const others = options.full ? [...TRACED, { key: 'tracedInFull' }] : TRACED;
        return compareLoops('pairs', PAIR, others, options);
    },
};

const AWAITED = [
    { key: 'bareAwaited', bound: atMost(1.1) },
    // Less work than execAsync does: it does not await what the callback returns.
    { key: 'textbook', bound: atMost(1) },
];
const ASYNC_MUTEX = { key: 'asyncMutex', bound: atMost(0.05) };
const MORE_AWAITED = ['asyncLock', 'asyncSema', 'multithreading', 'webLocks'].map((key) => ({
    key,
    bound: atMost(1),
}));

/** @type {Scenario} */
export const execute = {
    name: 'execute',
    title: 'execAsync(() => value), with nobody else there',
    async run(options) {
        const rivals = [...AWAITED, ASYNC_MUTEX, ...(options.full ? MORE_AWAITED : [])];
        const figures = await compareLoops('awaitEach', 'each awaited', rivals, options);
        const last = 'only the last of 2,000 awaited';
        const ofLast = options.full ? await compareLoops('awaitLast', last, AWAITED, options) : [];
        return [...figures, ...ofLast];
    },
};

const ALL = [0, 1, 5, 20, 100].flatMap((us) => [2, 4, 8].map((threads) => setting(threads, us)));

/** Settings with as many threads as cores, and with more threads. */
const QUICK = [setting(2, 5), setting(4, 5)];

/** @type {Scenario} */
export const threads = {
    name: 'threads',
    title: 'sections per second of workers that lock in a loop from JavaScript',
    run(options) {
        const { full } = options;
        const more = full ? ['multithreading', 'webLocks', 'asymmetric'] : [];
        const keys = ['holdfast', 'textbook', 'threeState', ...more];
        return contendInJs({ keys, settings: full ? ALL : QUICK, where: '' }, options);
    },
};

/** @type {Scenario} */
export const cThreads = {
    name: 'c-threads',
    inOtherProcesses: true,
    title: 'threads in C that lock again and again: sections per second',
    run: (options) => contendInC({ primitive: 'mutex', all: ALL, quick: QUICK }, options),
};
