/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { KINDS_OF_WAIT } from '../kinds-of-wait.js';

/* Awaits one wait after the other at the top level, and nothing else is pending: without a live wait Node ends with code 13. The
 * threads that end the waits do not keep the process alive. Prints the number of waits, and how long the end took. */

for (const { make } of KINDS_OF_WAIT) {
    const { ask, meet } = make(1);
    const wait = ask();
    setTimeout(meet, 5).unref();
    await wait;
}
const done = performance.now();
process.on('exit', () => console.log(KINDS_OF_WAIT.length, performance.now() - done));
