/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { LockManager } from 'holdfast/web-locks';
import { figureOf } from '../figures.js';
import { interleave } from '../rounds.js';

/**
 * @param {{ request: (name: string, callback: () => void) => Promise<unknown> }} locks
 * @param {number} atOnce how many requests are made before their answers are awaited
 * @param {number} seconds
 * @returns {Promise<number>} requests per second
 */
async function requestRate(locks, atOnce, seconds) {
    const begin = performance.now();
    let requests = 0;
    do {
        await Promise.all(Array.from({ length: atOnce }, () => locks.request('a name', () => {})));
        requests += atOnce;
    } while (performance.now() - begin < seconds * 1000);
    return (requests / (performance.now() - begin)) * 1000;
}

/** @type {import('./scenarios.js').Scenario} */
export const webLocks = {
    name: 'web-locks',
    title: 'requests for one name on one thread, beside navigator.locks of Node',
    async run({ rounds, seconds }) {
        const figures = [];
        const engines = globalThis.navigator?.locks;
        for (const atOnce of [1, 100]) {
            const what = `${atOnce} at a time`;
            const { ours, theirs } = await interleave(rounds, {
                ours: () => requestRate(new LockManager(), atOnce, seconds),
                theirs: () => (engines ? requestRate(engines, atOnce, seconds) : NaN),
            });
            const beside = { name: 'navigator.locks' };
            const other = engines
                ? { ...beside, rounds: theirs }
                : { ...beside, cannot: 'it came with Node 24' };
            figures.push(figureOf(what, '/s', ours, other));
        }
        return { figures };
    },
};
