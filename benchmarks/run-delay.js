/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { openSync, readSync } from 'node:fs';

/* How long a thread was ready to run and had no core: the system's part of a wait. Linux counts it, see
 * "schedstat" in https://docs.kernel.org/scheduler/sched-stats.html. */

/** @returns {number | undefined} */
function open() {
    try {
        return openSync(`/proc/self/task/${process.pid}/schedstat`, 'r');
    } catch {
        return undefined; // not Linux, or one without that count, or a browser
    }
}

const file = open();
const buffer = new Uint8Array(128);
const decoder = new TextDecoder();

/** @returns {number | undefined} ms, of the process's main thread since it started; undefined where unknown */
export function runDelay() {
    if (file === undefined) {
        return undefined;
    }
    const text = decoder.decode(buffer.subarray(0, readSync(file, buffer, 0, buffer.length, 0)));
    return Number(text.split(' ')[1]) / 1e6;
}
