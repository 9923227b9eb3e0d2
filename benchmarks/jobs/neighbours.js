/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { CONTROL, controlOf, LINE_BYTES, PAIR_BYTES } from '../arena.js';
import { openLock } from '../contestants.js';
import { Counters } from '../counters.js';

/**
 * Takes a lock that no other thread takes, again and again, until told to stop.
 *
 * @param {object} task
 * @param {import('../arena.js').Arena} task.arena
 * @param {number} task.thread
 * @param {{ contestant: string, distance: number }} task.options `distance`: how far apart the threads' locks begin, in bytes
 */
export async function neighbours({ arena, thread, options: { contestant, distance } }) {
    const place = { ...arena, lock: arena.lock + thread * distance };
    const lock = /** @type {any} */ (await openLock(contestant, place));
    const counters = new Counters(arena, thread, thread * (LINE_BYTES / PAIR_BYTES));
    const control = controlOf(arena);
    while (Atomics.load(control, CONTROL.STOP) === 0) {
        lock.lock();
        counters.enter();
        counters.leave();
        lock.unlock();
    }
}
