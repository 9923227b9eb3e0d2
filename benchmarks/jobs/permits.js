/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { CONTROL, controlOf } from '../arena.js';
import { keepBusy } from '../busy.js';
import { openLock } from '../contestants.js';
import { Counters } from '../counters.js';

/**
 * Takes a permit of a semaphore again and again, until told to stop.
 *
 * @param {object} task
 * @param {import('../arena.js').Arena} task.arena
 * @param {number} task.thread
 * @param {{ contestant: string, sectionMs: number }} task.options
 */
export async function permits({ arena, thread, options: { contestant, sectionMs } }) {
    const semaphore = /** @type {any} */ (await openLock(contestant, arena));
    const counters = new Counters(arena, thread);
    const control = controlOf(arena);
    while (Atomics.load(control, CONTROL.STOP) === 0) {
        semaphore.lock();
        counters.enterWithPermit();
        keepBusy(sectionMs);
        counters.leaveWithPermit();
        semaphore.unlock();
    }
}
