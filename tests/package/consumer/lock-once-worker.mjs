/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { workerData } from 'node:worker_threads';
import { Mutex } from 'holdfast';

const { handle, byteOffset } = workerData;
const mutex = Mutex.from(handle);
const counter = new Int32Array(handle.memory.buffer, byteOffset, 1);

mutex.lock();
try {
    counter[0] += 1;
} finally {
    mutex.unlock();
}
