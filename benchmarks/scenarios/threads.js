/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { admit } from '../contestants.js';
import { contend } from '../contend.js';
import { runContended } from '../contended-run.js';
import { gridFigures } from './grid-figures.js';
import { describeSection } from './page-runs.js';

/** Sections in ms. */
const ALL = { threads: [2, 4, 8], sections: [0, 0.001, 0.005, 0.02, 0.1] };
/** Beside rivals of one's choice. */
const CHOSEN = { threads: [2, 4], sections: [0.005, 0.1] };
/** As many threads as cores, and more. */
const QUICK = { threads: [2, 4], sections: [0.005] };

/** @type {import('./scenarios.js').Scenario} */
export const threads = {
    name: 'threads',
    title: 'sections per second of workers that lock in a loop from JavaScript',
    async run({ full, rounds, seconds, against }) {
        const rivals = [
            'textbook',
            'threeState',
            ...(full ? ['multithreading', 'webLocks', 'asymmetric'] : []),
        ];
        const { admitted, refused } = await admit(['holdfast', ...(against ?? rivals)], ['shares']);
        const short = against === undefined ? QUICK : CHOSEN;
        const extent = full ? ALL : short;
        const settings = extent.sections.flatMap((sectionMs) =>
            extent.threads.map((workers) => ({
                workers,
                sectionMs,
                what: `${workers} threads, ${describeSection(sectionMs)}`,
            })),
        );
        const variants = settings.flatMap((setting) =>
            admitted.map((contestant) => ({ setting, what: setting.what, ...contestant })),
        );
        const { results, failed } = await contend(rounds, variants, ({ setting, key }) =>
            runContended({ ...setting, contestant: key, seconds: seconds / 2 }),
        );
        return gridFigures(
            settings.map((setting) => ({
                what: setting.what,
                threads: setting.workers,
                panel: `sections of ${describeSection(setting.sectionMs)}`,
                results: Object.fromEntries(
                    results
                        .filter((result) => result.setting === setting)
                        .map(({ title, runs }) => [title, runs.map(({ rates }) => rates)]),
                ),
            })),
            Object.fromEntries([...failed, ...refused].map(({ name, cannot }) => [name, cannot])),
        );
    },
};
