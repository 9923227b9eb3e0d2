/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { isAbandoned } from '../errors.js';
import { checkCallback, checkWait } from '../options.js';
import { checkMayBlock } from '../thread/capabilities.js';
import { settled } from '../thread/event-loop.js';
import { ask } from './request.js';
import { checkIsForeign, isThenable, runBlocking, runSection, Section } from './section.js';

/** @typedef {import('./section.js').GateQueue} GateQueue of a mutex, or of a reader-writer lock, which is recovered exclusively */

/**
 * Takes a lock over from its dead owner, and runs the callback. The section abandons the lock again at its
 * end, unless `dead` is 0 by then.
 *
 * @param {GateQueue} queue
 * @param {{ exec: (callback: () => void) => void }} lock
 * @param {() => unknown} repair
 * @returns {boolean} whether this call ran it
 */
export function recover(queue, lock, repair) {
    checkCallback(repair);
    checkMayBlock('recoverAsync()');
    for (;;) {
        const dead = queue.gate.takeOver();
        if (dead !== 0) {
            const section = new Section(queue, queue.gate.alone, dead);
            const run = () => {
                const result = repair();
                return isThenable(result) ? result : recovered(section);
            };
            return /** @type {boolean} */ (runBlocking(section, run, 'recoverAsync()'));
        }
        try {
            lock.exec(() => {});
            return false;
        } catch (error) {
            throwUnlessAbandoned(error);
        }
    }
}

/** @param {unknown} error of a wait for a lock */
function throwUnlessAbandoned(error) {
    if (!isAbandoned(error)) {
        throw error;
    }
}

/**
 * @param {GateQueue} queue of the lock
 * @param {() => unknown} repair
 * @param {import('../options.js').WaitOptions | undefined} options
 * @returns {Promise<boolean>} of whether this call ran it
 */
export function recoverAsync(queue, repair, options) {
    const { gate } = queue;
    try {
        checkCallback(repair);
        const wait = { ...checkWait(options), recovers: true };
        for (;;) {
            const dead = gate.takeOver();
            if (dead !== 0) {
                return settled(Promise.resolve(startRepair(queue, repair, gate.alone, dead)));
            }
            try {
                return ask(queue, gate.alone, startRepair, repair, wait);
            } catch (error) {
                throwUnlessAbandoned(error); // an attempt without a wait found the holder dead
            }
        }
    } catch (error) {
        return settled(Promise.reject(error));
    }
}

/**
 * Starts a granted request of recoverAsync().
 *
 * @param {GateQueue} queue
 * @param {() => unknown} repair
 * @param {number} amount
 * @param {number} [dead] the dead owner; 0 or absent: the lock is not abandoned
 * @returns {boolean | Promise<boolean>} whether this ran it
 */
function startRepair(queue, repair, amount, dead) {
    const section = new Section(queue, amount, dead);
    return runSection(section, () => dead !== undefined && runRepair(section, repair));
}

/** @param {Section} section @param {() => unknown} repair */
async function runRepair(section, repair) {
    const result = repair();
    checkIsForeign(section, result);
    await result;
    return recovered(section);
}

/**
 * Marks the lock as good again.
 *
 * @param {Section} section of a repair
 */
function recovered(section) {
    section.dead = 0;
    return true;
}
