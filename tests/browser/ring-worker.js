/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { LockSpace, Mutex } from '../../js-glue/index.js';

/* Takes one mutex, says so, and at the next message blocks for another one. Tells its reports, and how that ended. */

let isFirst = true;
/** @type {Mutex} */
let holds;
/** @type {Mutex} */
let waitsFor;

self.onmessage = ({ data: { space, first, second } }) => {
    if (isFirst) {
        isFirst = false;
        LockSpace.from(space).onreport = (report) => self.postMessage({ report });
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
