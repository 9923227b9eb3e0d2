/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { KINDS_OF_WAIT } from '../kinds-of-wait.js';
import { startTicks } from '../ticks.js';

/* Awaits one wait after the other at the top level. Nothing else is pending, so Node ends with code 13 unless
 * the wait keeps it alive. The threads that end the waits do not keep the process alive. Prints the number of
 * waits, and how many ticks the end took. */

for (const { make } of KINDS_OF_WAIT) {
    const { ask, meet } = make(1);
    const wait = ask();
    setTimeout(meet, 5).unref();
    await wait;
}
const ticks = startTicks();
process.on('exit', () => console.log(KINDS_OF_WAIT.length, ticks()));
