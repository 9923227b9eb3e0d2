/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { median, medianRatio } from '../rounds.js';
import { describeLoad, pageRuns } from './page-runs.js';

const LEAST_THROUGHPUT = 0.95;
const LEAST_SHARE = 0.8;

/** @typedef {import('../contended-run.js').Measured} Measured */

/** @param {Measured[]} runs */
function throughputs(runs) {
    return runs.map(({ rates }) => rates.reduce((sum, rate) => sum + rate, 0));
}

/** @param {Measured[]} runs */
function shares(runs) {
    return runs.map(({ rates }) => Math.min(...rates) / Math.max(...rates));
}

/**
 * @param {import('./page-runs.js').PageRuns} runs
 * @returns {import('../figures.js').Figure[]}
 */
function figuresOf(runs) {
    const { workers, holdfast, textbook } = runs;
    const ours = throughputs(holdfast);
    const theirs = throughputs(textbook);
    /** @type {import('../figures.js').Figure[]} */
    const figures = [
        {
            what: `${describeLoad(runs)}: sections of all workers`,
            unit: '/s',
            value: median(ours),
            beside: { name: 'textbook', value: median(theirs) },
            ratio: medianRatio(ours, theirs),
            bound: { of: 'ratio', least: LEAST_THROUGHPUT },
        },
    ];
    if (workers > 1) {
        figures.push({
            what: `${describeLoad(runs)}: fewest / most sections of a worker`,
            unit: '',
            value: median(shares(holdfast)),
            beside: { name: 'textbook', value: median(shares(textbook)) },
            bound: { of: 'value', least: LEAST_SHARE },
        });
    }
    return figures;
}

/** @type {import('./scenarios.js').Scenario} */
export const price = {
    name: 'price',
    title: 'what that costs the workers (the same runs)',
    async run(options) {
        return (await pageRuns(options)).flatMap(figuresOf);
    },
};
