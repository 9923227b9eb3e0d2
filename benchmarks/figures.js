/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { median, medianRatio, quantile } from './rounds.js';

/* The result of a scenario: figures, each with a value to compare with and a bound; and series, the points of pictures. Both are
 * written to the JSON file unchanged. */

/**
 * @typedef {object} Bound
 * @property {'value' | 'ratio'} of
 * @property {number} [most]
 * @property {number} [least]
 * @property {string} [note] the condition under which the bound holds
 */

/**
 * @typedef {object} Beside the value that a figure is compared with
 * @property {string} name
 * @property {number} [value]
 * @property {Spread} [spread]
 * @property {string} [cannot] why there is no value
 */

/** @typedef {[number, number]} Spread the quartiles of the rounds */

/**
 * @typedef {object} Figure
 * @property {string} what
 * @property {string} unit
 * @property {number} value of holdfast; a median of rounds unless `what` says otherwise
 * @property {Spread} [spread]
 * @property {Beside} [beside]
 * @property {number} [ratio] the median of the rounds' ratios of the two values
 * @property {Bound} [bound] without one, the figure is for information
 */

/**
 * @typedef {object} Series of waits
 * @property {string} panel of the picture, for example '2 workers, 50 µs'
 * @property {string} contestant
 * @property {[number, number][]} points a fraction of the requests, and the ms within which it was answered
 */

/**
 * @typedef {object} Results
 * @property {Figure[]} figures
 * @property {Series[]} [series]
 */

/** @param {readonly number[]} rounds @returns {{ value: number, spread?: Spread }} */
function summary(rounds) {
    const value = median(rounds);
    return rounds.length > 1
        ? { value, spread: [quantile(rounds, 0.25), quantile(rounds, 0.75)] }
        : { value };
}

/**
 * Makes a figure of the results of rounds, beside the rounds of another contestant that took turns with them.
 * @param {string} what @param {string} unit @param {readonly number[]} rounds
 * @param {{ name: string, rounds?: readonly number[], cannot?: string }} [other] @param {Bound} [bound]
 * @returns {Figure}
 */
export function figureOf(what, unit, rounds, other, bound) {
    const figure = { what, unit, ...summary(rounds), ...(bound && { bound }) };
    if (other?.rounds === undefined) {
        return other === undefined ? figure : { ...figure, beside: other };
    }
    const { name, rounds: theirs } = other;
    return {
        ...figure,
        beside: { name, ...summary(theirs) },
        ratio: medianRatio(rounds, theirs),
    };
}

/**
 * Compares a quantity of the first contestant's runs with that of each other's. The bound is stated once.
 * @template Run
 * @param {string} what @param {string} unit @param {(run: Run) => number} of
 * @param {readonly { title: string, runs: readonly Run[] }[]} contestants @param {Bound} [bound]
 */
export function compare(what, unit, of, [ours, ...others], bound) {
    const rounds = (ours?.runs ?? []).map(of);
    const figures = others.map(({ title: name, runs }, index) =>
        figureOf(what, unit, rounds, { name, rounds: runs.map(of) }, index === 0 ? bound : undefined),
    );
    return others.length > 0 ? figures : [figureOf(what, unit, rounds, undefined, bound)];
}

/** The quantity of runs that are numbers. @param {number} run */
export const itself = (run) => run;

/**
 * Adds a row for each contestant that cannot take part.
 * @param {readonly Figure[]} figures @param {readonly { name: string, cannot: string }[]} absent @returns {Figure[]}
 */
export function withAbsent(figures, absent) {
    const [{ what = '', unit = '', value = NaN } = {}] = figures;
    return [...figures, ...absent.map((beside) => ({ what, unit, value, beside }))];
}

/* Bounds of the ratio, and of holdfast's value. */

/** @param {number} most @returns {Bound} */
export const atMost = (most) => ({ of: 'ratio', most });

/** @param {number} least @returns {Bound} */
export const atLeast = (least) => ({ of: 'ratio', least });

/** @param {number} most @param {string} [note] @returns {Bound} */
export const valueAtMost = (most, note) => ({ of: 'value', most, ...(note && { note }) });

/** @param {number} least @returns {Bound} */
export const valueAtLeast = (least) => ({ of: 'value', least });

/** @param {Figure} figure */
export function isMissed({ value, ratio, bound }) {
    if (bound === undefined) {
        return false;
    }
    const measured = (bound.of === 'value' ? value : ratio) ?? NaN;
    // Written so that NaN misses its bound too.
    return !(measured <= (bound.most ?? Infinity) && measured >= (bound.least ?? -Infinity));
}
