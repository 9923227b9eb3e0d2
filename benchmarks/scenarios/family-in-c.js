/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { contestantsInC, FailedContestantError, runRoundsInC, runUncontendedInC } from '../c-programs.js';
import { atMost } from '../figures.js';
import { interleave } from '../rounds.js';
import { gridFigures } from './grid-figures.js';
import { loopTurns } from './loop-turns.js';
import { pairFigures } from './pair-figures.js';

/* Primitives other than the mutex, in C, beside those of the C library: of Emscripten's in wasm, and of the system's for information. */

/** @typedef {import('../c-programs.js').Target} Target */
/** @typedef {import('../c-programs.js').Primitive} Primitive */
/** @typedef {import('./scenarios.js').Options} Options */

/**
 * @typedef {object} Setting
 * @property {string} what
 * @property {number} threads
 * @property {number} [sectionMicroseconds]
 * @property {number} [readsIn100]
 *
 * @typedef {object} Family
 * @property {Primitive} primitive
 * @property {string} counted what is so many a second
 * @property {(rates: number[]) => number[]} [ratesOf] what counts of the threads' rates; those by default
 * @property {readonly Setting[]} all
 * @property {readonly Setting[]} quick
 */

const PLACES = { wasm: 'in C', native: 'in native C' };

/** "Equal or ahead". */
const LEAST_RATIO = 1;

/**
 * The rounds of a setting. A contestant that fails takes no further part, but holdfast must not.
 *
 * @param {Target} target
 * @param {Primitive} primitive
 * @param {Parameters<typeof runRoundsInC>[2]} load
 * @param {Map<string, string>} failures by contestant
 * @returns {ReturnType<typeof runRoundsInC>}
 */
async function runRounds(target, primitive, load, failures) {
    const contestants = load.contestants.filter((name) => !failures.has(name));
    try {
        return await runRoundsInC(target, primitive, { ...load, contestants });
    } catch (error) {
        if (!(error instanceof FailedContestantError) || error.contestant === 'holdfast') {
            throw error;
        }
        failures.set(error.contestant, error.message);
        return runRounds(target, primitive, load, failures);
    }
}

/**
 * @param {Target} target
 * @param {Family} family
 * @param {Options} options
 */
async function runGrid(target, { primitive, counted, ratesOf = (rates) => rates, all, quick }, options) {
    const contestants = Object.keys(await contestantsInC(target, primitive));
    /** @type {Map<string, string>} */
    const failures = new Map();
    const settings = [];
    for (const { what, threads, sectionMicroseconds = 0, readsIn100 } of options.full ? all : quick) {
        const load = { contestants, rounds: options.rounds, threads, sectionMicroseconds, readsIn100 };
        const seconds = options.seconds / 2;
        const results = await runRounds(target, primitive, { ...load, seconds }, failures);
        settings.push({
            what,
            threads,
            panel: PLACES[target],
            results: Object.fromEntries(
                Object.entries(results).map(([name, rounds]) => [name, rounds.map(ratesOf)]),
            ),
        });
    }
    return gridFigures(settings, Object.fromEntries(failures), {
        where: `${PLACES[target]}, `,
        bounded: target === 'wasm',
        counted,
        leastRatio: LEAST_RATIO,
    }).figures;
}

/**
 * Threads in C that use it again and again.
 *
 * @param {Family} family
 * @param {Options} options
 */
export async function contendInC(family, options) {
    const wasm = await runGrid('wasm', family, options);
    return options.full ? [...wasm, ...(await runGrid('native', family, options))] : wasm;
}

/**
 * A pair of calls needs fewer rounds than threads that contend, of which some meet and some do not.
 *
 * @param {Options} options
 * @returns {Options}
 */
export function inBrief(options) {
    return options.full ? options : { ...options, rounds: 1 };
}

/**
 * A pair of calls in C with nobody else there.
 *
 * @param {Primitive} primitive
 * @param {string} pair
 * @param {Options} options
 * @param {0 | 100} [readsIn100]
 */
export async function pairInC(primitive, pair, options, readsIn100) {
    const turns = { ...loopTurns(options), primitive, readsIn100 };
    const { wasm, native } = await interleave(inBrief(options).rounds, {
        wasm: () => runUncontendedInC('wasm', turns),
        native: () => (options.full ? runUncontendedInC('native', turns) : undefined),
    });
    const rivals = Object.keys(await contestantsInC('wasm', primitive));
    const bounds = Object.fromEntries(rivals.map((name) => [name, atMost(1)]));
    return [
        ...pairFigures(`in C, ${pair}`, present(wasm), bounds),
        ...(options.full ? pairFigures(`in native C, ${pair}`, present(native), {}) : []),
    ];
}

/** @template T @param {readonly (T | undefined)[]} values */
function present(values) {
    return values.flatMap((value) => (value === undefined ? [] : [value]));
}
