/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { trace } from '../../js-glue/trace.js';
import { nextFrame, until, within } from './page-threads.js';
import { HELD, Shared, STOP } from './shared-words.js';
import { seenWhile } from './trace-entries.js';

/* Runs on the page of trace.test.js. */

const FRAMES = 6;

/** A worker holds the lock while the page waits for it for some frames; both trace it. */
export async function pageWaitsForWorker() {
    const shared = Shared.create();
    const stop = trace(shared.mutex, { name: 'table' });
    const worker = new Worker(new URL('./trace-worker.js', import.meta.url), {
        type: 'module',
        name: 'holder',
    });
    /** @type {Promise<MessageEvent>} */
    const message = new Promise((resolve, reject) => {
        worker.onmessage = resolve;
        worker.onerror = ({ message: words }) => reject(new Error(`the worker: ${words}`));
    });
    message.catch(() => {}); // handled below
    worker.postMessage(shared.handle);
    await until(shared, 'the worker holds the lock', () => shared.read(HELD) === 1);
    const page = await seenWhile(async () => {
        const request = shared.mutex.execAsync(() => shared.section());
        for (let frame = 0; frame < FRAMES; frame += 1) {
            await nextFrame();
        }
        shared.publish(STOP, 1);
        await within(shared, 'the page gets the lock', request);
    });
    const { data } = await within(shared, 'the entries of the worker', message);
    stop();
    worker.terminate();
    return { page, worker: data, left: performance.getEntriesByType('measure').length };
}
