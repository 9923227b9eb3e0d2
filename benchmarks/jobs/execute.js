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
 * The same, but only the last of all is awaited.
 *
 * @param {{ executeLocked<T>(callback: () => T): Promise<T> }} lock
 * @param {number} times
 */
async function awaitLast(lock, times) {
    let count = 0;
    const section = () => {
        count += 1;
    };
    for (let time = 1; time < times; time += 1) {
        lock.executeLocked(section);
    }
    await lock.executeLocked(section);
    return count;
}

/**
 * @typedef {object} Task
 * @property {import('../arena.js').Arena} arena
 * @property {number} thread
 * @property {import('./turns.js').Turns & { contestant: string }} options
 */

/**
 * @param {Task} task
 * @param {typeof awaitEach} loop
 * @returns {Promise<number[]>} ns a section, by turn
 */
async function repeat({ arena, thread, options }, loop) {
    const lock = /** @type {any} */ (await openLock(options.contestant, arena));
    return takeTurns(arena, thread, options, () => timed(options.milliseconds, (times) => loop(lock, times)));
}

/**
 * Awaits short sections of a free lock, one after the other.
 *
 * @param {Task} task
 */
export function execute(task) {
    return repeat(task, awaitEach);
}

/**
 * Asks for short sections of a free lock, and awaits only the last of many.
 *
 * @param {Task} task
 */
export function executeMany(task) {
    return repeat(task, awaitLast);
}
