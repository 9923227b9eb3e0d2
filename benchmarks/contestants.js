/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { Mutex } from '../js-glue/index.js';
import { TextbookLock } from './rivals/textbook-lock.js';
import { ThreeStateFutex } from './rivals/three-state-futex.js';

/* The locks that are compared, by name, so that a worker can be told which one to use. */

/**
 * What harnesses need of a lock.
 *
 * @typedef {object} Lock
 * @property {() => void} lock
 * @property {() => void} unlock
 * @property {<T>(callback: () => T) => Promise<T>} executeLocked
 */

/** @param {import('./arena.js').Arena} arena */
export function openHoldfast({ memory, lock }) {
    return Mutex.at(memory, lock);
}

/** @param {import('./arena.js').Arena} arena */
export function openTextbook({ memory, lock }) {
    return new TextbookLock(new Int32Array(memory.buffer), lock / Int32Array.BYTES_PER_ELEMENT);
}

/** @param {import('./arena.js').Arena} arena */
export function openThreeState({ memory, lock }) {
    return new ThreeStateFutex(new Int32Array(memory.buffer), lock / Int32Array.BYTES_PER_ELEMENT);
}

/** Those that threads with an event loop can wait for. */
const open = { holdfast: openHoldfast, textbook: openTextbook };

/** @typedef {keyof typeof open} Contestant */

/** @type {readonly Contestant[]} */
export const CONTESTANTS = ['holdfast', 'textbook'];

/**
 * @param {Contestant} contestant
 * @param {import('./arena.js').Arena} arena
 * @returns {Lock}
 */
export function openLock(contestant, arena) {
    return open[contestant](arena);
}
