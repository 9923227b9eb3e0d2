/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { CONTROL, controlOf } from '../arena.js';
import { openLock } from '../contestants.js';

/* Loops of one thread without contention. All contestants use the same words: for each, 0 is unlocked, and each leaves 0
 * behind. */

/** The turns until the engine has compiled the loops, and the module's functions for the second time. */
export const WARM_UP_TURNS = 15;

/** Long enough that reading the clock costs nothing, short enough to end on time. */
const TIMES_A_LOOP = 2_000;

/** @param {{ lock(): void, unlock(): void }} lock @param {number} times */
export function lockAndUnlock(lock, times) {
    let count = 0;
    while (count < times) {
        lock.lock();
        count += 1;
        lock.unlock();
    }
    return count;
}

/** @param {{ lockShared(): void, unlockShared(): void }} lock @param {number} times */
function share(lock, times) {
    let count = 0;
    while (count < times) {
        lock.lockShared();
        count += 1;
        lock.unlockShared();
    }
    return count;
}

/** @param {{ execAsync<T>(callback: () => T): Promise<T> }} lock @param {number} times */
async function awaitEach(lock, times) {
    let count = 0;
    while (count < times) {
        const value = count;
        count = (await lock.execAsync(() => value)) + 1;
    }
    return count;
}

/** @param {{ execAsync<T>(callback: () => T): Promise<T> }} lock @param {number} times */
async function awaitLast(lock, times) {
    let count = 0;
    const section = () => {
        count += 1;
    };
    for (let time = 1; time < times; time += 1) {
        lock.execAsync(section);
    }
    await lock.execAsync(section);
    return count;
}

/** @type {Record<string, (lock: any, times: number) => number | Promise<number>>} each returns how often it did its operation */
const LOOPS = {
    pairs: lockAndUnlock,
    share,
    awaitEach,
    awaitLast,
};

/**
 * Lets the threads of a run measure one after the other, each asleep while the others measure. Each thread has an
 * engine of its own, so that none runs with the compiler's statistics of another.
 * @param {import('./jobs.js').TaskOf<{ loop: string, threads: number, turns: number, milliseconds: number }>} task the number of
 *     threads, the turns of each after some that do not count, and the length of one
 * @returns {Promise<number[]>} ns per operation, by turn
 */
export async function loops({ arena, thread, options }) {
    const { contestant, loop, threads, turns, milliseconds } = options;
    const lock = await openLock(contestant, arena);
    const repeat = /** @type {typeof LOOPS[string]} */ (LOOPS[loop]);
    const control = controlOf(arena);
    const results = [];
    for (let turn = 0; turn < WARM_UP_TURNS + turns; turn += 1) {
        const step = turn * threads + thread;
        for (let at = Atomics.load(control, CONTROL.STEP); at !== step;) {
            Atomics.wait(control, CONTROL.STEP, at);
            at = Atomics.load(control, CONTROL.STEP);
        }
        const start = performance.now();
        let count = 0;
        let now = start;
        while (now < start + milliseconds) {
            count += await repeat(lock, TIMES_A_LOOP);
            now = performance.now();
        }
        results.push(((now - start) * 1e6) / count);
        Atomics.add(control, CONTROL.STEP, 1);
        Atomics.notify(control, CONTROL.STEP);
    }
    return results.slice(WARM_UP_TURNS);
}
