/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { CONTROL, controlOf } from '../arena.js';
import { keepBusy } from '../busy.js';
import { openLock } from '../contestants.js';
import { Counters } from '../counters.js';

/* Threads that lock again and again, without a pause, until told to stop. */

/**
 * @typedef {object} Task
 * @property {import('../arena.js').Arena} arena
 * @property {number} thread
 * @property {{ contestant: string, sectionMs: number, readsIn100: number }} options
 */

/** @param {{ arena: import('../arena.js').Arena, thread: number, options: { contestant: string } }} task */
export async function prepare({ arena, thread, options: { contestant } }) {
    const control = controlOf(arena);
    return {
        lock: /** @type {any} */ (await openLock(contestant, arena)),
        counters: new Counters(arena, thread),
        control,
        goesOn: () => Atomics.load(control, CONTROL.STOP) === 0,
    };
}

/** @param {Task} task */
export async function sections(task) {
    const { lock, counters, goesOn } = await prepare(task);
    const { sectionMs } = task.options;
    let worked = performance.now();
    const section = () => {
        counters.enter();
        const end = keepBusy(sectionMs);
        counters.waited(end - sectionMs - worked);
        worked = end;
        counters.leave();
    };
    if (lock.lock) {
        repeatBlocking(lock, section, goesOn);
    } else {
        while (goesOn()) {
            await lock.execAsync(section);
        }
    }
}

/** @param {{ lock(): void, unlock(): void }} lock @param {() => void} section @param {() => boolean} goesOn */
function repeatBlocking(lock, section, goesOn) {
    while (goesOn()) {
        lock.lock();
        section();
        lock.unlock();
    }
}

/** Locks a reader-writer lock again and again, to read or to write at random. @param {Task} task */
export async function readWrite(task) {
    const { lock, counters, goesOn } = await prepare(task);
    const { sectionMs, readsIn100 } = task.options;
    let random = task.thread + 1;
    while (goesOn()) {
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

/** The shifts of a xorshift generator on 32 bits (Marsaglia 2003), the same for all contestants. */
const [LEFT, RIGHT, LEFT_AGAIN] = /** @type {const} */ ([13, 17, 5]);

/** @param {number} random the last number; at first any number but 0 */
function nextRandom(random) {
    let next = random ^ (random << LEFT);
    next ^= next >>> RIGHT;
    return (next ^ (next << LEFT_AGAIN)) >>> 0;
}
