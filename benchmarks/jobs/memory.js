/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { LOCK_BYTES } from '../arena.js';
import { openLock } from '../contestants.js';

/** What is measured, so that no collection takes what a function uses no more. @type {unknown[]} */
const kept = [];

/** @returns {() => number} bytes of this thread's heap that are in use, after a collection */
function heapMeter() {
    setFlagsFromString('--expose-gc');
    const collect = /** @type {() => void} */ (runInNewContext('gc'));
    return () => {
        collect();
        return getHeapStatistics().used_heap_size;
    };
}

/**
 * What locks and pending requests take of the heap. The requests are never answered: the thread has to be ended.
 *
 * @param {object} task
 * @param {import('../arena.js').Arena} task.arena
 * @param {{ contestant: string, requests: number }} task.options
 * @returns {Promise<{ lock: number, request?: number }>} bytes for each
 */
export async function memory({ arena, options: { contestant, requests } }) {
    const usedBytes = heapMeter();
    const locks = new Array(arena.locks);
    kept.push(locks);
    await openLock(contestant, arena); // loads what it needs
    let before = usedBytes();
    for (let number = 0; number < arena.locks; number += 1) {
        locks[number] = await openLock(contestant, { ...arena, lock: arena.lock + number * LOCK_BYTES });
    }
    const lock = (usedBytes() - before) / arena.locks;

    const held = /** @type {import('../contestants.js').Lock} */ (locks[0]);
    if (held.executeLocked === undefined) {
        return { lock };
    }
    if (held.lock) {
        held.lock();
    } else {
        void held.executeLocked(() => new Promise(() => {}));
    }
    const pending = new Array(requests);
    kept.push(pending);
    const callback = () => {};
    await new Promise((resolve) => setImmediate(resolve));
    before = usedBytes();
    for (let number = 0; number < requests; number += 1) {
        pending[number] = held.executeLocked(callback);
    }
    await new Promise((resolve) => setImmediate(resolve));
    return { lock, request: (usedBytes() - before) / requests };
}
