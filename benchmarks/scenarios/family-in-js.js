/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { admit } from '../contestants.js';
import { runContended } from '../contended-run.js';
import { runInTurns } from '../rounds.js';
import { gridFigures } from './grid-figures.js';

/* What is not a mutex, between workers from JavaScript, beside that of npm. */

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

/** By name, since those that workers throw arrive as copies. */
const FAILURES = ['HungError', 'LostUpdateError'];

/** @typedef {import('../contended-run.js').Measured} Measured */

/**
 * What runs a contestant, and what was wrong with those that failed, which take no further part; holdfast must not.
 *
 * @param {string} ours holdfast's key
 */
function makeRunner(ours) {
    /** @type {Record<string, string>} by title */
    const failures = {};
    /**
     * @param {{ setting: Setting, key: string, title: string }} variant
     * @param {number} seconds
     * @returns {Promise<Measured | undefined>}
     */
    const run = async ({ setting, key, title }, seconds) => {
        if (title in failures) {
            return undefined;
        }
        try {
            return await runContended({ ...setting, contestant: key, seconds });
        } catch (error) {
            const { name, message } = /** @type {Error} */ (error);
            if (key === ours || !FAILURES.includes(name)) {
                throw error;
            }
            failures[title] = `${setting.what}: ${message}`;
            return undefined;
        }
    };
    return { run, failures };
}

/**
 * @param {Family} family
 * @param {import('./scenarios.js').Options} options
 */
export async function contendInJs({ keys, counted, ratesOf = (rates) => rates, settings }, options) {
    const { admitted, refused } = await admit(keys, ['shares']);
    const variants = settings.flatMap((setting) =>
        admitted.map((contestant) => ({ setting, ...contestant })),
    );
    const { run, failures } = makeRunner(keys[0] ?? '');
    const results = await runInTurns(options.rounds, variants, (variant) =>
        run(variant, options.seconds / 2),
    );
    return gridFigures(
        settings.map((setting) => ({
            what: setting.what,
            threads: setting.workers,
            panel: 'in JavaScript',
            results: Object.fromEntries(
                results
                    .filter((result) => result.setting === setting && !(result.title in failures))
                    .map(({ title, runs }) => [
                        title,
                        runs.flatMap((measured) => (measured ? [ratesOf(measured.rates)] : [])),
                    ]),
            ),
        })),
        { ...failures, ...Object.fromEntries(refused.map(({ name, cannot }) => [name, cannot])) },
        { where: 'in JavaScript, ', counted, leastRatio: LEAST_RATIO },
    ).figures;
}
