/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { admit } from '../contestants.js';
import { runContended } from '../contended-run.js';
import { askEvery, askWhileBusy } from '../event-loop.js';

export { exchange } from '../messages-run.js';

/* Makes a contended run on the page. */

/**
 * Plain data, since it comes from another process.
 * @typedef {object} PageRun
 * @property {string} contestant its key
 * @property {number} workers that lock again and again
 * @property {number} sectionMs
 * @property {number} seconds that are measured
 * @property {boolean} asks whether the page requests the lock
 * @property {number} [everyMs] requests the lock at this interval
 * @property {{ busyMs: number, cycleMs: number }} [busy] the page is busy, and requests the lock once per cycle
 *
 * @typedef {object} PageMeasured
 * @property {number[]} waits of the page's requests, in ms
 * @property {number[]} rates sections per second, by worker
 * @property {number} cores that the browser says it has
 */

/** @param {PageRun} run @returns {Promise<PageMeasured>} */
export async function runOnPage({ asks, everyMs, busy, ...run }) {
    const { waits, rates } = await runContended({
        ...run,
        start(asker) {
            if (busy !== undefined) {
                return askWhileBusy(asks ? asker : undefined, busy);
            }
            return asks && everyMs !== undefined ? askEvery(asker, everyMs) : () => {};
        },
    });
    return { waits, rates, cores: navigator.hardwareConcurrency };
}

/** The contestants that can take part in this browser, and why the others cannot. @param {readonly string[]} keys */
export function admitOnPage(keys) {
    return admit(keys, ['shares', 'waits']);
}
