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

/** The errors of runs with a broken lock. By name, since errors of workers arrive as copies. */
const FAILURES = ['HungError', 'LostUpdateError'];

/** @typedef {{ what: string, key: string, title: string }} Entry a contestant, and what it takes part in */

/**
 * The same for contestants. A rival that lets two threads in, or hangs, drops out; if holdfast does, this throws.
 * @template {Entry} Variant
 * @template T
 * @param {number} rounds @param {readonly Variant[]} variants holdfast's first
 * @param {(variant: Variant) => Promise<T>} run
 * @returns {Promise<{ results: (Variant & { runs: T[] })[], failed: { name: string, cannot: string }[] }>} the results
 *     of contestants that have not failed, and the others' failures
 */
export async function contend(rounds, variants, run) {
    const ours = variants[0]?.key;
    /** @type {Map<string, string>} by title */
    const failures = new Map();
    const results = await runInTurns(rounds, variants, async (variant) => {
        const { what, key, title } = variant;
        try {
            return failures.has(title) ? [] : [await run(variant)];
        } catch (error) {
            const { name, message } = /** @type {Error} */ (error);
            if (key === ours || !FAILURES.includes(name)) {
                throw error;
            }
            failures.set(title, `${what}: ${message}`);
            return [];
        }
    });
    return {
        results: results
            .filter(({ title }) => !failures.has(title))
            .map((result) => ({ ...result, runs: result.runs.flat() })),
        failed: [...failures].map(([name, cannot]) => ({ name, cannot })),
    };
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

/** @param {{ rates: readonly number[] }} run @returns {number} sections per second of all threads */
export function throughput({ rates }) {
    return rates.reduce((sum, rate) => sum + rate, 0);
}

/** @param {{ rates: readonly number[] }} run @returns {number} the fewest sections of a thread, divided by the most */
export function evenness({ rates }) {
    return Math.min(...rates) / Math.max(...rates);
}
