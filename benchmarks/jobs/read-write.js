/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { CONTROL, controlOf } from '../arena.js';
import { keepBusy } from '../busy.js';
import { openLock } from '../contestants.js';
import { Counters } from '../counters.js';
import { nextRandom } from './random.js';

/**
 * Takes a reader-writer lock again and again, at random to read or to write, until told to stop.
 *
 * @param {object} task
 * @param {import('../arena.js').Arena} task.arena
 * @param {number} task.thread
 * @param {{ contestant: string, sectionMs: number, readsIn100: number }} task.options
 */
export async function readWrite({ arena, thread, options: { contestant, sectionMs, readsIn100 } }) {
    const lock = /** @type {any} */ (await openLock(contestant, arena));
    const counters = new Counters(arena, thread);
    const control = controlOf(arena);
    let random = thread + 1;
    while (Atomics.load(control, CONTROL.STOP) === 0) {
        random = nextRandom(random);
        if (random % 100 < readsIn100) {
            lock.lockShared();
            counters.look();
            keepBusy(sectionMs);
            counters.look();
            counters.tally();
            lock.unlockShared();
        } else {
            lock.lock();
            counters.enter();
            keepBusy(sectionMs);
            counters.leave();
            lock.unlock();
        }
    }
}
