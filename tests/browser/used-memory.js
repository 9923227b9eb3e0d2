/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import {
    Barrier,
    BinarySemaphore,
    Condition,
    CountingSemaphore,
    Event,
    Latch,
    Mutex,
    Once,
    RwLock,
} from '../../js-glue/index.js';

/* One of each class in memory that was something else before, used through the event loop. A wait that looks again and
 * again within one job would hang the thread, page or process. */

const LIMITED = { timeout: 30 };
const [HERE, BESIDE] = [64, 128];
const ALL_ONES = 0xff;

/** @param {WebAssembly.Memory} memory */
function conditionIn(memory) {
    const [condition, mutex] = [Condition.at(memory, HERE, {}), Mutex.at(memory, BESIDE, {})];
    return mutex.executeLocked(() => condition.waitAsync(mutex, LIMITED));
}

/** @type {[string, (memory: WebAssembly.Memory) => Promise<unknown>][]} */
const USES = [
    ['Mutex', (memory) => Mutex.at(memory, HERE, {}).executeLocked(() => 'ran', LIMITED)],
    ['RwLock', (memory) => RwLock.at(memory, HERE, {}).executeLocked(() => 'ran', LIMITED)],
    ['Once', (memory) => Once.at(memory, HERE, {}).runAsync(() => {}, LIMITED)],
    ['Condition', conditionIn],
    ['BinarySemaphore', (memory) => BinarySemaphore.at(memory, HERE, { initial: 0 }).enterAsync(LIMITED)],
    [
        'CountingSemaphore',
        (memory) => CountingSemaphore.at(memory, HERE, { initial: 0, max: 3 }).enterAsync(LIMITED),
    ],
    ['Event', (memory) => Event.at(memory, HERE, { autoReset: false }).waitAsync(LIMITED)],
    ['automatic Event', (memory) => Event.at(memory, HERE, { autoReset: true }).waitAsync(LIMITED)],
    ['Latch', (memory) => Latch.at(memory, HERE, { count: 2 }).waitAsync(LIMITED)],
    ['Barrier', (memory) => Barrier.at(memory, HERE, { parties: 2 }).arriveAndWaitAsync(LIMITED)],
];

/** @returns {Promise<Record<string, unknown>>} what came of each */
export async function waitsOnUsedMemory() {
    /** @type {Record<string, unknown>} */
    const outcomes = {};
    for (const [name, use] of USES) {
        const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
        new Uint8Array(memory.buffer).fill(ALL_ONES);
        outcomes[name] = await use(memory).catch((error) => error.code ?? String(error));
    }
    return outcomes;
}

const LATE = 'HF_TIMEOUT';

/** What has to come of each. */
export const OUTCOMES = {
    ...{ Mutex: 'ran', RwLock: 'ran', Once: true, Condition: LATE },
    ...{ BinarySemaphore: LATE, CountingSemaphore: LATE },
    ...{ Event: LATE, 'automatic Event': LATE, Latch: LATE, Barrier: LATE },
};
