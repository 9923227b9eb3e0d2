/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { openHoldfast, openTextbook } from '../contestants.js';
import { takeTurns } from './turns.js';

/* A loop a contestant, as in uncontended.js and for the same reason. */

/**
 * @param {import('../../js-glue/index.js').Mutex} mutex
 * @param {number} times
 */
async function executeHoldfast(mutex, times) {
    let count = 0;
    while (count < times) {
        const value = count;
        count = (await mutex.executeLocked(() => value)) + 1;
    }
    return count;
}

/**
 * @param {import('../rivals/textbook-lock.js').TextbookLock} lock
 * @param {number} times
 */
async function executeTextbook(lock, times) {
    let count = 0;
    while (count < times) {
        const value = count;
        count = (await lock.executeLocked(() => value)) + 1;
    }
    return count;
}

/**
 * @param {import('../rivals/textbook-lock.js').TextbookLock} lock
 * @param {number} times
 */
async function executeTextbookUntilSettled(lock, times) {
    let count = 0;
    while (count < times) {
        const value = count;
        count = (await lock.executeUntilSettled(() => value)) + 1;
    }
    return count;
}

/**
 * The same loop without a lock: what no contestant can be faster than.
 *
 * @param {number} times
 */
async function awaitNothing(times) {
    let count = 0;
    while (count < times) {
        const value = count;
        const callback = () => value;
        count = (await Promise.resolve(callback())) + 1;
    }
    return count;
}

const TIMES_A_LOOP = 2_000;

/**
 * @param {(times: number) => Promise<number>} loop
 * @param {number} milliseconds
 * @returns {Promise<number>} ns a section
 */
async function timed(loop, milliseconds) {
    const start = performance.now();
    let count = 0;
    let now = start;
    while (now < start + milliseconds) {
        count += await loop(TIMES_A_LOOP);
        now = performance.now();
    }
    return ((now - start) * 1e6) / count;
}

/**
 * Awaits short sections of a free lock, one after the other.
 *
 * @param {object} task
 * @param {import('../arena.js').Arena} task.arena
 * @param {{ turns: number, milliseconds: number }} task.options
 * @returns {Promise<Record<'holdfast' | 'textbook' | 'settling' | 'bare', number[]>>} ns a section, by turn
 */
export async function execute({ arena, options: { turns, milliseconds } }) {
    const mutex = openHoldfast(arena);
    const textbook = openTextbook(arena);
    return takeTurns(turns, {
        bare: () => timed(awaitNothing, milliseconds),
        holdfast: () => timed((times) => executeHoldfast(mutex, times), milliseconds),
        textbook: () => timed((times) => executeTextbook(textbook, times), milliseconds),
        settling: () => timed((times) => executeTextbookUntilSettled(textbook, times), milliseconds),
    });
}
