/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/** @typedef {{ name: string, devtools: any, start: number, end: number }} Seen times in ms, on a clock of all threads */

/**
 * The entries that observers of this thread's performance timeline get during `use`.
 * @param {() => Promise<unknown>} use
 * @returns {Promise<Seen[]>}
 */
export async function seenWhile(use) {
    const observer = new PerformanceObserver(() => {});
    observer.observe({ entryTypes: ['measure'] });
    await use();
    const entries = /** @type {PerformanceMeasure[]} */ (observer.takeRecords());
    observer.disconnect();
    return entries.map(({ name, detail, startTime, duration }) => {
        const start = performance.timeOrigin + startTime;
        return { name, devtools: detail.devtools, start, end: start + duration };
    });
}
