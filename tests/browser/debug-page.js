/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { debug } from '../../js-glue/debug.js';
import { Mutex } from '../../js-glue/index.js';

/* Runs on the page of debug.test.js. */

/** Longer than debug() takes to report a lasting wait. */
const LONG_MS = 1800;

const SHORT_MS = 50;

const sleep = (/** @type {number} */ milliseconds) =>
    new Promise((resolve) => {
        setTimeout(resolve, milliseconds);
    });

/** @param {(mutex: Mutex) => Promise<unknown>} use @param {boolean} throws */
async function watched(use, throws) {
    /** @type {import('../../js-glue/debug.js').Report[]} */
    const reports = [];
    const stop = debug({ throw: throws, onReport: (report) => reports.push(report) });
    const mutex = new Mutex();
    const end = await use(mutex).then(String, ({ name }) => name);
    stop();
    return { end, reports: reports.map((report) => ({ ...report })), isFree: mutex.tryLock() };
}

/** A section awaits a request for its own lock, through a function, until its time is up. */
export function waitsForItself() {
    return watched((mutex) => {
        // Not a tail call, since WebKit's stacks leave out such functions.
        const save = async () => {
            await mutex.execAsync(() => {}, { timeout: LONG_MS });
        };
        return mutex.execAsync(async () => {
            await sleep(1);
            await save();
        });
    }, false);
}

/** A section starts work that it does not await. */
export function startsOthers() {
    return watched(async (mutex) => {
        let ran = 0;
        const add = () => {
            ran += 1;
        };
        const save = async () => await mutex.execAsync(add);
        await mutex.execAsync(async () => {
            await sleep(1);
            void save();
            mutex.execAsync(add).catch(() => {});
            setTimeout(save);
            await sleep(SHORT_MS);
        });
        await mutex.execAsync(add);
        return ran;
    }, true);
}
