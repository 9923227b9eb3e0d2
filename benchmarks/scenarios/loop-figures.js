/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { makeArena } from '../arena.js';
import { gather } from '../crew.js';
import { median, medianRatio } from '../rounds.js';
import { watched } from '../watchdog.js';

/** A loop needs less time than threads that contend until its speed is known. */
const MOST_SECONDS = 0.15;

/**
 * Runs a job of uncontended loops in one worker.
 *
 * @template {'uncontended' | 'execute'} J
 * @param {J} job
 * @param {import('./scenarios.js').Options} options
 */
export async function runLoops(job, { rounds, seconds }) {
    const arena = makeArena(1);
    const milliseconds = Math.min(seconds, MOST_SECONDS) * 1000;
    return watched(job, arena, (milliseconds * (rounds + 1) * 4) / 1000, async () => {
        const crew = await gather([{ job, arena, thread: 0, options: { rounds, milliseconds } }]);
        crew.go();
        const [result] = await crew.ended;
        if (result === undefined) {
            throw new Error(`${job} gave no result`);
        }
        return result;
    });
}

/**
 * @param {string} what
 * @param {number[]} nanoseconds
 * @param {{ name: string, nanoseconds: number[], most?: number }} rival
 * @returns {import('../figures.js').Figure}
 */
export function compare(what, nanoseconds, { name, nanoseconds: theirs, most }) {
    return {
        what,
        unit: 'ns',
        value: median(nanoseconds),
        beside: { name, value: median(theirs) },
        ratio: medianRatio(nanoseconds, theirs),
        ...(most !== undefined && { bound: { of: /** @type {const} */ ('ratio'), most } }),
    };
}
