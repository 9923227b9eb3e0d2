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
} from '../../../js-glue/index.js';

/* Makes one of each class in memory that was something else before, uses it through the event loop, and prints what
 * came of that. A wait that looks again and again within one job would hang this process. */

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

for (const [name, use] of USES) {
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
    new Uint8Array(memory.buffer).fill(ALL_ONES);
    const outcome = await use(memory).catch((error) => error.code ?? error);
    console.log(`${name}: ${outcome}`);
}
