/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import * as holdfast from '../../js-glue/index.js';
import { foundFor, Placed } from '../../js-glue/memory/placed.js';
import { RecoverableRwLock, RecoverableSemaphore } from '../../js-glue/recoverable.js';
import { Condition as Tc39Condition, Mutex as Tc39Mutex } from '../../js-glue/tc39.js';

/* A server that makes a lock for each request, and drops it: for Node, Bun, Deno and pages. */

/** The locks that are made between two turns of the event loop. */
export const AT_ONCE = 2000;

const LIMITED = { timeout: 0 };

/** @type {[string, () => any, (lock: any) => unknown][]} class, constructor call, use */
export const DROPPED = [
    ['Mutex', () => new holdfast.Mutex(), (mutex) => mutex.execAsync(() => {})],
    ['RecursiveMutex', () => new holdfast.RecursiveMutex(), (mutex) => mutex.tryAcquire().release()],
    ['RwLock', () => new holdfast.RwLock(), (lock) => lock.execAsync(() => {})],
    ['BinarySemaphore', () => new holdfast.BinarySemaphore(), (semaphore) => semaphore.execAsync(() => {})],
    [
        'BinarySemaphore, by tryAcquire() and release()',
        () => new holdfast.BinarySemaphore(),
        (semaphore) => [semaphore.tryAcquire(), semaphore.release()],
    ],
    [
        'CountingSemaphore',
        () => new holdfast.CountingSemaphore({ max: 2 }),
        (semaphore) => semaphore.enterAsync(),
    ],
    ['Condition', () => new holdfast.Condition(), (condition) => condition.notify()],
    ['Event', () => new holdfast.Event(), (event) => event.waitAsync(LIMITED).catch(() => event.set())],
    ['Latch', () => new holdfast.Latch({ count: 1 }), (latch) => latch.countDown()],
    ['Barrier', () => new holdfast.Barrier({ parties: 1 }), (barrier) => barrier.arriveAndWaitAsync()],
    ['Once', () => new holdfast.Once(), (once) => once.runAsync(() => {})],
    ['RecoverableRwLock', () => new RecoverableRwLock(), (lock) => lock.execAsync(() => {})],
    [
        'RecoverableSemaphore',
        () => new RecoverableSemaphore({ max: 2 }),
        (semaphore) => semaphore.enterAsync(),
    ],
    ["tc39's Mutex", () => new Tc39Mutex(), (mutex) => Tc39Mutex.lockAsync(mutex, () => {})],
    ["tc39's Condition", () => new Tc39Condition(), (condition) => Tc39Condition.notify(condition)],
];

/**
 * @param {() => any} make
 * @param {(lock: any) => unknown} use
 * @param {number} count
 * @param {() => Promise<void>} collect
 * @returns {Promise<number>} the number of different addresses, if the objects are locks
 */
export async function dropMany(make, use, count, collect) {
    const places = new Set();
    for (let left = count; left > 0; left -= 1) {
        const lock = make();
        places.add(lock instanceof Placed && foundFor(lock)); // reading the handle would keep the bytes
        await use(lock);
        if (left % AT_ONCE === 0) {
            await collect();
        }
    }
    return places.size;
}
