/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { parentPort, workerData } from 'node:worker_threads';
import { Mutex } from '../../../js-glue/index.js';
import { trace } from '../../../js-glue/trace.js';
import { blockUntilReached, reach } from '../board.js';
import { EntryObserver } from '../trace-entries.js';

/* Traces the lock, and takes it once by lock(): stage `asking`, then `held`, until stage `release`. Posts the entries. */

const { handle, board, asking, held, release } = workerData;
const mutex = Mutex.from(handle);
const observer = new EntryObserver();
const stop = trace(mutex, { name: 'table', thread: 'worker' });
reach(board, asking);
mutex.lock();
reach(board, held);
blockUntilReached(board, release);
mutex.unlock();
stop();
parentPort?.postMessage(observer.take());
