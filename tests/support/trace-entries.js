/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Trace entries of this thread's performance timeline, as observers get them. */

/**
 * @typedef {object} TraceEntry
 * @property {string} name
 * @property {string} lock
 * @property {string} thread
 * @property {'wait' | 'hold'} activity
 * @property {string} method
 * @property {string} [mode]
 * @property {string} [key]
 * @property {string} [outcome]
 * @property {number} start ms, on a clock of all threads
 * @property {number} end
 */

/** @param {PerformanceEntry & { detail?: any }} entry @returns {TraceEntry} */
function describe({ name, detail, startTime, duration }) {
    const start = performance.timeOrigin + startTime;
    return { name, ...detail.holdfast, start, end: start + duration };
}

/** Observes the entries that are made from now on. */
export class EntryObserver {
    /** @type {(PerformanceEntry & { detail?: any })[]} */
    #seen = [];
    #observer = new PerformanceObserver((list) => void this.#seen.push(...list.getEntries()));

    constructor() {
        this.#observer.observe({ entryTypes: ['measure'] });
    }

    /** The entries since the last call. */
    take() {
        const entries = [...this.#seen, ...this.#observer.takeRecords()];
        this.#seen = [];
        return entries.map(describe);
    }

    stop() {
        this.#observer.disconnect();
    }
}
