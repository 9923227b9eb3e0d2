/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { parentPort, workerData } from 'node:worker_threads';
import { debug } from '../../../js-glue/debug.js';
import { KeyedMutex } from '../../../js-glue/keyed.js';
import { environment } from '../../../js-glue/thread/environment.js';
import { blockUntilReached, reach } from '../board.js';
import { replaceInEnvironment } from '../environment.js';

/* Holds one key; when the other thread holds its key too, waits for that. Posts its reports, and how the wait
 * ended. */

const { handle, first, second, board, throws, slow, last } = workerData;
/** Longer than the other thread waits before its report. */
const SLOW_MS = 3000;

if (slow) {
    const { store } = environment;
    const before = new Set();
    replaceInEnvironment({
        /** @param {[any, number, number]} args */
        store: (...args) => {
            store(...args);
            if (args[2] < 0 && before.has(args[2])) {
                Atomics.wait(board, 0, 2, SLOW_MS); // a note is rewritten: its writer is negative meanwhile
            }
            before.add(args[2]);
        },
    });
}
const keyed = KeyedMutex.from(handle);
const onReport = (/** @type {unknown} */ report) => parentPort?.postMessage({ report });
debug({ onReport, throw: throws });

/** @param {string} key */
function holdKey(key) {
    keyed.lock(key);
}

/** @param {string} key */
function waitForKey(key) {
    keyed.exec(key, () => {});
}

holdKey(first);
reach(board, 0);
blockUntilReached(board, 0, 2);
if (last) {
    Atomics.wait(board, 0, 2, 200); // who waits last reports
}
try {
    waitForKey(second);
    keyed.unlock(first);
    parentPort?.postMessage({ end: 'got' });
} catch (error) {
    keyed.unlock(first);
    const { code, message } = /** @type {import('../../../js-glue/index.js').HoldfastError} */ (error);
    parentPort?.postMessage({ end: code, message });
}
