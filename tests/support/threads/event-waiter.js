/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { workerData } from 'node:worker_threads';
import { Event } from '../../../js-glue/index.js';
import { reach } from '../board.js';
import { waitWithoutLimit } from '../endless.js';

/* Waits for the event once, in the way it is told: stage `waiting`, then stage `got`. */

const { handle, board, waiting, got, way } = workerData;
waitWithoutLimit();
const event = Event.from(handle);
if (way === 'blocking') {
    reach(board, waiting);
    event.wait();
} else {
    const wait = event.waitAsync();
    reach(board, waiting);
    await wait;
}
reach(board, got);
