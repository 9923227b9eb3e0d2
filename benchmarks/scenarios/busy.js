/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { runContended } from '../contended-run.js';
import { askWhileBusy, askWithoutPause } from '../event-loop.js';
import { atLeast, figureOf } from '../figures.js';
import { interleave, throughput } from '../rounds.js';
import { describeLoad, percentiles } from './page-runs.js';

export const SECTION_MS = 0.05;
export const BUSY = { busyMs: 50, cycleMs: 60 };
const LEAST_THROUGHPUT = 0.9;

/** About as long as a slice of a user interface that renders in pieces. */
const SLICE_MS = 5;

/** @param {{ rates: number[] }[]} runs */
function ratesOf(runs) {
    return runs.map(({ rates }) => rates);
}

/** @param {number} workers @param {import('./scenarios.js').Options} options */
async function measure(workers, { rounds, seconds }) {
    const load = { contestant: 'holdfast', workers, sectionMs: SECTION_MS, seconds };
    const { asking, silent } = await interleave(rounds, {
        asking: () => runContended({ ...load, start: (asker) => askWhileBusy(asker, BUSY) }),
        silent: () => runContended({ ...load, start: () => askWhileBusy(undefined, BUSY) }),
    });
    return figureOf(
        `${describeLoad(load)}: sections of all workers`,
        '/s',
        ratesOf(asking).map(throughput),
        { name: 'without requests', rounds: ratesOf(silent).map(throughput) },
        atLeast(LEAST_THROUGHPUT),
    );
}

/** @param {number} sectionMs @param {import('./scenarios.js').Options} options */
async function measureWithoutPause(sectionMs, { rounds, seconds }) {
    const load = { workers: 2, sectionMs, seconds };
    /** @param {string} contestant @param {boolean} asks */
    const run = (contestant, asks) => () =>
        runContended({
            ...load,
            contestant,
            start: (asker) => askWithoutPause(asks ? asker : undefined, SLICE_MS),
        });
    const { holdfast, textbook, silent } = await interleave(rounds, {
        holdfast: run('holdfast', true),
        textbook: run('textbook', true),
        silent: run('holdfast', false),
    });
    const what = `${describeLoad(load)}, jobs of ${SLICE_MS} ms without a pause`;
    return [
        figureOf(`${what}: wait, 99th percentile`, 'ms', percentiles(holdfast), {
            name: 'textbook lock',
            rounds: percentiles(textbook),
        }),
        figureOf(`${what}: sections of all workers`, '/s', ratesOf(holdfast).map(throughput), {
            name: 'without requests',
            rounds: ratesOf(silent).map(throughput),
        }),
    ];
}

/** @type {import('./scenarios.js').Scenario} */
export const busy = {
    name: 'busy',
    title: 'workers beside an event loop that is busy: for 50 ms of every 60 ms; with --full without a pause, too',
    async run(options) {
        const figures = [await measure(2, options)];
        if (options.full) {
            figures.push(await measure(1, options));
            for (const sectionMs of [SECTION_MS, 1]) {
                figures.push(...(await measureWithoutPause(sectionMs, options)));
            }
        }
        return { figures };
    },
};
