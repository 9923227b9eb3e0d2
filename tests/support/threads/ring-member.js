/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import fs from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { debug } from '../../../js-glue/debug.js';
import { LockSpace, Mutex } from '../../../js-glue/index.js';
import { blockUntilReached, reach, reached } from '../board.js';

/* Holds one mutex, says so on the board, and waits for another one from stage `go` on. Posts its reports, and how the wait
 * ended. */

const { first, second, board, held, go, way, limit, handler, throws } = workerData;
const holds = Mutex.from(first);
const waitsFor = Mutex.from(second);

const warned = (/** @type {string} */ text) => parentPort?.postMessage({ warned: text });
console.warn = warned;
/** @type {any} */ (fs).writeSync = (/** @type {number} */ _file, /** @type {string} */ text) => warned(text);
/** @param {import('../../../js-glue/debug.js').Report} report */
function onReport(report) {
    parentPort?.postMessage({ report });
    if (handler === 'throws') {
        throw new Error('a handler that throws');
    } else if (handler === 'waits') {
        waitsFor.tryLock(limit);
    } else if (handler === 'blocks for another') {
        Mutex.named(LockSpace.attach(holds.memory), 'another').lock();
    }
}

debug({ onReport: handler === 'none' ? undefined : onReport, throw: throws });

process.on('uncaughtException', (error) => parentPort?.postMessage({ error: String(error) }));

/** @type {Record<string, () => unknown>} */
const WAYS = {
    blocks: () => waitsFor.exec(() => 'got'),
    'blocks for a time': () => (waitsFor.tryLock(limit) ? waitsFor.unlock() : 'given up'),
    awaits: () => waitsFor.execAsync(() => 'got', { timeout: limit }),
};

const alive = setInterval(() => {}, 1000); // its waits for the board keep no thread alive
await holds.execAsync(async () => {
    reach(board, held);
    if (way === 'awaits') {
        await reached(board, go);
    } else {
        blockUntilReached(board, go);
    }
    try {
        parentPort?.postMessage({ end: (await WAYS[way]?.()) ?? 'got' });
    } catch (error) {
        const { code, message, lock } = /** @type {import('../../../js-glue/index.js').HoldfastError} */ (
            error
        );
        parentPort?.postMessage({ end: code, message, lock });
    }
});
clearInterval(alive);
