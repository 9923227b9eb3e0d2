/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { parentPort, workerData } from 'node:worker_threads';
import { jobEnds } from '../event-loop.js';

/* Two locks of one manager are stolen one after the other, while another thread tells this one of a third in the middle of the
 * call that listens for such. Says what became of each. */

const { waitAsync } = Atomics;
let rings = false;

/** @type {any} the word has changed since it was read for this call */
const overheard = (
    /** @type {Int32Array<SharedArrayBuffer>} */ words,
    /** @type {number} */ at,
    /** @type {number} */ value,
) => {
    if (rings) {
        rings = false;
        Atomics.add(words, at, 1);
    }
    return waitAsync(words, at, value);
};
await import('../../../js-glue/index.js'); // by whose own calls it would change a lock's word
Atomics.waitAsync = overheard;
const { LockManager } = await import('../../../js-glue/web-locks.js');

setInterval(() => {}, 1000); // what it waits for keeps no thread alive
const locks = new LockManager();
const other = (await import(workerData.copy)).LockManager.from(locks.handle); // so that the thread is two clients
await locks.query();
await other.query();
for (const name of ['one', 'two']) {
    const done = new Promise((resolve) => {
        locks.request(name, () => new Promise(() => {})).catch((error) => resolve(error.name));
    });
    await locks.query();
    rings = name === 'one';
    await other.request(name, { steal: true }, () => {});
    const what = await done;
    while (rings) {
        await jobEnds(); // it listens again a little later than it tells of the steal
    }
    parentPort?.postMessage({ name, what, rings });
}
