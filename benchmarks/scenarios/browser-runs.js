/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { openBrowser } from '../browser/driver.js';
import { interleave } from '../rounds.js';
import { BUSY, SECTION_MS } from './busy.js';
import { ALL_LOADS, ASK_EVERY_MS, describeLoad, QUICK_LOADS } from './page-runs.js';

/* The runs of `browsers`, in one browser. */

/** @typedef {import('../browser/page.js').PageMeasured} PageMeasured */
/** @typedef {import('./page-runs.js').Load} Load */
/** @typedef {Awaited<ReturnType<typeof openBrowser>>} Browser */

/** @type {readonly Load[]} */
const BUSY_LOADS = [1, 2].map((workers) => ({ workers, sectionMs: SECTION_MS }));

/**
 * @typedef {object} Contestant
 * @property {string} title
 * @property {string} name the title, and what its workers cannot do
 * @property {PageMeasured[]} runs
 *
 * @typedef {object} BrowserLoadRuns of one load
 * @property {Load} load
 * @property {Contestant[]} contestants holdfast first
 * @property {PageMeasured[]} silent holdfast without requests of the page; none in a quick run
 *
 * @typedef {object} BrowserBusyRuns the page is busy, and holdfast's only
 * @property {Load} load
 * @property {PageMeasured[]} asking
 * @property {PageMeasured[]} silent
 *
 * @typedef {object} BrowserRuns
 * @property {string} browser
 * @property {string} version
 * @property {BrowserLoadRuns[]} loads
 * @property {BrowserBusyRuns[]} busy
 * @property {{ name: string, cannot: string }[]} refused
 */

/**
 * @param {Browser} browser
 * @param {readonly string[]} keys
 */
async function admit(browser, keys) {
    const all = await browser.describeContestants(keys);
    return {
        admitted: all
            .filter(({ cannot }) => cannot === undefined)
            .map(({ key, title, blocks }) => ({
                key,
                title,
                name: blocks ? title : `${title}, which the workers await`,
            })),
        refused: all.flatMap(({ title: name, cannot }) => (cannot === undefined ? [] : [{ name, cannot }])),
    };
}

/**
 * @param {Browser} browser
 * @param {import('./scenarios.js').Options} options
 */
async function runAll(browser, { full, rounds, seconds, against }) {
    const rivals = ['textbook', ...(full ? ['webLocks', 'multithreading', 'atomicsMutex'] : [])];
    const keys = ['holdfast', ...(against ?? rivals)];
    const { admitted, refused } = await admit(browser, keys);
    /** @type {Record<string, () => Promise<PageMeasured>>} */
    const variants = {};
    const add = (/** @type {Load} */ load, /** @type {string} */ key, /** @type {object} */ what) => {
        const run = { contestant: 'holdfast', ...load, seconds, asks: false, ...what };
        variants[`${describeLoad(load)}: ${key}`] = () => browser.run(run);
    };
    const loads = full ? ALL_LOADS : QUICK_LOADS;
    const busyLoads = full ? BUSY_LOADS : [];
    for (const load of loads) {
        admitted.forEach(({ key }) => add(load, key, { contestant: key, asks: true, everyMs: ASK_EVERY_MS }));
        if (full) {
            add(load, 'silent', {});
        }
    }
    for (const load of busyLoads) {
        add(load, 'busy, asking', { asks: true, busy: BUSY });
        add(load, 'busy, silent', { busy: BUSY });
    }
    const results = await interleave(rounds, variants);
    const runsOf = (/** @type {Load} */ load, /** @type {string} */ key) =>
        results[`${describeLoad(load)}: ${key}`] ?? [];
    return {
        refused,
        loads: loads.map((load) => ({
            load,
            contestants: admitted.map(({ key, ...names }) => ({ ...names, runs: runsOf(load, key) })),
            silent: runsOf(load, 'silent'),
        })),
        busy: busyLoads.map((load) => ({
            load,
            asking: runsOf(load, 'busy, asking'),
            silent: runsOf(load, 'busy, silent'),
        })),
    };
}

/**
 * @param {import('../browser/driver.js').MeasuredBrowser} name
 * @param {import('./scenarios.js').Options} options
 * @returns {Promise<BrowserRuns>}
 * @throws {import('../../browsers/launch.js').NoBrowserError} if there is none
 */
export async function browserRuns(name, options) {
    const browser = await openBrowser(name, options.seconds);
    try {
        const { title, version } = browser;
        return { browser: title, version, ...(await runAll(browser, options)) };
    } finally {
        await browser.close();
    }
}
