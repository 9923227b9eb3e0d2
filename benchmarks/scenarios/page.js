/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { runContended } from '../contended-run.js';
import { askEvery } from '../event-loop.js';
import { atLeast, figureOf, withAbsent } from '../figures.js';
import { evenness, runInTurns, throughput } from '../rounds.js';
import { waitPoints } from '../wait-points.js';
import { ASK_EVERY_MS, describeLoad, pageRuns, percentiles, waitBound } from './page-runs.js';

/** @typedef {import('../contended-run.js').Measured} Measured */
/** @typedef {import('./scenarios.js').Scenario} Scenario */
/** @typedef {import('./page-runs.js').PageRuns['loads'][0]} LoadRuns */

const P99 = 'wait, 99th percentile';
const WORST = { of: /** @type {const} */ ('value'), most: 20, note: 'in a quiet run of 10 s' };

/** @param {Measured[]} runs */
function allWaits(runs) {
    return runs.flatMap(({ waits }) => waits);
}

/**
 * Compares all rivals by the percentile, and the first rival by more figures.
 * @param {LoadRuns} runs @returns {import('../figures.js').Figure[]}
 */
function waitsOf({ load, contestants: [holdfast, first, ...rivals] }) {
    const what = describeLoad(load);
    const runs = holdfast?.runs ?? [];
    const compare = (/** @type {LoadRuns['contestants'][0]} */ { title: name, runs: theirs }) =>
        figureOf(`${what}: ${P99}`, 'ms', percentiles(runs), { name, rounds: percentiles(theirs) });
    if (first === undefined) {
        return [];
    }
    const [value, theirWorst] = [Math.max(...allWaits(runs)), Math.max(...allWaits(first.runs))];
    return [
        { ...compare(first), bound: waitBound(load) },
        {
            what: `${what}: wait, worst of all rounds`,
            unit: 'ms',
            value,
            beside: { name: first.title, value: theirWorst },
            ratio: value / theirWorst,
            bound: WORST,
        },
        ...rivals.map(compare),
    ];
}

/** The load for objects other than a mutex. */
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
async function waitsOfFamily({ rounds, seconds }) {
    const start = (/** @type {import('../event-loop.js').Asker} */ asker) => askEvery(asker, ASK_EVERY_MS);
    const results = await runInTurns(rounds, FAMILY, (one) =>
        runContended({ ...one, ...FAMILY_LOAD, seconds, start }),
    );
    return results.map(({ what, runs }) => {
        const title = `${what}, ${describeLoad(FAMILY_LOAD)}: ${P99}`;
        return figureOf(title, 'ms', percentiles(runs), undefined, waitBound(FAMILY_LOAD));
    });
}

/** @type {Scenario} */
export const page = {
    name: 'page',
    title: 'how long the event loop waits for the lock, asking every 4 ms, while workers re-lock in a loop',
    async run(options) {
        const { loads, refused } = await pageRuns(options);
        const figures = withAbsent(loads.flatMap(waitsOf), refused);
        const ofFamily = options.full ? await waitsOfFamily(options) : [];
        return {
            figures: [...figures, ...ofFamily],
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

const EVEN = { of: /** @type {const} */ ('value'), least: 0.8 };

/** @param {LoadRuns} runs */
function priceOf({ load, contestants: [holdfast, textbook] }) {
    const what = describeLoad(load);
    const [ours = [], theirs = []] = [holdfast, textbook].map((one) => one?.runs.map(({ rates }) => rates));
    const beside = (/** @type {(rates: number[]) => number} */ of) => ({
        name: textbook?.title ?? '',
        rounds: theirs.map(of),
    });
    const [sections, shares] = ['sections of all workers', 'fewest / most sections of a worker'];
    return [
        figureOf(`${what}: ${sections}`, '/s', ours.map(throughput), beside(throughput), atLeast(0.95)),
        ...(load.workers === 1
            ? []
            : [figureOf(`${what}: ${shares}`, '', ours.map(evenness), beside(evenness), EVEN)]),
    ];
}

/** @type {Scenario} */
export const price = {
    name: 'price',
    title: 'what that costs the workers (the same runs)',
    run: async (options) => ({ figures: (await pageRuns(options)).loads.flatMap(priceOf) }),
};
