/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { makeArena } from '../arena.js';
import { gather } from '../crew.js';
import { WARM_UP_TURNS } from '../jobs/turns.js';
import { median, medianRatio } from '../rounds.js';
import { watched } from '../watchdog.js';

/** Contestants take turns quickly here, so that a disturbance of the machine seldom falls on one only. */
const TURN_MILLISECONDS = 10;

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
    const turns = Math.ceil((rounds * Math.min(seconds, MOST_SECONDS) * 1000) / TURN_MILLISECONDS);
    const options = { turns, milliseconds: TURN_MILLISECONDS };
    return watched(job, arena, (4 * (turns + WARM_UP_TURNS) * TURN_MILLISECONDS) / 1000, async () => {
        const crew = await gather([{ job, arena, thread: 0, options }]);
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
