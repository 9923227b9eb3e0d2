/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { availableParallelism } from 'node:os';
import { admit } from '../contestants.js';
import { contend } from '../contend.js';
import { runContended } from '../contended-run.js';
import { askEvery } from '../event-loop.js';
import { quantile } from '../rounds.js';

/* The runs that `page` and `price` share: workers that lock again and again, and an event loop that requests the lock every 4
 * ms. */

/** @typedef {import('../contended-run.js').Measured} Measured */
/** @typedef {{ workers: number, sectionMs: number }} Load */

export const ASK_EVERY_MS = 4;

/** @type {readonly Load[]} */
export const ALL_LOADS = [1, 2].flatMap((workers) =>
    [0.005, 0.05, 1].map((sectionMs) => ({ workers, sectionMs })),
);

/** @type {readonly Load[]} */
export const QUICK_LOADS = [{ workers: 2, sectionMs: 0.05 }];

/**
 * A first run that does not count. An event loop with a request every 4 ms runs each function seldom. So the
 * engine goes on compiling for ten seconds and more, and its compiler is a thread that competes for the
 * cores. With requests as often as timers allow, it finishes sooner. Before runs of less than a second the
 * first run is shorter: in `page`, waits of runs of 0.3 s were as scattered after 0.8 s of it as after 3 s.
 */
const WARM_UP = { load: { workers: 1, sectionMs: 0.05 }, askEveryMs: 1, seconds: 4 };

/** Long enough for a hundred requests: of fewer, the 99th percentile is the worst. */
const LEAST_SECONDS = (100 * ASK_EVERY_MS) / 1000;

/** @param {Load} load */
export function describeLoad({ workers, sectionMs }) {
    const section = sectionMs < 1 ? `${sectionMs * 1000} µs` : `${sectionMs} ms`;
    return `${workers} ${workers === 1 ? 'worker' : 'workers'}, ${section}`;
}

/** The time to wake and to run a task of the event loop, in addition to one section of every thread that may be ahead. */
const SLACK_MS = 0.5;

/** The time that an operating system's scheduler may add if threads share a core. */
const SHARED_CORE_MS = 4;

/**
 * @param {Load} load @param {number} [slackMs] @param {number} [cores]
 * @returns {import('../figures.js').Bound} a bound of the 99th percentile of an event loop's wait, for any object
 */
export function waitBound({ workers, sectionMs }, slackMs = SLACK_MS, cores = availableParallelism()) {
    const bound = (workers + 1) * sectionMs + slackMs;
    return workers + 1 > cores
        ? { of: 'value', most: bound + SHARED_CORE_MS, note: `${SHARED_CORE_MS} of it for a shared core` }
        : { of: 'value', most: bound };
}

/** @param {Measured[]} runs @returns {number[]} ms, the 99th percentile by run */
export function percentiles(runs) {
    return runs.map(({ waits }) => quantile(waits, 0.99));
}

/** @param {import('./scenarios.js').Options} options */
async function run({ full, rounds, seconds }) {
    const keys = ['holdfast', 'textbook', ...(full ? ['multithreading', 'webLocks'] : [])];
    const { admitted, refused } = await admit(keys, ['waits', 'shares']);
    const loads = full ? ALL_LOADS : QUICK_LOADS;
    /** @param {Load} load @param {string} contestant @param {number} everyMs @param {number} time in s */
    const runOne = (load, contestant, everyMs, time) =>
        runContended({ ...load, contestant, seconds: time, start: (asker) => askEvery(asker, everyMs) });
    const warmedUp = await contend(
        1,
        admitted.map((one) => ({ ...one, what: describeLoad(WARM_UP.load) })),
        ({ key }) => runOne(WARM_UP.load, key, WARM_UP.askEveryMs, WARM_UP.seconds * Math.min(1, seconds)),
    );
    const variants = loads.flatMap((load) =>
        warmedUp.results.map(({ key, title }) => ({ load, key, title, what: describeLoad(load) })),
    );
    const measured = await contend(rounds, variants, ({ load, key }) =>
        runOne(load, key, ASK_EVERY_MS, Math.max(seconds, LEAST_SECONDS)),
    );
    return {
        /** The runs of each load; holdfast is the first contestant. */
        loads: loads.map((load) => ({
            load,
            contestants: measured.results.filter((one) => one.load === load),
        })),
        refused: [...refused, ...warmedUp.failed, ...measured.failed],
    };
}

/** @typedef {Awaited<ReturnType<typeof run>>} PageRuns */

/** @type {WeakMap<import('./scenarios.js').Options, Promise<PageRuns>>} */
const done = new WeakMap();

/** The runs with these options, which the first caller makes. @param {import('./scenarios.js').Options} options */
export function pageRuns(options) {
    const runs = done.get(options) ?? run(options);
    done.set(options, runs);
    return runs;
}
