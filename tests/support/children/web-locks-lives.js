/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { once } from 'node:events';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { LockManager } from '../../../js-glue/web-locks.js';

/* A program with nothing pending but a lock: it holds the lock for ever, or a worker holds it for a while. Neither keeps the
 * process alive. */

if (isMainThread) {
    const locks = new LockManager();
    if (process.argv[2] === 'hold') {
        void locks.request('name', () => new Promise(() => {}));
    } else {
        const worker = new Worker(new URL(import.meta.url), { workerData: locks.handle });
        await once(worker, 'message');
        worker.unref();
        void locks.request('name', () => console.log('granted'));
    }
    console.log('asked');
} else {
    const locks = LockManager.from(workerData);
    await locks.request('name', async () => {
        parentPort?.postMessage('held');
        await new Promise((resolve) => {
            setTimeout(resolve, 300);
        });
    });
}
