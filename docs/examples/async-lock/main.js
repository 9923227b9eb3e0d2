/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Workers move money between accounts, and block while they wait for the lock. This thread, which may be a page's,
 * audits the accounts all the while, and never blocks. */
import { Latch, Mutex } from 'holdfast';
import { check, print } from '../report.js';
import { inWorker } from '../threads.js';

const WORKERS = 4;
const AUDITS = 100;
const ACCOUNTS = 16;
const EACH_HAS = 1000;

const mutex = new Mutex();
const atWork = new Latch({ count: WORKERS });
const accounts = new Int32Array(new SharedArrayBuffer(4 * ACCOUNTS)).fill(EACH_HAS);
const isClosed = new Int32Array(new SharedArrayBuffer(4));

const tellers = Array.from({ length: WORKERS }, () =>
    inWorker(new URL('./worker.js', import.meta.url), {
        mutex: mutex.handle,
        atWork: atWork.handle,
        accounts,
        isClosed,
    }),
);
await atWork.waitAsync();

let longestMs = 0;
for (let audit = 0; audit < AUDITS; audit += 1) {
    const asked = performance.now();
    const sum = await mutex.execAsync(() => {
        longestMs = Math.max(longestMs, performance.now() - asked);
        return accounts.reduce((total, account) => total + account);
    });
    check(sum === ACCOUNTS * EACH_HAS, `nothing is lost or made; the sum is ${sum}`);
    await new Promise((resolve) => setTimeout(resolve));
}
Atomics.store(isClosed, 0, 1);

const counts = await Promise.all(tellers);
const transfers = counts.reduce((total, count) => total + count);
print(`${AUDITS} audits among ${transfers} transfers: no money lost or made`);
print(`the longest wait of this thread: ${longestMs.toFixed(1)} ms`);
