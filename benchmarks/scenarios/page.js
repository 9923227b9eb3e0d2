/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { runContended } from '../contended-run.js';
import { askEvery } from '../event-loop.js';
import { figureOf } from '../figures.js';
import { runInTurns } from '../rounds.js';
import { waitPoints } from '../wait-points.js';
import { ASK_EVERY_MS, describeLoad, pageRuns, percentiles, waitBound } from './page-runs.js';

const WORST_MS = 20;

/** @typedef {import('../contended-run.js').Measured} Measured */

/** @param {Measured[]} runs */
function allWaits(runs) {
    return runs.flatMap(({ waits }) => waits.map(({ all }) => all));
}

/**
 * @param {import('./page-runs.js').PageRuns} runs
 * @returns {import('../figures.js').Figure[]}
 */
function figuresOf({ load, contestants: [holdfast, ...rivals] }) {
    const what = describeLoad(load);
    const runs = holdfast?.runs ?? [];
    return rivals.flatMap(({ title: name, runs: theirs }, index) => {
        const isFirst = index === 0;
        const p99 = figureOf(
            `${what}: wait, 99th percentile`,
            'ms',
            percentiles(runs),
            { name, rounds: percentiles(theirs) },
            isFirst ? waitBound(load) : undefined,
        );
        if (!isFirst) {
            return [p99];
        }
        const [worst, theirWorst] = [Math.max(...allWaits(runs)), Math.max(...allWaits(theirs))];
        return [
            p99,
            figureOf(
                `${what}: the same, without the time in which it only lacked a core`,
                'ms',
                percentiles(runs, 'forLock'),
                { name, rounds: percentiles(theirs, 'forLock') },
            ),
            {
                what: `${what}: wait, worst of all rounds`,
                unit: 'ms',
                value: worst,
                beside: { name, value: theirWorst },
                ratio: worst / theirWorst,
                bound: { of: /** @type {const} */ ('value'), most: WORST_MS, note: 'in a quiet run of 10 s' },
            },
        ];
    });
}

/** The load with other things to wait for than a mutex. */
const FAMILY_LOAD = { workers: 2, sectionMs: 0.05 };

const FAMILY = [
    { what: 'a semaphore', contestant: 'binarySemaphore' },
    { what: 'an rwlock, all write', contestant: 'rwLock' },
    {
        what: 'an rwlock, the workers read and the event loop writes',
        contestant: 'rwLock',
        readsIn100: 100,
        job: () => /** @type {const} */ ('readWrite'),
    },
];

/** @param {import('./scenarios.js').Options} options */
async function figuresOfFamily({ rounds, seconds }) {
    const start = (/** @type {import('../event-loop.js').Asker} */ asker) => askEvery(asker, ASK_EVERY_MS);
    const results = await runInTurns(rounds, FAMILY, (one) =>
        runContended({ ...one, ...FAMILY_LOAD, seconds, start }),
    );
    return results.map(({ what, runs }) =>
        figureOf(
            `${what}, ${describeLoad(FAMILY_LOAD)}: wait, 99th percentile`,
            'ms',
            percentiles(runs),
            undefined,
            waitBound(FAMILY_LOAD),
        ),
    );
}

/** @type {import('./scenarios.js').Scenario} */
export const page = {
    name: 'page',
    title: 'how long the event loop waits for the lock, asking every 4 ms, while workers re-lock in a loop',
    async run(options) {
        const { loads, refused } = await pageRuns(options);
        const figures = loads.flatMap(figuresOf);
        const { what = '', unit = '', value = NaN } = figures[0] ?? {};
        const others = refused.map((beside) => ({ what, unit, value, beside }));
        const ofFamily = options.full ? await figuresOfFamily(options) : [];
        return {
            figures: [...figures, ...others, ...ofFamily],
            series: loads.flatMap(({ load, contestants }) =>
                contestants.map(({ title, runs }) => ({
                    panel: describeLoad(load),
                    contestant: title,
                    points: waitPoints(allWaits(runs)),
                })),
            ),
        };
    },
};
