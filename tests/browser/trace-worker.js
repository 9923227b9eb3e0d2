/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { trace } from '../../js-glue/trace.js';
import { HELD, Shared, STOP } from './shared-words.js';
import { seenWhile } from './trace-entries.js';

/* Traces a lock, holds it from HELD to STOP, and posts the entries. The page has named this worker. */

self.onmessage = async ({ data: handle }) => {
    const shared = Shared.from(handle);
    const stop = trace(shared.mutex, { name: 'table' });
    const entries = await seenWhile(async () => {
        shared.mutex.lock();
        shared.publish(HELD, 1);
        Atomics.wait(shared.words, STOP, 0);
        shared.mutex.unlock();
    });
    stop();
    postMessage(entries);
};
