/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { runContended } from '../contended-run.js';
import { askWhileBusy } from '../event-loop.js';
import { interleave, median, medianRatio } from '../rounds.js';

const SECTION_MS = 0.05;
const BUSY = { busyMs: 50, cycleMs: 60 };
const LEAST_THROUGHPUT = 0.9;

/** @param {import('../contended-run.js').Measured[]} runs */
function throughputs(runs) {
    return runs.map(({ rates }) => rates.reduce((sum, rate) => sum + rate, 0));
}

/**
 * @param {number} workers
 * @param {import('./scenarios.js').Options} options
 * @returns {Promise<import('../figures.js').Figure[]>}
 */
async function measure(workers, { rounds, seconds }) {
    const load = { contestant: /** @type {const} */ ('holdfast'), workers, sectionMs: SECTION_MS, seconds };
    const { asking, silent } = await interleave(rounds, {
        asking: () => runContended({ ...load, start: (asker) => askWhileBusy(asker, BUSY) }),
        silent: () => runContended({ ...load, start: () => askWhileBusy(undefined, BUSY) }),
    });
    const throughput = throughputs(asking);
    const undisturbed = throughputs(silent);
    const name = workers === 1 ? '1 worker' : `${workers} workers`;
    return [
        {
            what: `${name}, 50 µs: sections of all workers`,
            unit: '/s',
            value: median(throughput),
            beside: { name: 'without requests', value: median(undisturbed) },
            ratio: medianRatio(throughput, undisturbed),
            bound: { of: 'ratio', least: LEAST_THROUGHPUT },
        },
        {
            what: `${name}, 50 µs: wait of the event loop, its own work included`,
            unit: 'ms',
            value: median(asking.map(({ waits }) => median(waits.map(({ all }) => all)))),
        },
    ];
}

/** @type {import('./scenarios.js').Scenario} */
export const busy = {
    name: 'busy',
    title: 'workers beside an event loop that is busy for 50 ms of every 60 ms and asks once in each',
    async run(options) {
        return [...(await measure(2, options)), ...(await measure(1, options))];
    },
};
