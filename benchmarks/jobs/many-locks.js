/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { CONTROL, controlOf, LOCK_BYTES } from '../arena.js';
import { keepBusy } from '../busy.js';
import { openLock } from '../contestants.js';
import { Counters } from '../counters.js';
import { nextRandom } from './random.js';

/**
 * Takes one of many locks again and again, each time another one at random, until told to stop.
 *
 * @param {object} task
 * @param {import('../arena.js').Arena} task.arena
 * @param {number} task.thread
 * @param {{ contestant: string, sectionMs: number }} task.options
 */
export async function manyLocks({ arena, thread, options: { contestant, sectionMs } }) {
    const locks = [];
    for (let number = 0; number < arena.locks; number += 1) {
        const place = { ...arena, lock: arena.lock + number * LOCK_BYTES };
        const lock = /** @type {any} */ (await openLock(contestant, place));
        locks.push({ lock, counters: new Counters(arena, thread, number) });
    }
    const control = controlOf(arena);
    let random = thread + 1;
    while (Atomics.load(control, CONTROL.STOP) === 0) {
        random = nextRandom(random);
        const { lock, counters } = /** @type {typeof locks[number]} */ (locks[random % locks.length]);
        lock.lock();
        counters.enter();
        keepBusy(sectionMs);
        counters.leave();
        lock.unlock();
    }
}
