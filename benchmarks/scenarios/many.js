/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { admit } from '../contestants.js';
import { runContended } from '../contended-run.js';
import { atLeast, figureOf } from '../figures.js';
import { throughput } from '../rates.js';
import { runInTurns } from '../rounds.js';

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
            ...(full ? ['pthread', 'multithreading', 'asymmetric', 'atomicsMutex', 'asyncMutex'] : []),
        ];
        const { admitted, refused } = await admit(
            ['holdfast', ...(against ?? rivals)],
            ['blocks', 'shares', 'many'],
        );
        const [holdfast, ...others] = await runInTurns(rounds, admitted, ({ key: contestant }) =>
            runContended({ contestant, workers: WORKERS, sectionMs: 0, locks: LOCKS, seconds }),
        );
        const what = 'sections of both workers';
        const ours = (holdfast?.runs ?? []).map(throughput);
        return {
            figures: [
                ...others.map(({ title: name, runs }) =>
                    figureOf(what, '/s', ours, { name, rounds: runs.map(throughput) }, atLeast(1)),
                ),
                ...refused.map((other) => figureOf(what, '/s', ours, other)),
            ],
        };
    },
};
