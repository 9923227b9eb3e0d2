/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { workerData } from 'node:worker_threads';
import { RwLock } from '../../../js-glue/index.js';
import { blockUntilReached, reach } from '../board.js';

/* Holds the lock from stage `held` until stage `release`. */

const { handle, board, held, release, released } = workerData;
const lock = RwLock.from(handle);
lock.lock();
reach(board, held);
blockUntilReached(board, release);
lock.unlock();
reach(board, released);
