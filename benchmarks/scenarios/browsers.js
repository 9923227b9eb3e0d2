/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { inOpenBrowsers } from '../browser/driver.js';
import { atLeast, figureOf, withAbsent } from '../figures.js';
import { quantile, runInTurns, throughput } from '../rounds.js';
import { waitPoints } from '../wait-points.js';
import { BUSY, SECTION_MS } from './busy.js';
import { ALL_LOADS, ASK_EVERY_MS, describeLoad, QUICK_LOADS, waitBound } from './page-runs.js';

/** @typedef {import('../browser/page.js').PageMeasured} PageMeasured */
/** @typedef {import('./page-runs.js').Load} Load */

/**
 * The time to wake, and to run a task of the browser's event loop. It leaves out the browser's own threads and
 * processes: they compose sixty frames a second, which needs little.
 */
const SLACK_MS = 1;

const LEAST_THROUGHPUT = 0.9;

/** @type {readonly Load[]} */
const BUSY_LOADS = [1, 2].map((workers) => ({ workers, sectionMs: SECTION_MS }));

/**
 * A run in a browser: the load that workers put on a contestant's lock. The page may request that lock too.
 * @typedef {object} Variant
 * @property {Load} load
 * @property {string} key of the contestant
 * @property {string} title
 * @property {boolean} asks whether the page requests the lock
 * @property {typeof BUSY} [busy]
 */

/** @param {PageMeasured} run */
const percentile = ({ waits }) => quantile(waits, 0.99);

/** @param {PageMeasured} run */
const sections = ({ rates }) => throughput(rates);

/** @param {PageMeasured} run */
const worst = ({ waits }) => quantile(waits, 1);

/**
 * @param {Awaited<ReturnType<typeof import('../browser/driver.js').openBrowser>>} browser @param {import('./scenarios.js').Options} options
 * @returns {Promise<import('../figures.js').Results>}
 */
async function measure(browser, { full, rounds, seconds }) {
    const rivals = ['textbook', ...(full ? ['webLocks', 'multithreading'] : [])];
    const { admitted, refused } = await browser.admitOnPage(['holdfast', ...rivals]);
    const silent = { key: 'holdfast', title: 'without requests', asks: false };
    /** @type {Variant[]} */
    const variants = [
        ...(full ? ALL_LOADS : QUICK_LOADS).flatMap((load) => [
            ...admitted.map((one) => ({ ...one, load, asks: true })),
            ...(full ? [{ ...silent, load }] : []),
        ]),
        ...(full ? BUSY_LOADS : []).flatMap((load) => [
            { key: 'holdfast', title: 'holdfast', asks: true, load, busy: BUSY },
            { ...silent, load, busy: BUSY },
        ]),
    ];
    const results = await runInTurns(rounds, variants, ({ load, key, asks, busy }) =>
        browser.run({
            ...load,
            contestant: key,
            asks,
            seconds,
            ...(busy ? { busy } : { everyMs: ASK_EVERY_MS }),
        }),
    );
    const where = `${browser.title} ${browser.version}`;
    const figures = results
        .filter(({ asks, title }) => asks && title === 'holdfast')
        .flatMap((ours) => {
            const others = results.filter(
                (one) => one.load === ours.load && one.busy === ours.busy && one !== ours,
            );
            /**
             * @param {string} what @param {string} unit @param {(run: PageMeasured) => number} of
             * @param {typeof others} beside
             * @param {import('../figures.js').Bound} [bound] of holdfast's value, stated once
             */
            const compare = (what, unit, of, beside, bound) =>
                beside.map(({ title: name, runs }, index) => {
                    const other = { name, rounds: runs.map(of) };
                    const full = `${where}, ${describeLoad(ours.load)}${what}`;
                    return figureOf(full, unit, ours.runs.map(of), other, index === 0 ? bound : undefined);
                });
            if (ours.busy) {
                const what = ', busy for 50 ms of every 60 ms: sections of all workers';
                return compare(what, '/s', sections, others, atLeast(LEAST_THROUGHPUT));
            }
            const cores = Math.min(...ours.runs.map((run) => run.cores));
            const asking = others.filter(({ asks }) => asks);
            return [
                ...compare(
                    ': wait, 99th percentile',
                    'ms',
                    percentile,
                    asking,
                    waitBound(ours.load, SLACK_MS, cores),
                ),
                ...compare(': wait, worst of a round', 'ms', worst, asking),
                ...compare(': sections of all workers', '/s', sections, others),
            ];
        });
    return {
        figures: withAbsent(figures, refused),
        series: results
            .filter(({ asks, busy }) => asks && !busy)
            .map(({ load, title, runs }) => ({
                panel: `${browser.title}, ${describeLoad(load)}`,
                contestant: title,
                points: waitPoints(runs.flatMap(({ waits }) => waits)),
            })),
    };
}

/** @type {import('./scenarios.js').Scenario} */
export const browsers = {
    name: 'browsers',
    inOtherProcesses: true,
    title: "how long a browser's main thread waits for the lock, while workers re-lock in a loop",
    run: (options) => inOpenBrowsers(options, (browser) => measure(browser, options)),
};
