/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { parentPort, workerData } from 'node:worker_threads';
import { debug } from '../../../js-glue/debug.js';
import {
    Barrier,
    Condition,
    CountingSemaphore,
    Event,
    Latch,
    LockSpace,
    Mutex,
    RwLock,
} from '../../../js-glue/index.js';
import { reach } from '../board.js';

/* Holds a mutex by a section, and blocks in it `times` times for another object. Posts how each wait ended. */

const { handle, kind, times, board } = workerData;
debug();
const space = LockSpace.from(handle);
const other = Mutex.named(space, 'other');

/** @type {Record<string, () => unknown>} */
const WAITS = {
    lock: () => Mutex.named(space, 'lock').lock(),
    'tryLock with a time limit': () => Mutex.named(space, 'lock').tryLock(60_000),
    lockShared: () => RwLock.named(space, 'book').lockShared(),
    enter: () => CountingSemaphore.named(space, 'permits', { initial: 0, max: 1 }).enter(),
    'wait for a condition': () => Condition.named(space, 'changed').wait(other),
    'wait for an event': () => Event.named(space, 'event').wait(),
    'wait for a latch': () => Latch.named(space, 'latch', { count: 1 }).wait(),
    'arrive at a barrier': () => Barrier.named(space, 'barrier', { parties: 2 }).arriveAndWait(),
};

const ends = [];
try {
    other.exec(() => {
        reach(board, 0);
        for (let time = 0; time < times; time += 1) {
            try {
                WAITS[kind]?.();
                ends.push('got it');
            } catch (error) {
                ends.push(/** @type {any} */ (error).code);
            }
        }
    });
} catch (error) {
    ends.push(/** @type {any} */ (error).code);
}
const isFree = other.tryLock();
if (isFree) {
    other.unlock();
}
parentPort?.postMessage({ ends, isFree });
