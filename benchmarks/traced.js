/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { Mutex } from 'holdfast';
import { trace } from 'holdfast/trace';
import { lockAndUnlock } from './jobs/loops.js';

/** Enough calls for the engine to learn the shapes of the objects in the loop. */
const TIMES = 2_000;

/**
 * @param {string} title
 * @param {(mutex: Mutex, open: () => Mutex) => Mutex} [prepare] returns the object to measure, which is of the same
 *     lock
 * @returns {import('./contestants.js').Contestant}
 */
function tracing(title, prepare = (mutex) => mutex) {
    return {
        title,
        open({ memory, lock }) {
            const open = () => Mutex.at(memory, lock);
            return prepare(open(), open);
        },
    };
}

export const traceLoaded = tracing('with holdfast/trace loaded');

export const besideTraced = tracing('beside another object that is traced', (other, open) => {
    trace(other);
    lockAndUnlock(other, TIMES);
    return open();
});

export const tracedBefore = tracing('traced before', (mutex) => {
    const stop = trace(mutex);
    lockAndUnlock(mutex, TIMES);
    stop();
    return mutex;
});

export const tracedInFull = tracing('traced, two entries each', (mutex) => {
    trace(mutex, { minimum: 0 });
    return mutex;
});
