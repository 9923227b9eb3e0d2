/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { parentPort, workerData } from 'node:worker_threads';
import { Caller } from '../../../js-glue/channel.js';
import { randomOf } from '../seed.js';
import { makeMessage } from '../channel-messages.js';

/* Alternates between call() and callAsync(), sometimes with a short timeout. With a given timeout each call
 * blocks. Each answer must be the request's own bytes. Counts begun and ended calls on the board, and posts
 * the outcomes at the end. */

const { handle, sender, calls, seed, board, timeout } = workerData;
const caller = Caller.from(handle);
const { below: random } = randomOf(seed);
/** @type {Record<string, number>} */
const ends = {};

for (let number = 0; number < calls; number += 1) {
    const bytes = makeMessage(sender, number, random(random(4) === 0 ? caller.largest - 11 : 24));
    const short = random(3) === 0 ? { timeout: random(4) } : {};
    const options = timeout === undefined ? short : { timeout };
    const isBlocking = random(2) === 1 || timeout !== undefined;
    Atomics.add(board, 2 * sender, 1);
    let end = 'answered';
    try {
        const answer = isBlocking ? caller.call(bytes, options) : await caller.callAsync(bytes, options);
        if (Buffer.compare(answer, bytes) !== 0) {
            throw new Error(`call ${number} of ${sender} got the answer of another`);
        }
    } catch (error) {
        end = /** @type {any} */ (error).code;
        if (end === undefined) {
            throw error;
        }
    }
    ends[end] = (ends[end] ?? 0) + 1;
    Atomics.add(board, 2 * sender + 1, 1);
    if (end === 'HF_CLOSED' || end === 'HF_ABANDONED') {
        break;
    }
}
parentPort?.postMessage(ends);
