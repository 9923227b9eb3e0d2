/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* A table that many read and one writes. The readers are workers, which block while it is written but never keep each
 * other out. The writer is this thread, which may be a page's: it never blocks, and the readers do not starve it. */
import { Latch, RwLock } from 'holdfast';
import { print } from '../report.js';
import { inWorker } from '../threads.js';
import { editionOf, publish } from './table.js';

const READERS = 4;
const EDITIONS = 100;
const ROWS = 1000;

const lock = new RwLock();
const atWork = new Latch({ count: READERS });
const table = new Int32Array(new SharedArrayBuffer(4 * ROWS));
const inside = new Int32Array(new SharedArrayBuffer(4));

const readers = Array.from({ length: READERS }, () =>
    inWorker(new URL('./worker.js', import.meta.url), {
        lock: lock.handle,
        atWork: atWork.handle,
        table,
        inside,
        lastEdition: EDITIONS,
    }),
);
await atWork.waitAsync();

let edition = 0;
while (edition < EDITIONS) {
    await lock.execAsync(() => publish(table));
    edition = await lock.execAsync(() => editionOf(table), { mode: 'shared' });
    await new Promise((resolve) => setTimeout(resolve));
}

const results = await Promise.all(readers);
const reads = results.reduce((sum, result) => sum + result.reads, 0);
const most = Math.max(...results.map((result) => result.most));
print(`${EDITIONS} editions, ${reads} reads: never of two editions, up to ${most} readers at once`);
