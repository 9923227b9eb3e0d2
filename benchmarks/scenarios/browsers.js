/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { inOpenBrowsers } from '../browser/driver.js';
import { atLeast, compare, withAbsent } from '../figures.js';
import * as frame from '../frames/loop-waits.js';
import { quantile, throughput } from '../rounds.js';

const { BUSY, busyLoads, loadsOf, P99, percentile, runBeside, SECTIONS, SILENT, waitBound, waitSeries } =
    frame;

/**
 * The time to wake, and to run a task of the browser's event loop. It leaves out the browser's own threads and
 * processes: they compose sixty frames a second, which needs little.
 */
const SLACK_MS = 1;

const LEAST_THROUGHPUT = 0.9;

/** @param {{ waits: number[] }} run */
const worst = ({ waits }) => quantile(waits, 1);

/**
 * @param {Awaited<ReturnType<typeof import('../browser/driver.js').openBrowser>>} browser
 * @param {import('../scenarios.js').Options} options @returns {Promise<import('../figures.js').Results>}
 */
async function measure({ title, version, admit, run }, options) {
    const { full } = options;
    const rivals = ['textbook', ...(full ? ['webLocks', 'multithreading'] : [])];
    const { admitted, refused } = await admit(['holdfast', ...rivals], ['shares', 'waits']);
    const silent = full ? [SILENT] : [];
    const { loads, failed } = await runBeside(
        [
            ...loadsOf(full).map((load) => ({ load, contestants: [...admitted, ...silent] })),
            ...busyLoads(full ? [1, 2] : []).map((load) => ({
                load,
                contestants: [...admitted.slice(0, 1), ...silent],
            })),
        ],
        options,
        run,
    );
    const figures = loads.flatMap(({ load, what: described, contestants }) => {
        const what = `${title} ${version}, ${described}`;
        if (load.cycle === BUSY) {
            const busy = `${what}, busy for 50 ms of every 60 ms: ${SECTIONS}`;
            return compare(busy, '/s', throughput, contestants, atLeast(LEAST_THROUGHPUT));
        }
        const asking = contestants.filter(({ asks = true }) => asks);
        const bound = waitBound(load, contestants, SLACK_MS);
        return [
            ...compare(`${what}: ${P99}`, 'ms', percentile, asking, bound),
            ...compare(`${what}: wait, worst of a round`, 'ms', worst, asking),
            ...compare(`${what}: ${SECTIONS}`, '/s', throughput, contestants),
        ];
    });
    const asked = loads.filter(({ load }) => load.cycle !== BUSY);
    return {
        figures: withAbsent(figures, [...refused, ...failed]),
        series: asked.flatMap(({ what, contestants }) =>
            waitSeries(
                `${title}, ${what}`,
                contestants.filter(({ asks = true }) => asks),
            ),
        ),
    };
}

/** @type {import('../scenarios.js').Scenario} */
export const browsers = {
    name: 'browsers',
    inOtherProcesses: true,
    title: "how long a browser's main thread waits for the lock, while workers re-lock in a loop",
    run: (options) => inOpenBrowsers(options, (browser) => measure(browser, options)),
};
