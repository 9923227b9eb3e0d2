/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { throwLater } from '../thread/throw-later.js';

/**
 * @typedef {import('./report.js').Report} Report
 * @typedef {object} Listener that gets reports
 * @property {((report: Report) => unknown) | undefined} [onReport]
 * @property {boolean} [throws]
 * @property {number | undefined} [heldFor]
 * @property {number | undefined} [waitFor]
 */

/** One for each `debug()` that has not ended. @type {Set<Listener>} */
export const listeners = new Set();

/** @param {'heldFor' | 'waitFor'} name @param {number} otherwise @returns {number} the least of all */
export function limitOf(name, otherwise) {
    const limits = [...listeners].flatMap((listener) => listener[name] ?? []);
    return limits.length === 0 ? otherwise : Math.min(...limits);
}

const STDERR = 2;

/**
 * Writes to the console, or to stderr if this thread blocks: in Node and Bun its console output may not appear then.
 * @param {string} text
 * @param {boolean} blocks
 */
function warn(text, blocks) {
    const { console, process } = /** @type {any} */ (globalThis);
    const fs = blocks && process?.getBuiltinModule?.('node:fs');
    if (fs) {
        fs.writeSync(STDERR, `${text}\n`);
    } else {
        console?.warn(text);
    }
}

/**
 * Passes a report to each handler once, and to the console if there is no handler or one throws. Errors of handlers
 * are thrown in a later job, which a blocked thread may never run.
 * @param {Report} report
 * @param {boolean} mayThrow whether listeners with `throws` get an error in place of the report
 * @param {boolean} blocks whether this thread is blocked
 * @param {Listener[]} [to]
 * @returns {boolean} whether the wait must throw
 */
export function tell(report, mayThrow, blocks, to = [...listeners]) {
    const isThrown = (/** @type {Listener} */ { throws }) => mayThrow && throws === true;
    const toConsole = () => warn(`holdfast: ${report}`, blocks);
    const told = to.filter((listener) => !isThrown(listener));
    for (const onReport of new Set(told.map((listener) => listener.onReport))) {
        for (const handler of onReport ? [onReport, toConsole] : [toConsole]) {
            try {
                handler(report);
                break;
            } catch (error) {
                throwLater(error);
            }
        }
    }
    return to.some(isThrown);
}
