/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { runInTurns } from './rounds.js';

/** Errors that runs of a broken lock end with. By name, since errors that workers throw arrive as copies. */
const FAILURES = ['HungError', 'LostUpdateError'];

/** @typedef {{ what: string, key: string, title: string }} Entry a contestant, and in what it takes part */

/**
 * Runs every contestant once a round, one after the other. A rival that lets two threads in, or hangs, takes no further part;
 * holdfast must not.
 *
 * @template {Entry} Variant
 * @template T
 * @param {number} rounds
 * @param {readonly Variant[]} variants holdfast's first
 * @param {(variant: Variant) => Promise<T>} run
 * @returns {Promise<{ results: (Variant & { runs: T[] })[], failed: { name: string, cannot: string }[] }>} of those
 *     that have not failed, and what was wrong with the others
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
