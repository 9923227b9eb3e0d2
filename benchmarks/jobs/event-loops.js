/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { CONTROL } from '../arena.js';
import { Asker, keepBusy } from '../event-loop.js';
import { prepare } from './sections.js';

/* Event loops that share an object: some hold it asleep, again and again. One has jobs and pauses, and requests the object whenever
 * its last request was answered; it is the last thread, and ends the run. */

/**
 * @typedef {import('./jobs.js').TaskOf<{ how: object, holdMs: number, jobMs: number, pauseMs: number, seconds: number }>} Task
 *     `how`: options of execAsync()
 */

/** @param {number} ms @returns {Promise<void>} */
function sleep(ms) {
    return new Promise((resolve) => void setTimeout(resolve, ms));
}

/** @param {Task} task */
export async function holdAsleep(task) {
    const { lock, control, goesOn } = await prepare(task);
    const { how, holdMs } = task.options;
    Atomics.add(control, CONTROL.STEP, 1);
    while (goesOn()) {
        await lock.execAsync(() => sleep(holdMs), how);
    }
}

/** @param {Task} task @returns {Promise<number[]>} the wait of each request, in ms */
export async function awaitAmong(task) {
    const { lock, counters, control } = await prepare(task);
    const { how, jobMs, pauseMs, seconds } = task.options;
    while (Atomics.load(control, CONTROL.STEP) < task.thread) {
        await sleep(1); // until the others have begun
    }
    const asker = new Asker({ execAsync: (callback) => lock.execAsync(callback, how) }, counters);
    const end = performance.now() + seconds * 1000;
    while (performance.now() < end || !asker.isAnswered) {
        if (asker.isAnswered) {
            asker.ask();
        }
        keepBusy(jobMs);
        await sleep(pauseMs);
    }
    Atomics.store(control, CONTROL.STOP, 1);
    return asker.waits();
}
