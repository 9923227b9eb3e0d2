/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { CONTROL, stampOf } from '../arena.js';
import { keepBusy } from '../event-loop.js';
import { prepare } from './sections.js';

/* Two workers: one releases the lock, the other waits asleep and takes it, `times` times. They agree on each round by spinning on
 * two control words, so that they sleep only for the measured lock. */

/**
 * @typedef {import('./jobs.js').TaskOf<{ times: number, holdMs: number, awaits: boolean }>} Task the number of rounds, how long the
 *     taker is made to wait, and whether it waits through the event loop
 */

/** The time on a clock that all threads share: performance.now() starts at 0 in each worker. */
function now() {
    return process.hrtime.bigint();
}

/** @param {Int32Array} control @param {number} word @param {number} value */
function spinUntil(control, word, value) {
    while (Atomics.load(control, word) !== value) {
        /* spins */
    }
}

/** @param {Task} task */
export async function giveLock(task) {
    const { lock, counters, control } = await prepare(task);
    const { times, holdMs } = task.options;
    const stamp = stampOf(task.arena);
    for (let time = 1; time <= times; time += 1) {
        lock.lock();
        counters.enter();
        Atomics.store(control, CONTROL.STEP, time);
        keepBusy(holdMs);
        counters.leave();
        stamp[0] = now();
        lock.unlock();
        spinUntil(control, CONTROL.ANSWER, time);
    }
}

/** @param {Task} task @returns {Promise<number[]>} microseconds since the other thread's time stamp */
export async function takeLock(task) {
    const { lock, counters, control } = await prepare(task);
    const stamp = stampOf(task.arena);
    /** @type {number[]} */
    const microseconds = [];
    const section = () => {
        microseconds.push(Number(now() - /** @type {bigint} */ (stamp[0])) / 1000);
        counters.enter();
        counters.leave();
    };
    for (let time = 1; time <= task.options.times; time += 1) {
        spinUntil(control, CONTROL.STEP, time);
        if (task.options.awaits) {
            await lock.execAsync(section);
        } else {
            lock.lock();
            section();
            lock.unlock();
        }
        Atomics.store(control, CONTROL.ANSWER, time);
    }
    return microseconds;
}
