/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { CONTROL, controlOf } from '../arena.js';

/** Until the engine has compiled the loops, and the module's functions for the second time. */
export const WARM_UP_TURNS = 15;

/**
 * @typedef {object} Turns
 * @property {number} threads that take turns
 * @property {number} turns of each, after some that do not count
 * @property {number} milliseconds of one
 */

/**
 * Lets the threads of a run measure one after the other, each asleep while the others do. Each has an engine of its
 * own, so that none runs with what another has left in the compiler's statistics.
 *
 * @param {import('../arena.js').Arena} arena
 * @param {number} thread
 * @param {Turns} turns
 * @param {() => number | Promise<number>} measure
 */
export async function takeTurns(arena, thread, { threads, turns }, measure) {
    const control = controlOf(arena);
    const results = [];
    for (let turn = 0; turn < WARM_UP_TURNS + turns; turn += 1) {
        const step = turn * threads + thread;
        for (
            let now = Atomics.load(control, CONTROL.STEP);
            now !== step;
            now = Atomics.load(control, CONTROL.STEP)
        ) {
            Atomics.wait(control, CONTROL.STEP, now);
        }
        results.push(await measure());
        Atomics.add(control, CONTROL.STEP, 1);
        Atomics.notify(control, CONTROL.STEP);
    }
    return results.slice(WARM_UP_TURNS);
}

/** Long enough that reading the clock costs nothing, short enough to end on time. */
const TIMES_A_LOOP = 2_000;

/**
 * @param {number} milliseconds
 * @param {(times: number) => number | Promise<number>} loop that returns how often it did what is measured
 * @returns {Promise<number>} ns for each
 */
export async function timed(milliseconds, loop) {
    const start = performance.now();
    let count = 0;
    let now = start;
    while (now < start + milliseconds) {
        count += await loop(TIMES_A_LOOP);
        now = performance.now();
    }
    return ((now - start) * 1e6) / count;
}
