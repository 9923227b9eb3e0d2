/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { availableParallelism } from 'node:os';
import { CONTESTANTS } from '../contestants.js';
import { runContended } from '../contended-run.js';
import { askEvery } from '../event-loop.js';
import { interleave } from '../rounds.js';

/* The runs that `page` and `price` both read: workers that lock again and again, and an event loop that asks
 * every 4 ms. */

/** @typedef {import('../contended-run.js').Measured} Measured */
/** @typedef {import('../contestants.js').Contestant} Contestant */

export const ASK_EVERY_MS = 4;

const SECTIONS_MS = [0.005, 0.05, 1];

/** @typedef {{ workers: number, sectionMs: number }} Load */

/** @type {readonly Load[]} */
const LOADS = [1, 2].flatMap((workers) => SECTIONS_MS.map((sectionMs) => ({ workers, sectionMs })));

/** @param {Load} load */
export function describeLoad({ workers, sectionMs }) {
    const section = sectionMs < 1 ? `${sectionMs * 1000} µs` : `${sectionMs} ms`;
    return `${workers} ${workers === 1 ? 'worker' : 'workers'}, ${section}`;
}

/** The workers and the event loop's own thread. */
export function isOvercommitted(/** @type {Load} */ { workers }) {
    return workers + 1 > availableParallelism();
}

/** @typedef {Load & Record<Contestant, Measured[]>} PageRuns */

/**
 * @param {import('./scenarios.js').Options} options
 * @returns {Promise<PageRuns[]>}
 */
async function run({ rounds, seconds }) {
    const variants = LOADS.flatMap((load) =>
        CONTESTANTS.map((contestant) => ({
            ...load,
            contestant,
            key: `${describeLoad(load)}, ${contestant}`,
        })),
    );
    const results = await interleave(
        rounds,
        Object.fromEntries(
            variants.map(({ key, ...variant }) => [
                key,
                () => runContended({ ...variant, seconds, start: (asker) => askEvery(asker, ASK_EVERY_MS) }),
            ]),
        ),
    );
    const of = (/** @type {Load} */ load, /** @type {Contestant} */ contestant) =>
        results[`${describeLoad(load)}, ${contestant}`] ?? [];
    return LOADS.map((load) => ({
        ...load,
        holdfast: of(load, 'holdfast'),
        textbook: of(load, 'textbook'),
    }));
}

/** @type {WeakMap<import('./scenarios.js').Options, Promise<PageRuns[]>>} */
const done = new WeakMap();

/**
 * The runs with these options; made once, whoever asks first.
 *
 * @param {import('./scenarios.js').Options} options
 */
export function pageRuns(options) {
    let runs = done.get(options);
    if (runs === undefined) {
        runs = run(options);
        done.set(options, runs);
    }
    return runs;
}
