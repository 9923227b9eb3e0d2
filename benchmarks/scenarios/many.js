/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { admit } from '../contestants.js';
import { contend } from '../contend.js';
import { runContended } from '../contended-run.js';
import { atLeast, figureOf } from '../figures.js';
import { throughput } from '../rates.js';

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
            ...(full ? ['multithreading', 'asymmetric', 'atomicsMutex', 'asyncMutex'] : []),
        ];
        const { admitted, refused } = await admit(
            ['holdfast', ...(against ?? rivals)],
            ['blocks', 'shares', 'many'],
        );
        const what = 'sections of both workers';
        const variants = admitted.map((contestant) => ({ what, ...contestant }));
        const { results, failed } = await contend(rounds, variants, ({ key: contestant }) =>
            runContended({ contestant, workers: WORKERS, sectionMs: 0, locks: LOCKS, seconds }),
        );
        const [holdfast, ...others] = results;
        const ours = (holdfast?.runs ?? []).map(throughput);
        return {
            figures: [
                ...others.map(({ title: name, runs }) =>
                    figureOf(what, '/s', ours, { name, rounds: runs.map(throughput) }, atLeast(1)),
                ),
                ...[...failed, ...refused].map((other) => figureOf(what, '/s', ours, other)),
            ],
        };
    },
};
