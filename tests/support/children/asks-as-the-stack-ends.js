/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { Mutex } from '../../../js-glue/index.js';
import { below, countFrames } from '../stack.js';

/* Asks for a lock that is held, with less and less of the stack left. Then nothing is pending. */

const ROUNDS = 6;
const LAST_FRAMES = 40;
const USES_BEFORE = 300;

const mutex = new Mutex();

/** @param {() => Promise<import('../../../js-glue/index.js').Guard>} ask @returns {Promise<boolean>} whether it got the lock */
async function whileItIsHeld(ask) {
    const guard = mutex.acquire();
    try {
        const next = ask();
        next.catch(() => {});
        await undefined;
        guard.release();
        (await next).release();
        return true;
    } catch {
        return false;
    } finally {
        guard.released || guard.release();
    }
}

for (let use = 0; use < USES_BEFORE; use += 1) {
    await whileItIsHeld(() => mutex.acquireAsync());
}
let refused = 0;
for (let round = 0; round < ROUNDS; round += 1) {
    const most = countFrames();
    for (let frames = most; frames > most - LAST_FRAMES; frames -= 1) {
        const padding = new Array(frames % 16).fill(0);
        const got = await whileItIsHeld(() => below(frames, () => mutex.acquireAsync(), padding));
        refused += Number(!got);
    }
}
console.log(`${refused} refused`);
