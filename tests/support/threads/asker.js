/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { parentPort, workerData } from 'node:worker_threads';
import { CountingSemaphore, Mutex, RwLock } from '../../../js-glue/index.js';
import { reach } from '../board.js';

/* Asks for something again and again, in the way it is told, and posts how many rounds of others each ask saw. */

/**
 * @typedef {object} AskerOptions
 * @property {'mutex' | 'rwlock' | 'semaphore'} kind of the object
 * @property {any} handle
 * @property {'lock' | 'executeLocked' | 'execAsync'} ask
 * @property {Int32Array} board
 * @property {number} ready stage
 * @property {number} rounds of the others, in the board
 * @property {number} asks how many
 */

const { kind, handle, ask, board, ready, rounds, asks } = /** @type {AskerOptions} */ (workerData);

/** @type {Record<AskerOptions['kind'], () => any>} */
const OBJECTS = {
    mutex: () => Mutex.from(handle),
    rwlock: () => RwLock.from(handle),
    semaphore: () => CountingSemaphore.from(handle),
};
const object = OBJECTS[kind]();

/** @type {Record<AskerOptions['ask'], () => unknown>} */
const ASKS = {
    lock: () => object.exec(() => {}),
    executeLocked: () => object.executeLocked(() => {}),
    execAsync: () => object.execAsync(() => {}),
};

/** @type {number[]} */
const overtaken = [];
reach(board, ready);
for (let number = 0; number < asks; number += 1) {
    const before = Atomics.load(board, rounds);
    await ASKS[ask]();
    overtaken.push(Atomics.load(board, rounds) - before);
    await new Promise((resolve) => setTimeout(resolve, 1));
}
parentPort?.postMessage(overtaken);
