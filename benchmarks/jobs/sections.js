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
 * @param {{ contestant: string, sectionMs: number }} task.options
 */
export async function sections({ arena, thread, options: { contestant, sectionMs } }) {
    const lock = await openLock(contestant, arena);
    const counters = new Counters(arena, thread);
    const control = controlOf(arena);
    const section = () => {
        counters.enter();
        keepBusy(sectionMs);
        counters.leave();
    };
    const goesOn = () => Atomics.load(control, CONTROL.STOP) === 0;
    const { exec, executeLocked } = lock;
    if (canBlock(lock)) {
        repeatBlocking(lock, section, goesOn);
    } else if (exec) {
        while (goesOn()) {
            exec(section);
        }
    } else {
        while (executeLocked && goesOn()) {
            await executeLocked(section);
        }
    }
}

/** @typedef {import('../contestants.js').Lock} Lock */

/**
 * @param {Lock} lock
 * @returns {lock is Lock & Required<Pick<Lock, 'lock' | 'unlock'>>}
 */
function canBlock(lock) {
    return lock.lock !== undefined;
}

/**
 * @param {Required<Pick<Lock, 'lock' | 'unlock'>>} lock
 * @param {() => void} section
 * @param {() => boolean} goesOn
 */
function repeatBlocking(lock, section, goesOn) {
    while (goesOn()) {
        lock.lock();
        section();
        lock.unlock();
    }
}
