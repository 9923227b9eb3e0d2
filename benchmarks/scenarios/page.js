/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { median, medianRatio, quantile } from '../rounds.js';
import { describeLoad, isOvercommitted, pageRuns } from './page-runs.js';

/** Beside one section of every thread that may be ahead: to wake, and to run a task of the event loop. */
const SLACK_MS = 0.5;

/** What an operating system's scheduler may add where threads have to share a core. */
const SHARED_CORE_MS = 4;

const WORST_MS = 20;

/**
 * @param {import('../contended-run.js').Measured[]} runs
 * @param {keyof import('../event-loop.js').Waited} part
 */
function percentiles(runs, part) {
    return runs.map(({ waits }) =>
        quantile(
            waits.map((waited) => waited[part]),
            0.99,
        ),
    );
}

/** @param {import('../contended-run.js').Measured[]} runs */
function worst(runs) {
    return Math.max(...runs.flatMap(({ waits }) => waits.map(({ all }) => all)));
}

/**
 * @param {import('./page-runs.js').PageRuns} runs
 * @returns {import('../figures.js').Figure[]}
 */
function figuresOf(runs) {
    const { workers, sectionMs, holdfast, textbook } = runs;
    const overcommitted = isOvercommitted(runs);
    const ours = percentiles(holdfast, 'all');
    const theirs = percentiles(textbook, 'all');
    const bound = (workers + 1) * sectionMs + SLACK_MS + (overcommitted ? SHARED_CORE_MS : 0);
    return [
        {
            what: `${describeLoad(runs)}: wait, 99th percentile`,
            unit: 'ms',
            value: median(ours),
            beside: { name: 'textbook', value: median(theirs) },
            ratio: medianRatio(ours, theirs),
            bound: {
                of: 'value',
                most: bound,
                ...(overcommitted && { note: `${SHARED_CORE_MS} of it for a shared core` }),
            },
        },
        {
            what: `${describeLoad(runs)}: the same, without the time in which it only lacked a core`,
            unit: 'ms',
            value: median(percentiles(holdfast, 'forLock')),
            beside: { name: 'textbook', value: median(percentiles(textbook, 'forLock')) },
        },
        {
            what: `${describeLoad(runs)}: wait, worst of all rounds`,
            unit: 'ms',
            value: worst(holdfast),
            beside: { name: 'textbook', value: worst(textbook) },
            ratio: worst(holdfast) / worst(textbook),
            bound: { of: 'value', most: WORST_MS, note: 'in a quiet run of 10 s' },
        },
    ];
}

/** @type {import('./scenarios.js').Scenario} */
export const page = {
    name: 'page',
    title: 'how long the event loop waits for the lock, asking every 4 ms, while workers re-lock in a loop',
    async run(options) {
        return (await pageRuns(options)).flatMap(figuresOf);
    },
};
