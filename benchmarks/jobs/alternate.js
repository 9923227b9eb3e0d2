/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { CONTROL } from '../arena.js';
import { prepare } from './sections.js';

/* Threads that take turns by a mutex and a condition, until told to stop: each waits for its turn, and gives the turn to the next
 * thread. */

/**
 * @typedef {object} Task
 * @property {import('../arena.js').Arena} arena
 * @property {number} thread
 * @property {{ contestant: string, parties: number }} options
 */

/** @param {Task} task */
async function prepareTurns(task) {
    const { lock, counters, control, goesOn } = await prepare(task);
    const { thread } = task;
    return {
        lock,
        goesOn,
        // The last turn wakes the threads that slept when all were told to stop.
        isMine: () => Atomics.load(control, CONTROL.STEP) === thread || !goesOn(),
        turn() {
            counters.enter();
            counters.leave();
            if (goesOn()) {
                Atomics.store(control, CONTROL.STEP, (thread + 1) % task.options.parties);
            }
        },
    };
}

/** Blocks until its turns come. @param {Task} task */
export async function alternate(task) {
    const { lock, goesOn, isMine, turn } = await prepareTurns(task);
    while (goesOn()) {
        lock.takeTurn(isMine, turn);
    }
    lock.takeTurn(isMine, turn);
}

/** Waits for its turns through the event loop, without blocking. @param {Task} task */
export async function alternateAsync(task) {
    const { lock, goesOn, isMine, turn } = await prepareTurns(task);
    while (goesOn()) {
        await lock.takeTurnAsync(isMine, turn);
    }
    await lock.takeTurnAsync(isMine, turn);
}
