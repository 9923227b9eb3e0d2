/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { isAbandoned } from '../errors.js';
import { checkCallback, checkWait } from '../options.js';
import { checkMayBlock } from '../thread/capabilities.js';
import { environment } from '../thread/environment.js';
import { promised, settled } from '../thread/event-loop.js';
import { ask, standsFor } from './request.js';
import { checkIsForeign, isThenable, runBlocking, runSection, Section } from './section.js';

/**
 * @typedef {import('./section.js').GateQueue} GateQueue of a mutex, or of a reader-writer lock: recovery takes that
 *     one exclusively
 */

/**
 * Takes a lock over from its dead owner, and runs the callback. The section abandons the lock again at its end,
 * unless `dead` is 0 by then.
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
 * Takes a lock without blocking, also from a dead owner: a request that finds the owner dead is rejected, and this
 * function then takes the lock over, or asks again if another thread was faster.
 * @param {GateQueue} queue
 * @param {(queue: GateQueue, callback: any, amount: number, dead?: number) => unknown} start called with the lock
 *     held; `dead`: the owner that it was taken over from
 * @param {unknown} callback
 * @param {import('../options.js').Wait} wait
 * @returns {Promise<any>} of what `start` returns
 */
export function askOrTakeOver(queue, start, callback, wait) {
    const { gate } = queue;
    const dead = gate.takeOver();
    if (dead !== 0) {
        return settled(Promise.resolve(start(queue, callback, gate.alone, dead)));
    }
    const end = environment.now() + wait.timeout;
    const again = (/** @type {unknown} */ error) => {
        throwUnlessAbandoned(error);
        const timeout = Math.max(end - environment.now(), 0);
        return askOrTakeOver(queue, start, callback, { ...wait, timeout });
    };
    const asked = promised(() => ask(queue, gate.alone, start, callback, wait));
    const promise = asked.catch(again);
    standsFor(promise, asked);
    return promise;
}

/**
 * @param {GateQueue} queue of the lock
 * @param {() => unknown} repair
 * @param {import('../options.js').WaitOptions | undefined} options
 * @returns {Promise<boolean>} of whether this call ran it
 */
export function recoverAsync(queue, repair, options) {
    return promised(() => {
        checkCallback(repair);
        return askOrTakeOver(queue, startRepair, repair, checkWait(options));
    });
}

/**
 * @param {GateQueue} queue
 * @param {() => unknown} repair
 * @param {number} amount
 * @param {number} [dead] absent: the lock is not abandoned
 * @returns {boolean | Promise<boolean>} whether it ran `repair`
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

/** Marks the lock as repaired. @param {Section} section of a repair */
function recovered(section) {
    section.dead = 0;
    return true;
}
