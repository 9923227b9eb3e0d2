/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { contestantsInC, FailedContestantError, runRoundsInC } from '../c-programs.js';
import { admit } from '../contestants.js';
import { contend } from '../contend.js';
import { runContended } from '../contended-run.js';
import { gridFigures } from './grid-figures.js';

/* Threads that use a primitive again and again. In JavaScript it is compared with packages of npm; in C with the C library:
 * Emscripten's in wasm, and the system's for information. */

/** @typedef {import('../c-programs.js').Target} Target */
/** @typedef {import('./scenarios.js').Options} Options */

/**
 * @typedef {object} Setting
 * @property {string} what
 * @property {number} threads
 * @property {number} us of a section
 * @property {number} [readsIn100]
 * @property {import('../contended-run.js').ContendedRun['job']} [job] of each worker in JavaScript
 *
 * @typedef {{ counted?: string, leastRatio?: number }} Judging what is counted per second, and the least ratio to the best of the
 *     others
 */

/** The least ratio for "equal or ahead". */
export const EQUAL = 1;

/** @param {number} threads @param {number} us of a section @param {number} [readsIn100] @returns {Setting} */
export function setting(threads, us, readsIn100) {
    const reads = readsIn100 === undefined ? '' : `${readsIn100}% reads, `;
    return { what: `${threads} threads, ${reads}${us} µs`, threads, us, readsIn100 };
}

/**
 * @param {Judging & { keys: readonly string[], settings: readonly Setting[], where?: string }} family `keys` names
 *     the contestants, holdfast's first
 * @param {Options} options
 */
export async function contendInJs({ keys, settings, where = 'in JavaScript, ', ...judging }, options) {
    const { admitted, refused } = await admit(keys, ['shares']);
    const variants = settings.flatMap((one) =>
        admitted.map((contestant) => ({ setting: one, what: one.what, ...contestant })),
    );
    const { results, failed } = await contend(options.rounds, variants, ({ setting: one, key }) =>
        runContended({
            contestant: key,
            workers: one.threads,
            sectionMs: one.us / 1000,
            readsIn100: one.readsIn100,
            job: one.job,
            seconds: options.seconds / 2,
        }),
    );
    const measured = settings.map((one) => ({
        what: one.what,
        results: Object.fromEntries(
            results
                .filter((result) => result.setting === one)
                .map(({ title, runs }) => [title, runs.map(({ rates }) => rates)]),
        ),
    }));
    const cannot = Object.fromEntries([...failed, ...refused].map((other) => [other.name, other.cannot]));
    return gridFigures(measured, cannot, { ...judging, where });
}

/**
 * A full run also measures natively.
 * @typedef {Judging & { primitive: import('../c-programs.js').Primitive, all: readonly Setting[], quick: readonly
 *     Setting[], ratesOf?: (rates: number[]) => number[] }} FamilyInC `ratesOf`: computes the rates to judge from the
 *     threads' rates; by default the same
 * @param {FamilyInC} family @param {Options} options
 */
export async function contendInC(family, options) {
    const wasm = await gridInC('wasm', family, options);
    return options.full ? [...wasm, ...(await gridInC('native', family, options))] : wasm;
}

/** @param {Target} target @param {FamilyInC} family @param {Options} options */
async function gridInC(target, family, { full, rounds, seconds }) {
    const { primitive, all, quick, ratesOf = (rates) => rates, ...judging } = family;
    const contestants = await contestantsInC(target, primitive);
    const measured = [];
    for (const { what, threads, us, readsIn100 } of full ? all : quick) {
        const load = { rounds, threads, sectionMicroseconds: us, readsIn100, seconds: seconds / 2 };
        const results = await runAble(target, primitive, load, contestants);
        measured.push({
            what,
            results: Object.fromEntries(
                Object.entries(results).map(([name, runs]) => [name, runs.map(ratesOf)]),
            ),
        });
    }
    const cannot = Object.entries(contestants).flatMap(([name, one]) =>
        one.cannot === undefined ? [] : [[name, one.cannot]],
    );
    const where = target === 'wasm' ? 'in C, ' : 'in native C, ';
    return gridFigures(measured, Object.fromEntries(cannot), {
        ...judging,
        where,
        bounded: target === 'wasm',
    });
}

/**
 * Runs the rounds of a setting. A rival that fails drops out; if holdfast fails, this throws.
 * @param {Target} target @param {FamilyInC['primitive']} primitive
 * @param {Omit<Parameters<typeof runRoundsInC>[2], 'contestants'>} load
 * @param {Record<string, { cannot?: string }>} contestants @returns {ReturnType<typeof runRoundsInC>}
 */
async function runAble(target, primitive, load, contestants) {
    const able = Object.keys(contestants).filter((name) => contestants[name]?.cannot === undefined);
    try {
        return await runRoundsInC(target, primitive, { ...load, contestants: able });
    } catch (error) {
        if (!(error instanceof FailedContestantError) || error.contestant === 'holdfast') {
            throw error;
        }
        contestants[error.contestant] = { cannot: error.message };
        return runAble(target, primitive, load, contestants);
    }
}
