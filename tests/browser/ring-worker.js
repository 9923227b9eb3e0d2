/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { debug } from '../../js-glue/debug.js';
import { Mutex } from '../../js-glue/index.js';

/* Takes one mutex, says so, and at the next message blocks for another one. Posts its reports, and how the
 * wait ended. */

debug({ throw: true, onReport: (report) => self.postMessage({ report }) });

let isFirst = true;
/** @type {Mutex} */
let holds;
/** @type {Mutex} */
let waitsFor;

self.onmessage = ({ data: { first, second } }) => {
    if (isFirst) {
        isFirst = false;
        holds = Mutex.from(first);
        waitsFor = Mutex.from(second);
        holds.lock();
        self.postMessage({ holds: true });
        return;
    }
    try {
        waitsFor.exec(() => {});
        self.postMessage({ end: 'got it' });
    } catch (error) {
        const { code, message } = /** @type {import('../../js-glue/index.js').HoldfastError} */ (error);
        self.postMessage({ end: code, message });
    }
    holds.unlock();
};
