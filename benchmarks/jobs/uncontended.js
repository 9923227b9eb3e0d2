/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { openLock } from '../contestants.js';
import { takeTurns, timed } from './turns.js';

/**
 * @param {{ lock(): void, unlock(): void }} lock
 * @param {number} times
 */
export function lockAndUnlock(lock, times) {
    let count = 0;
    while (count < times) {
        lock.lock();
        count += 1;
        lock.unlock();
    }
    return count;
}

/**
 * @param {{ exec(callback: () => void): void }} lock
 * @param {number} times
 */
function execute(lock, times) {
    let count = 0;
    const section = () => {
        count += 1;
    };
    while (count < times) {
        lock.exec(section);
    }
    return count;
}

/**
 * Locks and unlocks with nobody else there. All contestants use the same words: 0 there, which each leaves
 * behind, is unlocked for all.
 *
 * @param {object} task
 * @param {import('../arena.js').Arena} task.arena
 * @param {number} task.thread
 * @param {import('./turns.js').Turns & { contestant: string }} task.options
 * @returns {Promise<number[]>} ns a pair, by turn
 */
export async function uncontended({ arena, thread, options }) {
    const lock = /** @type {any} */ (await openLock(options.contestant, arena));
    /** @param {number} times */
    const loop = (times) => (lock.lock ? lockAndUnlock(lock, times) : execute(lock, times));
    return takeTurns(arena, thread, options, () => timed(options.milliseconds, loop));
}
