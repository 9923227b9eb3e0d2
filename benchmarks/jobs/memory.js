/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { LOCK_BYTES } from '../arena.js';
import { openLock } from '../contestants.js';

/** Keeps the measured objects alive after their last use. @type {unknown[]} */
const kept = [];

function nextTurn() {
    return new Promise((resolve) => setImmediate(resolve));
}

/** @returns {() => Promise<number>} the bytes of this thread's heap in use, after all garbage was collected */
function heapMeter() {
    setFlagsFromString('--expose-gc');
    const collect = /** @type {() => void} */ (runInNewContext('gc'));
    return async () => {
        for (let least = Infinity; ;) {
            await nextTurn(); // a job keeps objects alive that it has read by a weak reference
            collect();
            const used = getHeapStatistics().used_heap_size;
            if (used >= least) {
                return least;
            }
            least = used;
        }
    };
}

/**
 * Measures heap bytes of locks and of pending requests. The requests are never answered, so the thread has to be
 * terminated.
 * @param {import('./jobs.js').TaskOf<{ requests: number }>} task
 * @returns {Promise<{ lock: number, request: number }>} bytes for each
 */
export async function memory({ arena, options: { contestant, requests } }) {
    const usedBytes = heapMeter();
    const openLocks = async (/** @type {unknown[]} */ locks) => {
        kept.push(locks);
        for (let number = 0; number < arena.locks; number += 1) {
            locks[number] = await openLock(contestant, { ...arena, lock: arena.lock + number * LOCK_BYTES });
        }
    };
    await openLocks(new Array(arena.locks)); // a first run, so that the engine's own data for this code does not count
    const locks = new Array(arena.locks);
    let before = await usedBytes();
    await openLocks(locks);
    const lock = ((await usedBytes()) - before) / arena.locks;

    const held = locks[0];
    if (held.lock) {
        held.lock();
    } else {
        void held.execAsync(() => new Promise(() => {}));
    }
    const pending = new Array(requests);
    kept.push(pending);
    const callback = () => {};
    before = await usedBytes();
    for (let number = 0; number < requests; number += 1) {
        pending[number] = held.execAsync(callback);
    }
    return { lock, request: ((await usedBytes()) - before) / requests };
}
