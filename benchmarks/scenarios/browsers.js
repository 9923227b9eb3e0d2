/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { NoBrowserError } from '../../browsers/launch.js';
import { MEASURED_BROWSERS } from '../../scripts/system-packages.mjs';
import { throughput } from '../rates.js';
import { atLeast, figureOf } from '../figures.js';
import { quantile } from '../rounds.js';
import { waitPoints } from '../wait-points.js';
import { browserRuns } from './browser-runs.js';
import { describeLoad } from './page-runs.js';

/** @typedef {import('./browser-runs.js').PageMeasured} PageMeasured */
/** @typedef {import('../figures.js').Figure} Figure */

/** Beside one section of every thread that may be ahead: to wake, and to run a task of the browser's event loop. */
const SLACK_MS = 1;

/**
 * The time that an operating system's scheduler may add if threads share a core. A browser has threads of its own
 * besides: it composes a frame sixty times a second, in another process too. They are not counted, since they
 * need little.
 */
const SHARED_CORE_MS = 4;

const LEAST_THROUGHPUT = 0.9;

/** @param {PageMeasured} run */
function percentile({ waits }) {
    return quantile(waits, 0.99);
}

/** @param {PageMeasured} run */
function worst({ waits }) {
    return quantile(waits, 1);
}

/** @param {PageMeasured} run */
function missedFrames({ frames: { missed, expected } }) {
    return (missed / expected) * 100;
}

/**
 * @param {import('./page-runs.js').Load} load
 * @param {PageMeasured[]} runs
 * @returns {import('../figures.js').Bound}
 */
function boundOf({ workers, sectionMs }, runs) {
    const cores = Math.min(...runs.map((run) => run.cores));
    const bound = (workers + 1) * sectionMs + SLACK_MS;
    return workers + 1 > cores
        ? { of: 'value', most: bound + SHARED_CORE_MS, note: `${SHARED_CORE_MS} of it for a shared core` }
        : { of: 'value', most: bound };
}

/**
 * @typedef {object} Measure of a run
 * @property {string} title
 * @property {string} unit
 * @property {(run: PageMeasured) => number} of
 */

const P99 = { title: 'wait, 99th percentile', unit: 'ms', of: percentile };
const WORST = { title: 'wait, worst of a round', unit: 'ms', of: worst };
const SECTIONS = { title: 'sections of all workers', unit: '/s', of: throughput };
const FRAMES = { title: 'frames missed', unit: '%', of: missedFrames };

/**
 * A figure for each of the others, with the bound once, since it is of holdfast's own value.
 *
 * @param {string} what
 * @param {Measure} measure
 * @param {PageMeasured[]} ours
 * @param {readonly { name: string, runs: PageMeasured[] }[]} others
 * @param {import('../figures.js').Bound} [bound]
 */
function figuresBeside(what, { title, unit, of }, ours, others, bound) {
    return others.map(({ name, runs }, index) => {
        const beside = { name, rounds: runs.map(of) };
        return figureOf(`${what}: ${title}`, unit, ours.map(of), beside, index === 0 ? bound : undefined);
    });
}

/**
 * @param {string} where
 * @param {import('./browser-runs.js').BrowserLoadRuns} runs
 * @returns {Figure[]}
 */
function loadFigures(where, { load, contestants: [holdfast, ...rivals], silent }) {
    const ours = holdfast?.runs ?? [];
    const what = `${where}, ${describeLoad(load)}`;
    const withoutRequests = silent.length === 0 ? [] : [{ name: 'without requests', runs: silent }];
    const frames = figuresBeside(what, FRAMES, ours, withoutRequests.length === 0 ? rivals : withoutRequests);
    return [
        ...figuresBeside(what, P99, ours, rivals, boundOf(load, ours)),
        ...figuresBeside(what, WORST, ours, rivals),
        ...figuresBeside(what, SECTIONS, ours, [...rivals, ...withoutRequests]),
        // Of two values that should be 0 there is no ratio.
        ...frames.map((figure) => ({ ...figure, ratio: undefined })),
    ];
}

/**
 * @param {string} where
 * @param {import('./browser-runs.js').BrowserBusyRuns} runs
 */
function busyFigure(where, { load, asking, silent }) {
    return figureOf(
        `${where}, ${describeLoad(load)}, busy for 50 ms of every 60 ms: sections of all workers`,
        '/s',
        asking.map(throughput),
        { name: 'without requests', rounds: silent.map(throughput) },
        atLeast(LEAST_THROUGHPUT),
    );
}

/**
 * @param {import('./browser-runs.js').BrowserRuns} runs
 * @returns {import('../figures.js').Results}
 */
function resultsOf({ browser, version, loads, busy, refused }) {
    const where = `${browser} ${version}`;
    const figures = loads.flatMap((runs) => loadFigures(where, runs));
    const { what = '', unit = '', value = NaN } = figures[0] ?? {};
    return {
        figures: [
            ...figures,
            ...refused.map((beside) => ({ what, unit, value, beside })),
            ...busy.map((runs) => busyFigure(where, runs)),
        ],
        series: loads.flatMap(({ load, contestants }) =>
            contestants.map(({ title, runs }) => ({
                picture: /** @type {const} */ ('waits'),
                panel: `${browser}, ${describeLoad(load)}`,
                contestant: title,
                points: waitPoints(runs.flatMap(({ waits }) => waits)),
            })),
        ),
    };
}

/**
 * @param {import('../browser/driver.js').MeasuredBrowser} name
 * @param {import('./scenarios.js').Options} options
 * @returns {Promise<import('../figures.js').Results>}
 */
async function measure(name, options) {
    try {
        return resultsOf(await browserRuns(name, options));
    } catch (error) {
        if (error instanceof NoBrowserError) {
            process.stderr.write(`bench: browsers: ${error.message}; the rest goes on\n`);
            return { figures: [] };
        }
        throw error;
    }
}

/** @type {import('./scenarios.js').Scenario} */
export const browsers = {
    name: 'browsers',
    inOtherProcesses: true,
    title: "how long a browser's main thread waits for the lock, while workers re-lock in a loop",
    async run(options) {
        const names = /** @type {import('../browser/driver.js').MeasuredBrowser[]} */ (
            Object.keys(MEASURED_BROWSERS)
        );
        const results = [];
        for (const name of options.full ? names : names.slice(0, 1)) {
            results.push(await measure(name, options));
        }
        return {
            figures: results.flatMap(({ figures }) => figures),
            series: results.flatMap(({ series = [] }) => series),
        };
    },
};
