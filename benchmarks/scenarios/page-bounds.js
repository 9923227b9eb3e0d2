/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { quantile } from '../rounds.js';
import { isOvercommitted } from './page-runs.js';

/* The bounds of an event loop's wait, whatever it waits for. */

/** Beside one section of every thread that may be ahead: to wake, and to run a task of the event loop. */
const SLACK_MS = 0.5;

/** The time that an operating system's scheduler may add if threads share a core. */
const SHARED_CORE_MS = 4;

/**
 * @param {import('./page-runs.js').Load} load
 * @returns {import('../figures.js').Bound} of the 99th percentile
 */
export function waitBound(load) {
    const bound = (load.workers + 1) * load.sectionMs + SLACK_MS;
    return isOvercommitted(load)
        ? { of: 'value', most: bound + SHARED_CORE_MS, note: `${SHARED_CORE_MS} of it for a shared core` }
        : { of: 'value', most: bound };
}

/**
 * @param {import('../contended-run.js').Measured[]} runs
 * @param {keyof import('../event-loop.js').Waited} part
 * @returns {number[]} ms, the 99th percentile by run
 */
export function percentiles(runs, part) {
    return runs.map(({ waits }) =>
        quantile(
            waits.map((waited) => waited[part]),
            0.99,
        ),
    );
}
