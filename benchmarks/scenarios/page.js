/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { admit } from '../contestants.js';
import { runContended } from '../contended-run.js';
import { atLeast, compare, itself, valueAtLeast, valueAtMost, withAbsent } from '../figures.js';
import * as frame from '../frames/loop-waits.js';
import { evenness, runInTurns, throughput } from '../rounds.js';

/** @typedef {import('../scenarios.js').Options} Options */
/** @typedef {import('../scenarios.js').Scenario} Scenario */

const { ASKING, describeLoad, LEAST_SECONDS, loadsOf, P99, percentile, runBeside, SECTIONS, waitBound } =
    frame;

/**
 * A first run that does not count. An event loop with a request every 4 ms runs each function seldom. So the
 * engine goes on compiling for ten seconds and more, and its compiler is a thread that competes for the
 * cores. With requests as often as timers allow, it finishes sooner. Before runs of less than a second the
 * first run is shorter: in `page`, waits of runs of 0.3 s were as scattered after 0.8 s of it as after 3 s.
 */
const WARM_UP = { workers: 1, sectionMs: 0.05, cycle: { everyMs: 1 } };
const WARM_UP_SECONDS = 4;

const WORST = valueAtMost(20, 'in a quiet run of 10 s');
const EVEN = valueAtLeast(0.8);

/** @param {Options} options */
async function run({ full, rounds, seconds }) {
    const keys = ['holdfast', 'textbook', ...(full ? ['multithreading', 'webLocks'] : [])];
    const { admitted, refused } = await admit(keys, ['waits', 'shares']);
    const warmUp = { rounds: 1, seconds: WARM_UP_SECONDS * Math.min(1, seconds) };
    const { loads: warmedUp, failed } = await runBeside([{ load: WARM_UP, contestants: admitted }], warmUp);
    const contestants = warmedUp[0]?.contestants.map(({ key, title }) => ({ key, title })) ?? [];
    const long = { rounds, seconds: Math.max(seconds, LEAST_SECONDS) };
    const measured = await runBeside(
        loadsOf(full).map((load) => ({ load, contestants })),
        long,
    );
    return { loads: measured.loads, refused: [...refused, ...failed, ...measured.failed] };
}

/** @typedef {Awaited<ReturnType<typeof run>>} PageRuns */

/** @type {WeakMap<Options, Promise<PageRuns>>} */
const done = new WeakMap();

/** The runs with these options, which the first caller makes. @param {Options} options */
function pageRuns(options) {
    const runs = done.get(options) ?? run(options);
    done.set(options, runs);
    return runs;
}

/**
 * Compares all rivals by the percentile, and the first rival by the worst wait too.
 * @param {PageRuns['loads'][0]} loadRuns
 */
function waitsOf({ load, what, contestants }) {
    const bound = waitBound(load, contestants);
    const worst = contestants.slice(0, 2).map(({ title, runs }) => ({
        title,
        runs: [Math.max(...runs.flatMap(({ waits }) => waits))],
    }));
    return [
        ...compare(`${what}: ${P99}`, 'ms', percentile, contestants, bound),
        ...compare(`${what}: wait, worst of all rounds`, 'ms', itself, worst, WORST),
    ];
}

const FAMILY_LOAD = { workers: 2, sectionMs: 0.05, cycle: ASKING };

/** Objects other than a mutex. */
const FAMILY = [
    { what: 'a semaphore', contestant: 'binarySemaphore' },
    { what: 'an rwlock, all write', contestant: 'rwLock' },
    {
        what: 'an rwlock, the workers read and the event loop writes',
        contestant: 'rwLock',
        readsIn100: 100,
        jobs: /** @type {const} */ (['readWrite']),
    },
];

/** @param {Options} options */
async function waitsOfFamily({ rounds, seconds }) {
    const results = await runInTurns(rounds, FAMILY, (one) =>
        runContended({ ...one, ...FAMILY_LOAD, seconds }),
    );
    return results.flatMap(({ what: title, runs }) => {
        const what = `${title}, ${describeLoad(FAMILY_LOAD)}: ${P99}`;
        return compare(what, 'ms', percentile, [{ title, runs }], waitBound(FAMILY_LOAD, [{ runs }]));
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
            series: loads.flatMap(({ what, contestants }) => frame.waitSeries(what, contestants)),
        };
    },
};

/** @type {Scenario} */
export const price = {
    name: 'price',
    title: 'what that costs the workers (the same runs)',
    async run(options) {
        const { loads } = await pageRuns(options);
        const figures = loads.flatMap(({ load, what, contestants }) => {
            const both = contestants.slice(0, 2);
            const shares = `${what}: fewest / most sections of a worker`;
            return [
                ...compare(`${what}: ${SECTIONS}`, '/s', throughput, both, atLeast(0.95)),
                ...(load.workers === 1 ? [] : compare(shares, '', evenness, both, EVEN)),
            ];
        });
        return figures;
    },
};
