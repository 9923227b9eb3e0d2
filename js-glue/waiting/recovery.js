/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { isAbandoned } from '../errors.js';
import { checkCallback, checkWait } from '../options.js';
import { checkMayBlock } from '../thread/agent.js';
import { callersClock } from '../thread/environment.js';
import { standsFor } from './request.js';
import { checkIsForeign, isThenable, runBlocking, runSection } from './section.js';

/**
 * @typedef {import('../options.js').WaitOptions} WaitOptions
 *
 * @typedef {object} MoreOfRepair
 * @property {number} left what the lock gets back at the end: the dead owner of one that is not recovered
 *
 * @typedef {import('./section.js').Holdable & import('./section.js').Section & MoreOfRepair} Repair a section
 *
 * @typedef {{ promise?: Promise<boolean>, request?: Promise<unknown> }} Asking what recoverAsync() has given, and the request
 *     that it waits for
 *
 * @typedef {object} Recoverable a mutex, or a reader-writer lock, which is recovered exclusively
 * @property {number} byteOffset
 * @property {(callback: () => void) => void} exec
 * @property {(options: WaitOptions) => Promise<import('./guard.js').Guard>} acquireAsync
 */

/**
 * @param {import('../memory/attachment.js').Attachment} attachment
 * @param {Recoverable} lock
 * @param {() => Repair} makeSection
 * @param {() => unknown} repair
 * @returns {boolean} whether this call ran it
 */
export function recover(attachment, lock, makeSection, repair) {
    checkCallback(repair);
    checkMayBlock('recover()', 'recoverAsync()');
    for (;;) {
        const section = makeSection();
        if (takeOver(attachment, lock, section)) {
            return runBlocking(section, () => unlessAsync(section, repair()), 'recoverAsync()');
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
 * @param {import('../memory/attachment.js').Attachment} attachment
 * @param {Recoverable} lock
 * @param {() => Repair} makeSection
 * @param {() => unknown} repair
 * @param {WaitOptions | undefined} options
 * @returns {Promise<boolean>} of whether this call ran it
 */
export function recoverAsync(attachment, lock, makeSection, repair, options) {
    /** @type {Asking} */
    const asking = {};
    const promise = recoverInTurn(attachment, lock, makeSection, repair, options, asking);
    asking.promise = promise;
    standsFor(promise, asking.request); // a section of the lock that awaits the promise waits for itself
    return promise;
}

/**
 * @param {import('../memory/attachment.js').Attachment} attachment
 * @param {Recoverable} lock
 * @param {() => Repair} makeSection
 * @param {() => unknown} repair
 * @param {WaitOptions | undefined} options
 * @param {Asking} asking
 */
async function recoverInTurn(attachment, lock, makeSection, repair, options, asking) {
    checkCallback(repair);
    const nextWait = waitsUntil(options);
    for (;;) {
        const section = makeSection();
        if (takeOver(attachment, lock, section)) {
            return await runSection(section, () => afterRepair(section, repair()));
        }
        try {
            const request = lock.acquireAsync(nextWait());
            asking.request = request;
            standsFor(asking.promise, request);
            (await request).release();
            return false;
        } catch (error) {
            throwUnlessAbandoned(error);
        }
    }
}

/**
 * For waits that follow each other and have one limit.
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
 * Takes the lock over from an owner that has died. The section abandons it again at its end, unless `left` is 0 then.
 *
 * @param {import('../memory/attachment.js').Attachment} attachment
 * @param {Recoverable} lock
 * @param {Repair} section not entered yet
 * @returns {boolean} false: the lock is not abandoned
 */
function takeOver({ exports, self }, { byteOffset }, section) {
    section.left = exports.gate_take_over(byteOffset, self);
    return section.left !== 0;
}

/** @param {unknown} error of a wait for a lock */
function throwUnlessAbandoned(error) {
    if (!isAbandoned(error)) {
        throw error;
    }
}

/**
 * @param {Repair} section
 * @param {unknown} result of the repair
 */
function afterRepair(section, result) {
    if (isThenable(result)) {
        checkIsForeign(section, result);
        return recoveredBy(section, result);
    }
    return recovered(section);
}

/**
 * @param {Repair} section
 * @param {unknown} result of a repair that blocks
 * @returns {any} the same if it is a promise, which is refused
 */
function unlessAsync(section, result) {
    return isThenable(result) ? result : recovered(section);
}

/** @param {Repair} section */
function recovered(section) {
    section.left = 0;
    return true;
}

/**
 * @param {Repair} section
 * @param {unknown} promise of the repair
 */
async function recoveredBy(section, promise) {
    await promise;
    return recovered(section);
}
