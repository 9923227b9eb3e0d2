/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { parentPort, workerData } from 'node:worker_threads';
import { Condition, RecursiveMutex } from '../../../js-glue/index.js';
import { reach } from '../board.js';

/* Does its task with a recursive mutex, and posts the result. */

const { handle, condition, board, task, times = 0 } = workerData;
const mutex = RecursiveMutex.from(handle);

/** The call's result, or its error's code. @param {() => unknown} call */
function outcomeOf(call) {
    try {
        return call();
    } catch (error) {
        return /** @type {{ code?: string }} */ (error).code ?? String(error);
    }
}

/** @param {Uint32Array} counts two counters that differ only during a section @param {number} depth */
function countAt(counts, depth) {
    mutex.exec(() => {
        if (depth > 1) {
            countAt(counts, depth - 1);
        } else {
            counts[0] = (counts[0] ?? 0) + 1;
            counts[1] = (counts[1] ?? 0) + 1;
        }
    });
}

/** @type {Record<string, () => unknown>} */
const TASKS = {
    looks: () => ({
        depth: mutex.depth,
        tried: mutex.tryLock(),
        waited: mutex.tryLock(5),
        unlocked: outcomeOf(() => mutex.unlock()),
    }),
    counts() {
        for (let round = 0; round < times; round += 1) {
            countAt(new Uint32Array(board.buffer), 1 + (round % 4));
        }
        return mutex.depth;
    },
    notifies() {
        mutex.lock();
        mutex.lock();
        reach(board, 0);
        Condition.from(condition).notify();
        mutex.unlock();
        mutex.unlock();
        return mutex.depth;
    },
    blocks() {
        reach(board, 0);
        mutex.lock();
        const { depth } = mutex;
        mutex.unlock();
        return depth;
    },
};

parentPort?.postMessage(TASKS[task]?.());
