/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { CONTROL, controlOf } from '../arena.js';
import { keepBusy } from '../busy.js';
import { openLock } from '../contestants.js';
import { Counters } from '../counters.js';

/**
 * Locks again and again, without a pause, until told to stop.
 *
 * @param {object} task
 * @param {import('../arena.js').Arena} task.arena
 * @param {number} task.thread
 * @param {{ contestant: import('../contestants.js').Contestant, sectionMs: number }} task.options
 */
export function sections({ arena, thread, options: { contestant, sectionMs } }) {
    const lock = openLock(contestant, arena);
    const counters = new Counters(arena, thread);
    const control = controlOf(arena);
    while (Atomics.load(control, CONTROL.STOP) === 0) {
        lock.lock();
        counters.enter();
        keepBusy(sectionMs);
        counters.leave();
        lock.unlock();
    }
}
