/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { CONTROL, controlOf, stampOf } from '../arena.js';
import { keepBusy } from '../busy.js';
import { openLock } from '../contestants.js';
import { Counters } from '../counters.js';

/* Two workers: one gives, the other waits asleep and takes, as often as told; by a lock, and by a bare word.
 * They agree on each round by two control words on which they spin, so that neither sleeps for anything but
 * what is measured. */

/** @typedef {import('../arena.js').Arena} Arena */
/** @typedef {{ times: number, holdMs: number }} Options how often, and how long the taker is made to wait */
/** @typedef {Options & { contestant: string }} LockOptions */

/** Time that all threads share: performance.now() starts anew in each worker. */
function now() {
    return process.hrtime.bigint();
}

/**
 * @param {Int32Array} control
 * @param {number} word
 * @param {number} value
 */
function spinUntil(control, word, value) {
    while (Atomics.load(control, word) !== value) {
        /* looking costs nothing but this thread's time */
    }
}

/**
 * @param {Arena} arena
 * @returns {number} microseconds since the giver's stamp
 */
function sinceStamp(arena) {
    return Number(now() - /** @type {bigint} */ (stampOf(arena)[0])) / 1000;
}

/** @param {{ arena: Arena, thread: number, options: LockOptions }} task */
export async function giveLock({ arena, thread, options: { contestant, times, holdMs } }) {
    const lock = /** @type {any} */ (await openLock(contestant, arena));
    const counters = new Counters(arena, thread);
    const control = controlOf(arena);
    const stamp = stampOf(arena);
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

/** @param {{ arena: Arena, thread: number, options: LockOptions }} task */
export async function takeLock({ arena, thread, options: { contestant, times } }) {
    const lock = /** @type {any} */ (await openLock(contestant, arena));
    const counters = new Counters(arena, thread);
    const control = controlOf(arena);
    const microseconds = [];
    for (let time = 1; time <= times; time += 1) {
        spinUntil(control, CONTROL.STEP, time);
        lock.lock();
        microseconds.push(sinceStamp(arena));
        counters.enter();
        counters.leave();
        lock.unlock();
        Atomics.store(control, CONTROL.ANSWER, time);
    }
    return microseconds;
}

/**
 * takeLock for an event loop.
 *
 * @param {{ arena: Arena, thread: number, options: LockOptions }} task
 */
export async function awaitLock({ arena, thread, options: { contestant, times } }) {
    const lock = /** @type {any} */ (await openLock(contestant, arena));
    const counters = new Counters(arena, thread);
    const control = controlOf(arena);
    /** @type {number[]} */
    const microseconds = [];
    for (let time = 1; time <= times; time += 1) {
        spinUntil(control, CONTROL.STEP, time);
        await lock.executeLocked(() => {
            microseconds.push(sinceStamp(arena));
            counters.enter();
            counters.leave();
        });
        Atomics.store(control, CONTROL.ANSWER, time);
    }
    return microseconds;
}

/** @param {{ arena: Arena, options: Options }} task */
export function giveWord({ arena, options: { times, holdMs } }) {
    const control = controlOf(arena);
    const stamp = stampOf(arena);
    for (let time = 1; time <= times; time += 1) {
        keepBusy(holdMs);
        stamp[0] = now();
        Atomics.store(control, CONTROL.STEP, time);
        Atomics.notify(control, CONTROL.STEP);
        spinUntil(control, CONTROL.ANSWER, time);
    }
}

/** @param {{ arena: Arena, options: Options }} task */
export function takeWord({ arena, options: { times } }) {
    const control = controlOf(arena);
    const microseconds = [];
    for (let time = 1; time <= times; time += 1) {
        Atomics.wait(control, CONTROL.STEP, time - 1);
        microseconds.push(sinceStamp(arena));
        Atomics.store(control, CONTROL.ANSWER, time);
    }
    return microseconds;
}

/** takeWord for an event loop. @param {{ arena: Arena, options: Options }} task */
export async function awaitWord({ arena, options: { times } }) {
    const control = controlOf(arena);
    const microseconds = [];
    for (let time = 1; time <= times; time += 1) {
        await Atomics.waitAsync(control, CONTROL.STEP, time - 1).value;
        microseconds.push(sinceStamp(arena));
        Atomics.store(control, CONTROL.ANSWER, time);
    }
    return microseconds;
}
