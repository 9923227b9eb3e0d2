/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { figureOf } from '../figures.js';
import { waitPoints } from '../wait-points.js';
import { percentiles, waitBound } from './page-bounds.js';
import { describeLoad, pageRuns } from './page-runs.js';

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
            percentiles(runs, 'all'),
            { name, rounds: percentiles(theirs, 'all') },
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

/** @type {import('./scenarios.js').Scenario} */
export const page = {
    name: 'page',
    title: 'how long the event loop waits for the lock, asking every 4 ms, while workers re-lock in a loop',
    async run(options) {
        const { loads, refused } = await pageRuns(options);
        const figures = loads.flatMap(figuresOf);
        const { what = '', unit = '', value = NaN } = figures[0] ?? {};
        return {
            figures: [...figures, ...refused.map((beside) => ({ what, unit, value, beside }))],
            series: loads.flatMap(({ load, contestants }) =>
                contestants.map(({ title, runs }) => ({
                    picture: /** @type {const} */ ('waits'),
                    panel: describeLoad(load),
                    contestant: title,
                    points: waitPoints(allWaits(runs)),
                })),
            ),
        };
    },
};
