/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { debug } from '../../js-glue/debug.js';
import { Mutex } from '../../js-glue/index.js';

/* Holds the lock and ends, or is about to be ended; or blocks for the lock and posts the outcome. */

const COMPUTES_MS = 900;

/** @type {Record<string, (mutex: Mutex, other: Mutex) => unknown>} */
const WAYS = {
    idle: (mutex) => hold(mutex),
    blocked(mutex, other) {
        hold(mutex);
        other.lock();
    },
    computing(mutex) {
        hold(mutex);
        for (;;) {
            mutex.byteOffset;
        }
    },
    closes(mutex) {
        hold(mutex);
        self.close();
    },
    /** The job that closes the worker continues, and so do the microtasks after it. */
    closesAndGoesOn(mutex) {
        hold(mutex);
        self.close();
        compute();
        void Promise.resolve().then(() => mutex.unlock());
    },
    nested(mutex, other) {
        const child = new Worker(new URL(import.meta.url), { type: 'module', name: 'mortal' });
        child.onmessage = ({ data }) => self.postMessage(data);
        child.postMessage({ way: 'idle', handle: mutex.handle, other: other.handle });
    },
    waits(mutex) {
        self.postMessage('waits');
        try {
            mutex.lock();
            mutex.unlock();
            self.postMessage({ code: 'got it' });
        } catch (error) {
            const { code, owner } = /** @type {import('../../js-glue/index.js').AbandonedError} */ (error);
            self.postMessage({ code, owner });
        }
    },
};

/** @param {Mutex} mutex */
function hold(mutex) {
    mutex.lock();
    self.postMessage('held');
}

function compute() {
    const end = performance.now() + COMPUTES_MS;
    while (performance.now() < end) {
        // The work of a long section.
    }
}

self.onmessage = ({ data: { way, handle, other, givesUp } }) => {
    if (givesUp) {
        debug(); // so that it gives up its waits when terminated
    }
    WAYS[way]?.(Mutex.from(handle), Mutex.from(other));
};
