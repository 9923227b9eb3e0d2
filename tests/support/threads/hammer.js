/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { parentPort, workerData } from 'node:worker_threads';
import { Mutex } from '../../../js-glue/index.js';
import { reach, work } from '../board.js';

/* Locks again and again until stage `stop`, and counts its sections where other threads can see it. */

/**
 * @typedef {object} HammerOptions
 * @property {import('../../../js-glue/index.js').HandleOf<import('../../../js-glue/index.js').Mutex>} handle
 * @property {Int32Array} board
 * @property {number} ready stage
 * @property {number} stop stage
 * @property {Int32Array} counts
 * @property {number} index this thread's in counts
 * @property {number} section milliseconds
 */

const { handle, board, ready, stop, counts, index, section } = /** @type {HammerOptions} */ (workerData);
const mutex = Mutex.from(handle);
/** How many sections of other threads overtook each wait. @type {number[]} */
const overtaken = [];

function sectionsOfOthers() {
    let sum = 0;
    for (let other = 0; other < counts.length; other += 1) {
        sum += other === index ? 0 : Atomics.load(counts, other);
    }
    return sum;
}

reach(board, ready);
while (Atomics.load(board, stop) === 0) {
    const before = sectionsOfOthers();
    mutex.lock();
    overtaken.push(sectionsOfOthers() - before);
    work(section);
    mutex.unlock();
    Atomics.add(counts, index, 1);
}
overtaken.sort((a, b) => b - a);
parentPort?.postMessage({ sections: Atomics.load(counts, index), overtaken });
