/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { openLock } from '../contestants.js';
import { takeTurns, timed } from './turns.js';

/**
 * @param {{ executeLocked<T>(callback: () => T): Promise<T> }} lock
 * @param {number} times
 */
async function awaitEach(lock, times) {
    let count = 0;
    while (count < times) {
        const value = count;
        count = (await lock.executeLocked(() => value)) + 1;
    }
    return count;
}

/**
 * Awaits short sections of a free lock, one after the other.
 *
 * @param {object} task
 * @param {import('../arena.js').Arena} task.arena
 * @param {number} task.thread
 * @param {import('./turns.js').Turns & { contestant: string }} task.options
 * @returns {Promise<number[]>} ns a section, by turn
 */
export async function execute({ arena, thread, options }) {
    const lock = /** @type {any} */ (await openLock(options.contestant, arena));
    return takeTurns(arena, thread, options, () =>
        timed(options.milliseconds, (times) => awaitEach(lock, times)),
    );
}
