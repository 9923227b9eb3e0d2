/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { CONTROL, controlOf } from '../arena.js';
import { openLock } from '../contestants.js';

/**
 * Takes the lock, says so, and keeps it until told to release it; as often as told.
 *
 * @param {object} task
 * @param {import('../arena.js').Arena} task.arena
 * @param {{ contestant: string, times: number }} task.options
 */
export async function hold({ arena, options: { contestant, times } }) {
    const lock = /** @type {any} */ (await openLock(contestant, arena));
    const control = controlOf(arena);
    for (let time = 1; time <= times; time += 1) {
        lock.lock();
        Atomics.store(control, CONTROL.ANSWER, time);
        Atomics.notify(control, CONTROL.ANSWER);
        // The step after the one that was answered: release.
        Atomics.wait(control, CONTROL.STEP, 2 * time - 2);
        lock.unlock();
        Atomics.wait(control, CONTROL.STEP, 2 * time - 1);
    }
}
