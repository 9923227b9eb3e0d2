/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { workerData } from 'node:worker_threads';
import { Event } from '../../../js-glue/index.js';
import { reach, spinUntilReached } from '../board.js';
import { waitWithoutLimit } from '../endless.js';

/* Waits for the event once, in the given way: stage `waiting`, then stage `got`. A busy thread waits through its event loop,
 * which has no turn until stage `idle`. */

const { handle, board, waiting, got, idle, way } = workerData;
waitWithoutLimit();
const event = Event.from(handle);
if (way === 'blocking') {
    reach(board, waiting);
    event.wait();
} else {
    const wait = event.waitAsync();
    if (way === 'busy') {
        await new Promise((resolve) => setImmediate(resolve));
    }
    reach(board, waiting);
    if (way === 'busy') {
        spinUntilReached(board, idle);
    }
    await wait;
}
reach(board, got);
