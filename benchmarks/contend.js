/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { runInTurns } from './rounds.js';

/** The errors of runs with a broken lock. By name, since errors of workers arrive as copies. */
const FAILURES = ['HungError', 'LostUpdateError'];

/** @typedef {{ what: string, key: string, title: string }} Entry a contestant, and what it takes part in */

/**
 * Runs every contestant once per round, one after the other. A rival that lets two threads in, or hangs, drops out; if
 * holdfast does, this throws.
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
    const runs = await runInTurns(rounds, variants, async (variant) => {
        const { what, key, title } = variant;
        if (failures.has(title)) {
            return [];
        }
        try {
            return [await run(variant)];
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
        results: runs
            .filter(({ title }) => !failures.has(title))
            .map((result) => ({ ...result, runs: result.runs.flat() })),
        failed: [...failures].map(([name, cannot]) => ({ name, cannot })),
    };
}
