/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { CountingSemaphore, LockSpace, Mutex, RwLock } from '../../../js-glue/index.js';

/* Prints how many bytes of heap a used and freed lock leaves. The locks have different addresses, since locks at one address
 * share a queue. */

const AT_ONCE = 2000;
const ROUNDS = 3;
const space = new LockSpace({ pages: 8 });

const collect = /** @type {{ gc?: () => void }} */ (globalThis).gc ?? (() => {});

async function heap() {
    for (let turn = 0; turn < 5; turn += 1) {
        await new Promise((resolve) => setTimeout(resolve, 20));
        collect();
    }
    return process.memoryUsage().heapUsed;
}

async function use() {
    /** @type {(Mutex | RwLock | CountingSemaphore)[]} */
    const locks = [];
    for (let count = 0; count < AT_ONCE; count += 1) {
        const mutex = new Mutex({ space });
        await mutex.execAsync(() => {});
        mutex.acquire().release();
        const lock = new RwLock({ space });
        await lock.execAsync(() => {});
        const semaphore = new CountingSemaphore({ space, initial: 1 });
        await semaphore.execAsync(() => {});
        locks.push(mutex, lock, semaphore);
    }
    locks.forEach((lock) => space.free(lock));
}

await use();
const before = await heap();
const bytes = [];
for (let round = 0; round < ROUNDS; round += 1) {
    space.alloc(16); // so that the next locks have other addresses
    const pad = space.alloc(16 * AT_ONCE * 3 * round + 16);
    await use();
    bytes.push(((await heap()) - before) / (3 * AT_ONCE * (round + 1)));
    void pad;
}
process.stdout.write(`${Math.max(...bytes)}`);
