/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { workerData } from 'node:worker_threads';
import { RecoverableRwLock, RecoverableSemaphore } from '../../../js-glue/recoverable.js';
import { reach } from '../board.js';

/* Acquires and releases without a pause, until it is terminated at any instruction. */

const { permits, lock, board, isLoop } = workerData;
const semaphore = RecoverableSemaphore.from(permits);
const rwlock = RecoverableRwLock.from(lock);

function takeInTurn() {
    semaphore.enter({ permits: 2 });
    rwlock.lockShared();
    semaphore.leave(2);
    rwlock.unlockShared();
}

/** Requests of the event loop. */
async function ask() {
    await semaphore.execAsync(() => rwlock.execAsync(() => {}, { mode: 'shared' }), { permits: 2 });
}

takeInTurn();
reach(board, 0);
for (;;) {
    if (isLoop) {
        await ask();
    } else {
        takeInTurn();
    }
}
