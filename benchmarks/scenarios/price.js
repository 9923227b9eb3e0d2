/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { atLeast, figureOf } from '../figures.js';
import { evenness, throughput } from '../rates.js';
import { describeLoad, pageRuns } from './page-runs.js';

const LEAST_THROUGHPUT = 0.95;
const LEAST_EVENNESS = 0.8;

/**
 * @param {import('./page-runs.js').PageRuns} runs
 * @returns {import('../figures.js').Figure[]}
 */
function figuresOf({ load, contestants: [holdfast, textbook] }) {
    const name = textbook?.title ?? '';
    const [ours, theirs] = [holdfast?.runs ?? [], textbook?.runs ?? []];
    const sections = figureOf(
        `${describeLoad(load)}: sections of all workers`,
        '/s',
        ours.map(throughput),
        { name, rounds: theirs.map(throughput) },
        atLeast(LEAST_THROUGHPUT),
    );
    const shares = figureOf(
        `${describeLoad(load)}: fewest / most sections of a worker`,
        '',
        ours.map(evenness),
        { name, rounds: theirs.map(evenness) },
        { of: 'value', least: LEAST_EVENNESS },
    );
    return load.workers > 1 ? [sections, shares] : [sections];
}

/** @type {import('./scenarios.js').Scenario} */
export const price = {
    name: 'price',
    title: 'what that costs the workers (the same runs)',
    async run(options) {
        const { loads } = await pageRuns(options);
        return { figures: loads.flatMap(figuresOf) };
    },
};
