/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Every class and every entry of the package, shared by the page and two workers. */
import {
    Barrier,
    BinarySemaphore,
    Condition,
    CountingSemaphore,
    Event,
    HoldfastError,
    Latch,
    LockSpace,
    Mutex,
    Once,
    RecursiveMutex,
    RwLock,
    support,
    TimeoutError,
} from 'holdfast';
import { trace } from 'holdfast/trace';
import { addOne, COUNTS, FIRSTS, ITEMS, NESTED, neverSatMore, sit, TABLE, TURNS } from './counts.js';

const WORKERS = 2;
const ROUNDS = 200;

const space = new LockSpace();
const mutex = new Mutex({ space });
const changed = new Condition({ space });
const seats = new CountingSemaphore({ space, max: 2 });
const turn = new BinarySemaphore({ space });
const table = new RwLock({ space });
const tree = new RecursiveMutex({ space });
const start = new Barrier({ space, parties: WORKERS + 1 });
const once = new Once({ space });
const opened = new Event({ space });
const gone = new Latch({ space, count: WORKERS });

const counts = new Int32Array(space.buffer, space.alloc(COUNTS * 4), COUNTS);

function startWorkers() {
    const locks = { mutex, changed, seats, turn, table, tree, start, once, opened, gone };
    const handles = Object.fromEntries(Object.entries(locks).map(([name, lock]) => [name, lock.handle]));
    for (let count = 0; count < WORKERS; count += 1) {
        const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
        worker.postMessage({
            space: space.handle,
            handles,
            place: counts.byteOffset,
            rounds: ROUNDS,
        });
    }
}

/** @param {() => unknown} misuse */
async function codeOf(misuse) {
    try {
        return await misuse();
    } catch (error) {
        return error instanceof TimeoutError || error instanceof HoldfastError ? error.code : error;
    }
}

async function rounds() {
    for (let round = 0; round < ROUNDS; round += 1) {
        await mutex.execAsync(() => addOne(counts, ITEMS));
        await seats.execAsync(() => sit(counts));
        await turn.execAsync(() => addOne(counts, TURNS));
        await table.execAsync(() => addOne(counts, TABLE));
        await table.execAsync(() => counts[TABLE], { mode: 'shared' });
    }
    const all = (WORKERS + 1) * ROUNDS;
    await mutex.execAsync(() => changed.waitAsync(mutex, { predicate: () => counts[ITEMS] === all }));
}

async function run() {
    startWorkers();
    await start.arriveAndWaitAsync();
    await once.runAsync(() => addOne(counts, FIRSTS));
    const stop = trace(mutex, { minimum: 0, keep: true });
    await rounds();
    stop();
    const early = await codeOf(() => opened.waitAsync({ timeout: 1 }));
    opened.set();
    await gone.waitAsync();
    return {
        items: counts[ITEMS],
        turns: counts[TURNS],
        table: counts[TABLE],
        nested: counts[NESTED],
        isFree: tree.tryLock() && tree.tryLock() && tree.depth === 2,
        firsts: counts[FIRSTS],
        seatsKept: neverSatMore(counts, seats.max),
        errors: [early, await codeOf(() => mutex.unlock())],
        isTraced: performance.getEntriesByType('measure').length > 0,
        mayShare: support().mayShare,
    };
}

run()
    .catch(String)
    .then((outcome) => Object.assign(globalThis, { outcome }));
