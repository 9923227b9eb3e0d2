/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { isAbandoned } from '../errors.js';
import { checkCallback, checkWait } from '../options.js';
import { checkMayBlock } from '../thread/capabilities.js';
import { callersClock } from '../thread/environment.js';
import { settled } from '../thread/event-loop.js';
import { standsFor } from './request.js';
import { checkIsForeign, isThenable, runBlocking, runSection, Section } from './section.js';

/**
 * @typedef {import('../options.js').WaitOptions} WaitOptions
 * @typedef {import('./section.js').GateQueue} GateQueue
 *
 * @typedef {object} Recoverable a mutex, or a reader-writer lock, which is recovered exclusively
 * @property {(callback: () => void) => void} exec
 * @property {(options: WaitOptions) => Promise<import('./section.js').Guard>} acquireAsync
 */

/**
 * Takes the lock over from an owner that has died. The section abandons it again at its end, unless `left` is 0 then.
 *
 * @param {GateQueue} queue of the lock
 * @returns {Section | undefined} undefined: the lock is not abandoned
 */
function takeOver(queue) {
    const { byteOffset, attachment } = queue.gate.found;
    const { exports, self } = attachment;
    const left = exports.owned_take_over(byteOffset, self);
    return left === 0 ? undefined : new Section(queue, self, left);
}

/** @param {unknown} error of a wait for a lock */
function throwUnlessAbandoned(error) {
    if (!isAbandoned(error)) {
        throw error;
    }
}

/**
 * @param {GateQueue} queue of the lock
 * @param {Recoverable} lock
 * @param {() => unknown} repair
 * @returns {boolean} whether this call ran it
 */
export function recover(queue, lock, repair) {
    checkCallback(repair);
    checkMayBlock('recoverAsync()');
    for (;;) {
        const section = takeOver(queue);
        if (section) {
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

/**
 * @param {() => GateQueue} queueOf the lock
 * @param {Recoverable} lock
 * @param {() => unknown} repair
 * @param {WaitOptions | undefined} options
 * @returns {Promise<boolean>} of whether this call ran it
 */
export function recoverAsync(queueOf, lock, repair, options) {
    /** @type {{ first?: Promise<unknown> }} */
    const requests = {};
    const recovers = recoverInTurn(queueOf, lock, repair, options, requests);
    const promise = requests.first ? recovers : settled(recovers); // what waits is settled in the order made
    standsFor(promise, requests.first); // a section of the lock that awaits the promise waits for itself
    return promise;
}

/**
 * @param {() => GateQueue} queueOf the lock, which may be freed meanwhile
 * @param {Recoverable} lock
 * @param {() => unknown} repair
 * @param {WaitOptions | undefined} options
 * @param {{ first?: Promise<unknown> }} requests that it waits for
 */
async function recoverInTurn(queueOf, lock, repair, options, requests) {
    checkCallback(repair);
    const nextWait = waitsUntil(options);
    for (;;) {
        const section = takeOver(queueOf());
        if (section) {
            return await runSection(section, async () => {
                const result = repair();
                checkIsForeign(section, result);
                await result;
                return recovered(section);
            });
        }
        try {
            const request = lock.acquireAsync(nextWait());
            requests.first ??= request;
            (await request).release();
            return false;
        } catch (error) {
            throwUnlessAbandoned(error);
        }
    }
}

/**
 * Returns the options of consecutive waits that share one limit.
 *
 * @param {WaitOptions | undefined} options
 * @returns {() => WaitOptions} the options of the next wait
 */
export function waitsUntil(options) {
    const { timeout, signal } = checkWait(options);
    const now = callersClock();
    /** @type {number | undefined} */
    let began; // with the first wait, whose error names the limit as given
    return () => {
        const time = now();
        began ??= time;
        return { timeout: timeout - Math.floor(time - began), signal };
    };
}

/**
 * Marks the lock as good again.
 *
 * @param {Section} section of a repair
 */
function recovered(section) {
    section.left = 0;
    return true;
}
