/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/**
 * @typedef {object} Deed what was done
 * @property {string} method
 * @property {'shared'} [mode] of a reader-writer lock
 * @property {string} [key] of a `KeyedMutex`
 * @property {Outcome} [outcome] of a wait
 *
 * @typedef {'got' | 'not got' | 'timed out' | 'aborted'} Outcome
 * @typedef {'wait' | 'hold'} Activity
 */

/** Colours of Chromium's palette; failures stand out. @param {Activity} activity @param {Deed} deed */
function colourOf(activity, { mode, outcome }) {
    if (activity === 'wait') {
        return outcome === 'got' ? 'tertiary-light' : 'error';
    }
    return mode === 'shared' ? 'primary-light' : 'primary';
}

/** One lock's entries in this thread's performance timeline. */
export class LockTimeline {
    isOpen = true;
    #options;

    /** @param {Required<import('../trace.js').TraceOptions>} options */
    constructor(options) {
        this.#options = options;
    }

    /**
     * @param {Activity} activity
     * @param {number} start as `performance.now()` has it
     * @param {number} end
     * @param {Deed} deed
     */
    add(activity, start, end, deed) {
        const { name: lock, thread, minimum, keep } = this.#options;
        if (!this.isOpen || end - start < minimum) {
            return;
        }
        const key = deed.key === undefined ? '' : ` '${deed.key}'`;
        const entry = `${lock}${key}: ${activity}${deed.mode ? ' shared' : ''}`;
        const facts = { lock, thread, activity, ...deed };
        const devtools = {
            dataType: 'track-entry',
            trackGroup: lock,
            track: thread,
            color: colourOf(activity, deed),
            tooltipText: `${activity} of ${thread} by ${deed.method}()`,
            properties: Object.entries(facts),
        };
        performance.measure(entry, { start, end, detail: { holdfast: facts, devtools } });
        if (!keep) {
            performance.clearMeasures(entry); // observers and profilers have received it by now
        }
    }
}
