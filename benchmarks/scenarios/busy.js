/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { atLeast, compare } from '../figures.js';
import { busyLoads, P99, percentile, runBeside, SECTIONS, SILENT } from '../frames/loop-waits.js';
import { throughput } from '../rounds.js';

const OURS = { key: 'holdfast', title: 'holdfast' };
const RIVAL = { key: 'textbook', title: 'textbook lock' };

/** About as long as a slice of a user interface that renders in pieces. */
const SLICE_MS = 5;

const WITHOUT_PAUSE = [0.05, 1].map((sectionMs) => ({
    load: { workers: 2, sectionMs, cycle: { busyMs: SLICE_MS } },
    contestants: [OURS, RIVAL, SILENT],
}));

/** @type {import('../scenarios.js').Scenario} */
export const busy = {
    name: 'busy',
    title: 'workers beside an event loop that is busy: for 50 ms of every 60 ms; with --full without a pause, too',
    async run(options) {
        const loads = busyLoads(options.full ? [2, 1] : [2]);
        const both = await runBeside(
            loads.map((load) => ({ load, contestants: [OURS, SILENT] })),
            options,
        );
        const three = await runBeside(options.full ? WITHOUT_PAUSE : [], options);
        return [
            ...both.loads.flatMap(({ what, contestants }) =>
                compare(`${what}: ${SECTIONS}`, '/s', throughput, contestants, atLeast(0.9)),
            ),
            ...three.loads.flatMap(({ what: load, contestants }) => {
                const what = `${load}, jobs of ${SLICE_MS} ms without a pause`;
                const ofUs = contestants.filter(({ key }) => key === OURS.key);
                return [
                    ...compare(`${what}: ${P99}`, 'ms', percentile, contestants.slice(0, 2)),
                    ...compare(`${what}: ${SECTIONS}`, '/s', throughput, ofUs),
                ];
            }),
        ];
    },
};
