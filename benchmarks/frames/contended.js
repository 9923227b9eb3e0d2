/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { FailedContestantError, runInC } from '../c-programs.js';
import { admit } from '../contestants.js';
import { runContended } from '../contended-run.js';
import { atLeast, figureOf, valueAtLeast, withAbsent } from '../figures.js';
import { contend, evenness, median, throughput } from '../rounds.js';

/* Threads that use a primitive again and again, in several settings. In JavaScript it is compared with packages of npm; in C with
 * the C library: Emscripten's in wasm, and the system's for information. */

/** @typedef {import('../c-programs.js').Target} Target */
/** @typedef {import('../scenarios.js').Options} Options */

/**
 * @typedef {object} Setting
 * @property {string} what for example '4 threads, 5 µs'
 * @property {number} threads
 * @property {number} us of a section
 * @property {number} [readsIn100]
 * @property {import('../contended-run.js').ContendedRun['jobs']} [jobs] of the workers in JavaScript
 *
 * @typedef {object} Judging
 * @property {string} [where] where all was measured, for example 'in C, '
 * @property {boolean} [bounded] false if the figures are for information only
 * @property {string} [counted] what is counted per second
 * @property {number} [leastRatio] to the best of the others
 *
 * @typedef {{ rates: number[] }} Rated sections per second, by thread
 * @typedef {{ what: string, results: { title: string, runs: readonly Rated[] }[] }} Measured a setting
 */

/** The least ratio for "equal or ahead". */
export const EQUAL = 1;

/** @param {number} threads @param {number} us of a section @param {number} [readsIn100] @returns {Setting} */
export function setting(threads, us, readsIn100) {
    const reads = readsIn100 === undefined ? '' : `${readsIn100}% reads, `;
    return { what: `${threads} threads, ${reads}${us} µs`, threads, us, readsIn100 };
}

/**
 * @param {Judging & { keys: readonly string[], settings: readonly Setting[] }} family `keys` names the contestants, holdfast's first
 * @param {Options} options
 */
export async function contendInJs({ keys, settings, where = 'in JavaScript, ', ...judging }, options) {
    const { admitted, refused } = await admit(keys, ['shares']);
    const variants = settings.flatMap((one) =>
        admitted.map((contestant) => ({ setting: one, what: one.what, ...contestant })),
    );
    const { results, failed } = await contend(
        options.rounds,
        variants,
        ({ setting: { threads: workers, us, readsIn100, jobs }, key: contestant }) =>
            runContended({
                ...{ contestant, workers, readsIn100, jobs },
                sectionMs: us / 1000,
                seconds: options.seconds / 2,
            }),
    );
    const measured = settings.map((one) => ({
        what: one.what,
        results: results.filter((result) => result.setting === one),
    }));
    return gridFigures(measured, [...failed, ...refused], { ...judging, where });
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
    const measured = [];
    /** @type {Map<string, string>} */
    const cannot = new Map();
    for (const { what, threads, us, readsIn100: amount } of full ? all : quick) {
        const load = { primitive, rounds, threads, us, amount, seconds: seconds / 2 };
        const results = await runAble(target, load, cannot);
        results.forEach((one) => void (one.cannot && cannot.set(one.title, one.cannot)));
        const able = results.filter((one) => one.cannot === undefined);
        measured.push({
            what,
            results: able.map(({ title, runs }) => ({
                title,
                runs: runs.map(({ rates }) => ({ rates: ratesOf(rates) })),
            })),
        });
    }
    const isWasm = target === 'wasm';
    const where = isWasm ? 'in C, ' : 'in native C, ';
    const absent = Array.from(cannot, ([name, reason]) => ({ name, cannot: reason }));
    return gridFigures(measured, absent, { ...judging, where, bounded: isWasm });
}

/**
 * Runs the rounds of a setting. A rival that fails drops out; if holdfast fails, this throws.
 * @param {Target} target
 * @param {Parameters<typeof runInC>[1]} load
 * @param {Map<string, string>} cannot why contestants take no part @returns {ReturnType<typeof runInC>}
 */
async function runAble(target, load, cannot) {
    try {
        return await runInC(target, { ...load, contestants: [...cannot.keys()].map((name) => `-${name}`) });
    } catch (error) {
        if (!(error instanceof FailedContestantError) || error.contestant === 'holdfast') {
            throw error;
        }
        cannot.set(error.contestant, error.message);
        return runAble(target, load, cannot);
    }
}

/* ---- From settings and contestants to figures ---- */

const LEAST_RATIO = 0.9;
const LEAST_SHARE_AHEAD = 0.8;

/** If a contestant's slowest thread has a smaller share of its fastest thread's sections, it starves threads. */
const STARVING = 0.5;

/**
 * @typedef {{ figure: import('../figures.js').Figure, starves: boolean }} Judged a setting; `starves`: whether the best rival starves
 *     a thread
 * @param {Measured} setting holdfast's results first @param {Required<Judging>} judging @returns {Judged}
 */
function judge({ what: setting, results: [ours, ...rivals] }, { where, bounded, counted, leastRatio }) {
    const what = `${where}${setting}: ${counted}`;
    const own = (ours?.runs ?? []).map(throughput);
    const [best] = rivals
        .map(({ title, runs }) => ({
            title,
            rounds: runs.map(throughput),
            evenness: median(runs.map(evenness)),
        }))
        .sort((one, other) => median(other.rounds) - median(one.rounds));
    if (best === undefined) {
        return { figure: figureOf(what, '/s', own), starves: false };
    }
    const starves = best.evenness < STARVING;
    const shares = starves ? `, its slowest thread ${best.evenness.toFixed(2)} of its fastest` : '';
    const other = { name: `${best.title}${shares}`, rounds: best.rounds };
    return { figure: figureOf(what, '/s', own, other, bounded ? atLeast(leastRatio) : undefined), starves };
}

/**
 * @param {readonly Measured[]} settings
 * @param {readonly { name: string, cannot: string }[]} absent why a contestant takes no part @param {Judging} [judging]
 * @returns {import('../figures.js').Figure[]}
 */
export function gridFigures(
    settings,
    absent,
    { where = '', bounded = true, counted = 'sections of all threads', leastRatio = LEAST_RATIO } = {},
) {
    const judged = settings.map((one) => judge(one, { where, bounded, counted, leastRatio }));
    const figures = judged.map(({ figure }) => figure);
    const compared = judged.filter(({ figure }) => figure.ratio !== undefined);
    if (compared.length > 1) {
        const ahead = compared.filter(({ figure: { ratio = NaN }, starves }) => ratio >= 1 || starves);
        const among = `${where}of ${compared.length} settings, those with a ratio of 1 at least`;
        figures.push({
            what: `${among}, or where who is ahead starves a thread, so has not won`,
            unit: '',
            value: ahead.length / compared.length,
            ...(bounded && { bound: valueAtLeast(LEAST_SHARE_AHEAD) }),
        });
    }
    return withAbsent(figures, absent);
}
