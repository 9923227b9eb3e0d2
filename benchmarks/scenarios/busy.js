/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { runContended } from '../contended-run.js';
import { askWhileBusy } from '../event-loop.js';
import { atLeast, figureOf } from '../figures.js';
import { throughput } from '../rates.js';
import { interleave, median } from '../rounds.js';
import { describeLoad } from './page-runs.js';

export const SECTION_MS = 0.05;
export const BUSY = { busyMs: 50, cycleMs: 60 };
const LEAST_THROUGHPUT = 0.9;

/**
 * @param {number} workers
 * @param {import('./scenarios.js').Options} options
 */
async function measure(workers, { rounds, seconds }) {
    const load = { contestant: 'holdfast', workers, sectionMs: SECTION_MS, seconds };
    const { asking, silent } = await interleave(rounds, {
        asking: () => runContended({ ...load, start: (asker) => askWhileBusy(asker, BUSY) }),
        silent: () => runContended({ ...load, start: () => askWhileBusy(undefined, BUSY) }),
    });
    const what = describeLoad(load);
    return [
        figureOf(
            `${what}: sections of all workers`,
            '/s',
            asking.map(throughput),
            { name: 'without requests', rounds: silent.map(throughput) },
            atLeast(LEAST_THROUGHPUT),
        ),
        figureOf(
            `${what}: wait of the event loop, its own work included`,
            'ms',
            asking.map(({ waits }) => median(waits.map(({ all }) => all))),
        ),
    ];
}

/** @type {import('./scenarios.js').Scenario} */
export const busy = {
    name: 'busy',
    title: 'workers beside an event loop that is busy for 50 ms of every 60 ms and asks once in each',
    async run(options) {
        const figures = await measure(2, options);
        return { figures: options.full ? [...figures, ...(await measure(1, options))] : figures };
    },
};
