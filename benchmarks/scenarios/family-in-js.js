/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { admit } from '../contestants.js';
import { contend } from '../contend.js';
import { runContended } from '../contended-run.js';
import { gridFigures } from './grid-figures.js';

/* Primitives other than the mutex, between workers, beside those of npm. */

/**
 * @typedef {Omit<import('../contended-run.js').ContendedRun, 'contestant' | 'seconds'> & { what: string }} Setting
 *
 * @typedef {object} Family
 * @property {readonly string[]} keys of the contestants, holdfast's first
 * @property {string} counted what is so many a second
 * @property {(rates: number[]) => number[]} [ratesOf] what counts of the threads' rates; those by default
 * @property {readonly Setting[]} settings
 */

/** "Equal or ahead". */
const LEAST_RATIO = 1;

/**
 * @param {Family} family
 * @param {import('./scenarios.js').Options} options
 */
export async function contendInJs({ keys, counted, ratesOf = (rates) => rates, settings }, options) {
    const { admitted, refused } = await admit(keys, ['shares']);
    const variants = settings.flatMap((setting) =>
        admitted.map((contestant) => ({ setting, what: setting.what, ...contestant })),
    );
    const { results, failed } = await contend(options.rounds, variants, ({ setting, key }) =>
        runContended({ ...setting, contestant: key, seconds: options.seconds / 2 }),
    );
    return gridFigures(
        settings.map((setting) => ({
            what: setting.what,
            threads: setting.workers,
            panel: 'in JavaScript',
            results: Object.fromEntries(
                results
                    .filter((result) => result.setting === setting)
                    .map(({ title, runs }) => [title, runs.map(({ rates }) => ratesOf(rates))]),
            ),
        })),
        Object.fromEntries([...failed, ...refused].map(({ name, cannot }) => [name, cannot])),
        { where: 'in JavaScript, ', counted, leastRatio: LEAST_RATIO },
    ).figures;
}
