/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { KINDS_OF_WAIT } from '../kinds-of-wait.js';

/* Nothing is pending but one wait after the other, awaited at the top level, where Node ends with code 13 when nothing
 * keeps it alive. What ends them keeps nothing alive. It prints how many there were, and how long the end took. */

for (const { make } of KINDS_OF_WAIT) {
    const { ask, meet } = make(1);
    const wait = ask();
    setTimeout(meet, 5).unref();
    await wait;
}
const done = performance.now();
process.on('exit', () => console.log(KINDS_OF_WAIT.length, performance.now() - done));
