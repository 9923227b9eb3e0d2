/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { parentPort, workerData } from 'node:worker_threads';
import { Event } from '../../../js-glue/index.js';

/* Waits for a stop in the way that the test asks for. */

const { handle, way } = workerData;
const stop = Event.from(handle);
const tell = (/** @type {string} */ what) => parentPort?.postMessage(what);
if (way === 'signal') {
    const { signal } = stop;
    signal.addEventListener('abort', () => tell(`aborted: ${signal.reason.name}, ${stop.signal === signal}`));
} else {
    void stop.waitAsync(way === 'unref' ? { ref: false } : undefined).then(() => tell('stopped'));
}
tell('waits');
