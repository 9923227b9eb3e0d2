/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { admit } from '../contestants.js';
import { runContended } from '../contended-run.js';
import { figureOf } from '../figures.js';
import { throughput } from '../rates.js';
import { interleave } from '../rounds.js';

const LOCKS = 10_000;
const WORKERS = 2;

/** @type {import('./scenarios.js').Scenario} */
export const many = {
    name: 'many',
    title: `${WORKERS} workers and ${LOCKS.toLocaleString('en')} locks, one at random for each short section`,
    async run({ full, rounds, seconds, against }) {
        const rivals = [
            'textbook',
            'threeState',
            ...(full ? ['asyncMutex'] : []), // the others have a place for one lock only
        ];
        const { admitted, refused } = await admit(['holdfast', ...(against ?? rivals)], ['blocks', 'shares']);
        const results = await interleave(
            rounds,
            Object.fromEntries(
                admitted.map(({ key: contestant }) => [
                    contestant,
                    () => runContended({ contestant, workers: WORKERS, sectionMs: 0, locks: LOCKS, seconds }),
                ]),
            ),
        );
        /** @param {string} key */
        const rates = (key) => (results[key] ?? []).map(throughput);
        const what = 'sections of both workers';
        return {
            figures: [
                ...admitted.slice(1).map(({ key, title }) =>
                    figureOf(
                        what,
                        '/s',
                        rates('holdfast'),
                        { name: title, rounds: rates(key) },
                        {
                            of: 'ratio',
                            least: 1,
                        },
                    ),
                ),
                ...refused.map((other) => figureOf(what, '/s', rates('holdfast'), other)),
            ],
        };
    },
};
