/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { workerData } from 'node:worker_threads';
import { Condition, Mutex } from '../../../js-glue/index.js';
import { attach } from '../../../js-glue/memory/attachment.js';
import { THREAD_MARK } from '../../../js-glue/memory/layout.js';
import { blockUntilReached, reach } from '../board.js';

/* Abandons each mutex, as a dead holder does, while another thread waits for the condition; then notifies. */

const { pairs, board, waits, left } = workerData;
for (const [at, [mutexHandle, conditionHandle]] of pairs.entries()) {
    const [mutex, condition] = [Mutex.from(mutexHandle), Condition.from(conditionHandle)];
    const { exports, self } = attach(mutex.memory);
    blockUntilReached(board, waits, at + 1); // the other thread holds the mutex, and will wait
    mutex.lock();
    exports.gate_abandon(mutex.byteOffset, self, self | THREAD_MARK);
    condition.notify();
    reach(board, left);
}
