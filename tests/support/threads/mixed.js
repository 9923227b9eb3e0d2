/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { parentPort } from 'node:worker_threads';
import { waitWithoutLimit } from '../endless.js';
import { useInEveryWay } from '../mixed-use.js';

/* Takes part in each cell of the matrix that is posted to it. */

waitWithoutLimit();
parentPort?.on('message', async (cell) => {
    parentPort?.postMessage(await useInEveryWay(cell));
});
parentPort?.postMessage('ready');
