/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { parentPort, workerData } from 'node:worker_threads';
import { reach, work } from '../board.js';

/* As hammer.js, through this thread's event loop; without waitAsync if it `polls`. */

/**
 * @typedef {object} HammerOptions
 * @property {import('../../../js-glue/index.js').HandleOf<import('../../../js-glue/index.js').Mutex>} handle
 * @property {Int32Array} board
 * @property {number} ready stage
 * @property {number} stop stage
 * @property {Int32Array} counts
 * @property {number} index this thread's in counts
 * @property {number} section milliseconds
 * @property {boolean} polls
 */

const { handle, board, ready, stop, counts, index, section, polls } = /** @type {HammerOptions} */ (
    workerData
);
if (polls) {
    Reflect.deleteProperty(Atomics, 'waitAsync');
}
const { Mutex, support } = await import('../../../js-glue/index.js');

const mutex = Mutex.from(handle);
reach(board, ready);
while (Atomics.load(board, stop) === 0) {
    await mutex.execAsync(() => work(section));
    Atomics.add(counts, index, 1);
}
parentPort?.postMessage({
    sections: Atomics.load(counts, index),
    asyncWait: support().asyncWait,
    timersLeft: process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length,
});
