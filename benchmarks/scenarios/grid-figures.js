/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { atLeast, figureOf, withAbsent } from '../figures.js';
import { evenness, median, throughput } from '../rounds.js';

/* Judges contended throughput: from settings and contestants to figures. */

/**
 * @typedef {object} Setting
 * @property {string} what for example '4 threads, 5 µs'
 * @property {Record<string, Rates[]>} results by contestant and round
 *
 * @typedef {number[]} Rates sections per second, by thread
 * @typedef {object} Options
 * @property {string} [where] where all was measured, for example 'in C, '
 * @property {boolean} [bounded] false if the figures are for information only
 * @property {string} [counted] what is counted per second
 * @property {number} [leastRatio]
 */

const LEAST_RATIO = 0.9;
const LEAST_SHARE_AHEAD = 0.8;

/** If a contestant's slowest thread has a smaller share of its fastest thread's sections, it starves threads. */
const STARVING = 0.5;

const HOLDFAST = 'holdfast';

/** The best rival in the setting, if there is one. @param {Setting} setting */
function bestRival({ results }) {
    const rivals = Object.entries(results)
        .filter(([name]) => name !== HOLDFAST)
        .map(([name, rounds]) => ({
            name,
            rounds: rounds.map(throughput),
            evenness: median(rounds.map(evenness)),
        }));
    return rivals.sort((one, other) => median(other.rounds) - median(one.rounds))[0];
}

/**
 * @typedef {object} Judged
 * @property {import('../figures.js').Figure} figure of a setting
 * @property {boolean} starves whether the best rival starves a thread
 * @param {Setting} setting @param {Required<Options>} options @returns {Judged}
 */
function judge(setting, { where, bounded, counted, leastRatio }) {
    const what = `${where}${setting.what}: ${counted}`;
    const ours = (setting.results[HOLDFAST] ?? []).map(throughput);
    const best = bestRival(setting);
    if (best === undefined) {
        return { figure: figureOf(what, '/s', ours), starves: false };
    }
    const starves = best.evenness < STARVING;
    const name = starves
        ? `${best.name}, its slowest thread ${best.evenness.toFixed(2)} of its fastest`
        : best.name;
    const bound = bounded ? atLeast(leastRatio) : undefined;
    return { figure: figureOf(what, '/s', ours, { name, rounds: best.rounds }, bound), starves };
}

/**
 * @param {readonly Setting[]} settings
 * @param {Record<string, string>} cannot why a contestant takes no part, by its name @param {Options} [options]
 * @returns {import('../figures.js').Figure[]}
 */
export function gridFigures(
    settings,
    cannot,
    { where = '', bounded = true, counted = 'sections of all threads', leastRatio = LEAST_RATIO } = {},
) {
    const options = { where, bounded, counted, leastRatio };
    const judged = settings.map((setting) => judge(setting, options));
    const figures = judged.map(({ figure }) => figure);
    const compared = judged.filter(({ figure }) => figure.ratio !== undefined);
    if (compared.length > 1) {
        const ahead = compared.filter(({ figure: { ratio = NaN }, starves }) => ratio >= 1 || starves);
        const among = `${where}of ${compared.length} settings, those with a ratio of 1 at least`;
        figures.push({
            what: `${among}, or where who is ahead starves a thread, so has not won`,
            unit: '',
            value: ahead.length / compared.length,
            ...(bounded && { bound: { of: 'value', least: LEAST_SHARE_AHEAD } }),
        });
    }
    const absent = Object.entries(cannot).map(([name, reason]) => ({ name, cannot: reason }));
    return withAbsent(figures, absent);
}
