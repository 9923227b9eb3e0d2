/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { Mutex } from 'holdfast';
import { trace } from 'holdfast/trace';
import { lockAndUnlock } from './jobs/uncontended.js';

/** @typedef {import('./contestants.js').Contestant} Contestant */

/** Enough for the engine to note what the calls of the loop are made on. */
const TIMES = 2_000;

/** @type {Contestant} */
export const traceLoaded = {
    title: 'with holdfast/trace loaded',
    open: ({ memory, lock }) => Mutex.at(memory, lock),
};

/** @type {Contestant} */
export const besideTraced = {
    title: 'beside another object that is traced',
    open({ memory, lock }) {
        const other = Mutex.at(memory, lock);
        trace(other);
        lockAndUnlock(other, TIMES);
        return Mutex.at(memory, lock);
    },
};

/** @type {Contestant} */
export const tracedBefore = {
    title: 'traced before',
    open({ memory, lock }) {
        const mutex = Mutex.at(memory, lock);
        const stop = trace(mutex);
        lockAndUnlock(mutex, TIMES);
        stop();
        return mutex;
    },
};

/** @type {Contestant} */
export const traced = {
    title: 'traced, too short for entries',
    open({ memory, lock }) {
        const mutex = Mutex.at(memory, lock);
        trace(mutex);
        return mutex;
    },
};

/** @type {Contestant} */
export const tracedInFull = {
    title: 'traced, two entries each',
    open({ memory, lock }) {
        const mutex = Mutex.at(memory, lock);
        trace(mutex, { minimum: 0 });
        return mutex;
    },
};
