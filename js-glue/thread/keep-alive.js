/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { environment } from './environment.js';
import { LONGEST_DELAY_MS } from './times.js';

/* In Node, Bun and Deno a pending Atomics.waitAsync does not keep the process alive, so it would end in the
 * middle of a wait (Node with exit code 13). While requests are pending, one timer of this thread does. */

let pending = 0;
/** @type {ReturnType<typeof environment.setInterval> | undefined} */
let handle;

/** One more request is pending. */
export function hold() {
    pending += 1;
    handle ??= environment.setInterval(() => {}, LONGEST_DELAY_MS);
}

/** One request is pending no more. */
export function release() {
    pending -= 1;
    if (pending === 0) {
        environment.clearInterval(handle);
        handle = undefined;
    }
}
