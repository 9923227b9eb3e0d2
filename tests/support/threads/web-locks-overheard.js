/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { parentPort, workerData } from 'node:worker_threads';
import { jobEnds } from '../event-loop.js';

/* Two locks of one manager are stolen one after the other. Another thread notifies this one of a third theft
 * during the call that listens for notices. Posts what became of each lock. */

const { waitAsync } = Atomics;
let rings = false;

/** @type {any} makes waitAsync see a word that has changed since it was read */
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
await import('../../../js-glue/index.js'); // loaded first: its own first calls would change a lock's word
Atomics.waitAsync = overheard;
const { LockManager } = await import('../../../js-glue/web-locks.js');

setInterval(() => {}, 1000); // its waits do not keep the thread alive
const locks = new LockManager();
const other = (await import(workerData.copy)).LockManager.from(locks.handle); // a second copy, so this thread is two clients
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
        await jobEnds(); // the manager listens again a little after it has reported the theft
    }
    parentPort?.postMessage({ name, what, rings });
}
