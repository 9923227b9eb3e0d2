/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { parentPort, workerData } from 'node:worker_threads';
import { BinarySemaphore, Condition, LockSpace, Mutex } from '../../js-glue/index.js';
import { blockUntilReached, reach } from '../support/board.js';

/* The other thread of smoke.js: does each posted task, and posts when the task is done. */

const { board, held, released, asks, word } = workerData;
const mutex = Mutex.from(workerData.mutex);
const semaphore = BinarySemaphore.from(workerData.semaphore);
const condition = Condition.from(workerData.condition);
const words = new Int32Array(LockSpace.from(workerData.space).buffer, word, 1);
let rounds = 0;

/** @type {Record<string, () => unknown>} */
const Tasks = {
    hold() {
        rounds += 1;
        mutex.lock();
        reach(board, held);
        blockUntilReached(board, released, rounds);
        mutex.unlock();
    },
    lock() {
        reach(board, asks);
        mutex.lock();
        mutex.unlock();
    },
    execAsync() {
        reach(board, asks);
        return mutex.execAsync(() => {});
    },
    enter() {
        reach(board, asks);
        semaphore.enter();
    },
    leave: () => semaphore.leave(),
    'set and notify': () =>
        mutex.exec(() => {
            words[0] = 1;
            condition.notify();
        }),
    wait: () =>
        mutex.exec(() => {
            reach(board, asks);
            condition.waitFor(mutex, { predicate: () => words[0] === 2 });
        }),
};

parentPort?.on('message', async (task) => {
    await Tasks[task]?.();
    parentPort?.postMessage(task);
});
