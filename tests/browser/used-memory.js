/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { Mutex } from '../../js-glue/index.js';
import { CLASSES } from '../support/classes.js';

/* An object of each class in used memory, through the event loop. A wait that re-checks endlessly within one
 * job would hang the thread, page or process. */

const LIMITED = { timeout: 30 };
const [HERE, BESIDE] = [64, 128];
const ALL_ONES = 0xff;

/** @param {import('../../js-glue/index.js').Condition} condition */
function waitInSection(condition) {
    const mutex = Mutex.at(condition.memory, BESIDE, {});
    return mutex.execAsync(() => condition.waitAsync(mutex, LIMITED));
}

/** @type {[string, object, (object: any) => Promise<unknown>][]} class, options and use */
const USES = [
    ['Mutex', {}, (mutex) => mutex.execAsync(() => 'ran', LIMITED)],
    ['RwLock', {}, (lock) => lock.execAsync(() => 'ran', LIMITED)],
    ['Once', {}, (once) => once.runAsync(() => {}, LIMITED)],
    ['Condition', {}, waitInSection],
    ['BinarySemaphore', { initial: 0 }, (semaphore) => semaphore.enterAsync(LIMITED)],
    ['CountingSemaphore', { initial: 0, max: 3 }, (semaphore) => semaphore.enterAsync(LIMITED)],
    ['Event', { autoReset: false }, (event) => event.waitAsync(LIMITED)],
    ['Event', { autoReset: true }, (event) => event.waitAsync(LIMITED)],
    ['Latch', { count: 2 }, (latch) => latch.waitAsync(LIMITED)],
    ['Barrier', { parties: 2 }, (barrier) => barrier.arriveAndWaitAsync(LIMITED)],
];

/** @returns {Promise<unknown[][]>} each class with its outcome */
export async function waitsOnUsedMemory() {
    const outcomes = [];
    for (const [name, options, use] of USES) {
        const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
        new Uint8Array(memory.buffer).fill(ALL_ONES);
        const object = CLASSES[name].at(memory, HERE, options);
        outcomes.push([name, await use(object).catch((error) => error.code ?? String(error))]);
    }
    return outcomes;
}

const LATE = 'HF_TIMEOUT';

/** The expected outcome of each. */
export const OUTCOMES = [
    ['Mutex', 'ran'],
    ['RwLock', 'ran'],
    ['Once', true],
    ['Condition', LATE],
    ['BinarySemaphore', LATE],
    ['CountingSemaphore', LATE],
    ['Event', LATE],
    ['Event', LATE],
    ['Latch', LATE],
    ['Barrier', LATE],
];
