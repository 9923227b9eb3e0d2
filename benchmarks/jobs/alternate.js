/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { CONTROL, controlOf } from '../arena.js';
import { openLock } from '../contestants.js';
import { Counters } from '../counters.js';

/* Threads that take turns by a mutex and a condition: each waits for its own, and makes it the next one's. */

/**
 * @typedef {object} Task
 * @property {import('../arena.js').Arena} arena
 * @property {number} thread
 * @property {{ contestant: string, parties: number }} options
 */

/** @param {Task} task */
async function prepare({ arena, thread, options: { contestant, parties } }) {
    const lock = /** @type {any} */ (await openLock(contestant, arena));
    const counters = new Counters(arena, thread);
    const control = controlOf(arena);
    const goesOn = () => Atomics.load(control, CONTROL.STOP) === 0;
    return {
        lock,
        goesOn,
        // The last turn wakes whoever slept when all were told to stop.
        isMine: () => Atomics.load(control, CONTROL.STEP) === thread || !goesOn(),
        turn() {
            counters.enter();
            counters.leave();
            if (goesOn()) {
                Atomics.store(control, CONTROL.STEP, (thread + 1) % parties);
            }
        },
    };
}

/**
 * Blocks until its turn comes, again and again, until told to stop.
 *
 * @param {Task} task
 */
export async function alternate(task) {
    const { lock, goesOn, isMine, turn } = await prepare(task);
    while (goesOn()) {
        lock.takeTurn(isMine, turn);
    }
    lock.takeTurn(isMine, turn);
}

/**
 * The same on an event loop, which does not block.
 *
 * @param {Task} task
 */
export async function alternateAsync(task) {
    const { lock, goesOn, isMine, turn } = await prepare(task);
    while (goesOn()) {
        await lock.takeTurnAsync(isMine, turn);
    }
    await lock.takeTurnAsync(isMine, turn);
}
