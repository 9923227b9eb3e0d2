/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { parentPort, workerData } from 'node:worker_threads';
import { KeyedMutex } from '../../../js-glue/keyed.js';
import { reach } from '../board.js';
import { hammerKeys } from '../keyed-hammer.js';

/* Locks keys at random until it is told to stop, or dies. */

const { handle, board, words, seed, waits } = workerData;
reach(board, 0);
void hammerKeys({ keyed: KeyedMutex.from(handle), board, words, seed, waits }).then((sections) =>
    parentPort?.postMessage(sections),
);
