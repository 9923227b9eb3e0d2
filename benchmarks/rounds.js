/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
/* Rounds and medians. The machine's speed changes while a benchmark runs, so contestants take turns: compared values were
 * measured at almost the same time. */

/**
 * Runs every variant once per round, one after the other.
 * @template Variant
 * @template T
 * @param {number} rounds @param {readonly Variant[]} variants @param {(variant: Variant) => T | Promise<T>} run
 * @returns {Promise<(Variant & { runs: T[] })[]>} each variant with the results of its rounds
 */
export async function runInTurns(rounds, variants, run) {
    const results = variants.map((variant) => ({ ...variant, runs: /** @type {T[]} */ ([]) }));
    for (let round = 0; round < rounds; round += 1) {
        for (const result of results) {
            result.runs.push(await run(result));
        }
    }
    return results;
}

/**
 * Runs every named variant once per round, one after the other.
 * @template {string} Name
 * @template T
 * @param {number} rounds @param {Record<Name, () => T | Promise<T>>} variants
 * @returns {Promise<Record<Name, T[]>>} for each variant, the results of its rounds
 */
export async function interleave(rounds, variants) {
    const names = /** @type {Name[]} */ (Object.keys(variants));
    const results = await runInTurns(
        rounds,
        names.map((name) => ({ name })),
        ({ name }) => variants[name](),
    );
    return /** @type {Record<Name, T[]>} */ (
        Object.fromEntries(results.map(({ name, runs }) => [name, runs]))
    );
}

/**
 * The smallest value that the given fraction of all values does not exceed.
 * @param {readonly number[]} values @param {number} fraction
 */
export function quantile(values, fraction) {
    const sorted = Float64Array.from(values).sort();
    return sorted[Math.max(0, Math.ceil(sorted.length * fraction) - 1)] ?? NaN;
}

/** @param {readonly number[]} values */
export function median(values) {
    return (quantile(values, 0.5) + quantile(values, 0.5 + 0.5 / values.length)) / 2;
}

/**
 * The median of the ratios of values that were measured one after the other.
 * @param {readonly number[]} values @param {readonly number[]} others
 */
export function medianRatio(values, others) {
    return median(values.map((value, round) => value / (others[round] ?? NaN)));
}

/* Speeds of the threads of a run: sections per second, by thread. */

/** @param {readonly number[]} rates @returns {number} sections per second of all threads */
export function throughput(rates) {
    return rates.reduce((sum, rate) => sum + rate, 0);
}

/** @param {readonly number[]} rates @returns {number} the fewest sections of a thread, divided by the most */
export function evenness(rates) {
    return Math.min(...rates) / Math.max(...rates);
}
