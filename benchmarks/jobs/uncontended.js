/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { openHoldfast, openTextbook, openThreeState } from '../contestants.js';
import { takeTurns } from './turns.js';

/* A loop a contestant, each in a function of its own: the engine then compiles each for its one class, and
 * inlines as much as it would in a program that uses only that. */

/**
 * @param {import('../../js-glue/index.js').Mutex} mutex
 * @param {number} times
 */
function lockHoldfast(mutex, times) {
    let count = 0;
    while (count < times) {
        mutex.lock();
        count += 1;
        mutex.unlock();
    }
    return count;
}

/**
 * @param {import('../../js-glue/index.js').Mutex} mutex
 * @param {number} times
 */
function tryLockHoldfast(mutex, times) {
    let count = 0;
    while (count < times && mutex.tryLock()) {
        count += 1;
        mutex.unlock();
    }
    return count;
}

/**
 * @param {import('../rivals/textbook-lock.js').TextbookLock} lock
 * @param {number} times
 */
function lockTextbook(lock, times) {
    let count = 0;
    while (count < times) {
        lock.lock();
        count += 1;
        lock.unlock();
    }
    return count;
}

/**
 * @param {import('../rivals/three-state-futex.js').ThreeStateFutex} lock
 * @param {number} times
 */
function lockThreeState(lock, times) {
    let count = 0;
    while (count < times) {
        lock.lock();
        count += 1;
        lock.unlock();
    }
    return count;
}

/** Long enough that reading the clock costs nothing, short enough to end on time. */
const TIMES_A_LOOP = 5_000;

/**
 * @param {(times: number) => number} loop
 * @param {number} milliseconds
 * @returns {number} ns for one pair
 */
function timed(loop, milliseconds) {
    const start = performance.now();
    let count = 0;
    let now = start;
    while (now < start + milliseconds) {
        count += loop(TIMES_A_LOOP);
        now = performance.now();
    }
    return ((now - start) * 1e6) / count;
}

/**
 * Locks and unlocks with nobody else there. All contestants use the same word: 0 there, which each leaves
 * behind, is unlocked for all.
 *
 * @param {object} task
 * @param {import('../arena.js').Arena} task.arena
 * @param {{ turns: number, milliseconds: number }} task.options
 * @returns {Promise<Record<'holdfast' | 'textbook' | 'threeState' | 'tryLock', number[]>>} ns a pair, by turn
 */
export async function uncontended({ arena, options: { turns, milliseconds } }) {
    const mutex = openHoldfast(arena);
    const textbook = openTextbook(arena);
    const threeState = openThreeState(arena);
    return takeTurns(turns, {
        holdfast: () => timed((times) => lockHoldfast(mutex, times), milliseconds),
        textbook: () => timed((times) => lockTextbook(textbook, times), milliseconds),
        threeState: () => timed((times) => lockThreeState(threeState, times), milliseconds),
        tryLock: () => timed((times) => tryLockHoldfast(mutex, times), milliseconds),
    });
}
