/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { workerData } from 'node:worker_threads';
import { Mutex } from '../../../js-glue/index.js';
import { blockUntilReached, reach } from '../board.js';

/* Grows the memory, and holds a lock beyond its old end until stage `release`. */

const { memory, byteOffset, board, held, release } = workerData;
memory.grow(1);
const mutex = Mutex.at(memory, byteOffset);
mutex.lock();
reach(board, held);
blockUntilReached(board, release);
mutex.unlock();
