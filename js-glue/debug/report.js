/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { tell } from './listeners.js';
import { printable, thisThread } from './words.js';

/* Reports are plain data, so they can be posted. As a string, a report is its message with the stacks. */

/**
 * Threads that wait for each other.
 * @typedef {object} DeadlockReport
 * @property {'HF_DEADLOCK'} code
 * @property {boolean} certain whether no member can end the cycle; otherwise a member has a time limit, or is an
 *     event loop
 * @property {readonly DeadlockMember[]} members each holds the lock that the member before it waits for; the first
 *     holds the lock that the last waits for
 * @property {string} message in words
 *
 * @typedef {object} DeadlockMember
 * @property {string} thread its name, or its number: `'thread 3'`; for this thread also `'a thread'`
 * @property {string} holds the lock that the member before it waits for
 * @property {string} heldFrom the stack of the call that took it; '' if it is not known
 * @property {string} waitsFor
 * @property {string} askedFrom the stack of the call that waits; '' if it is not known
 * @property {'blocks' | 'blocks for a time' | 'awaits'} how it waits: blocked without a limit, with one, or in its
 *     event loop
 * @property {number} since when it waits, roughly, as a time of `Date.now()`
 */

/**
 * A thread that seems to wait for itself. Never certain: nobody can know whether a promise decides when a section
 * ends.
 * @typedef {DeadlockReport & { certain: false, members: readonly OwnMember[] }} OwnDeadlockReport
 */

/**
 * A section or guard of this thread, and a request that it seems to wait for, with the methods of both.
 * @typedef {DeadlockMember & { how: 'awaits', heldBy: string, askedBy: string }} OwnMember
 */

/**
 * A lock that is used in a way that may be a mistake.
 *
 * - `HF_LONG_WAIT`: a wait of this thread has lasted longer than `waitFor`
 * - `HF_LONG_HOLD`: a section or a guard of this thread has lasted longer than `heldFor`
 * - `HF_GUARD_LOST`: a guard was collected that was not released, so its lock stays taken
 * - `HF_FREED`: this thread has freed a lock that is held or waited for
 *
 * @typedef {object} Notice
 * @property {'HF_LONG_WAIT' | 'HF_LONG_HOLD' | 'HF_GUARD_LOST' | 'HF_FREED'} code
 * @property {boolean} certain whether it is a mistake for sure
 * @property {readonly []} members none: no threads wait for each other
 * @property {{ kind: string, name: string, byteOffset: number }} lock
 * @property {string} thread its name, or `'a thread'`
 * @property {string | undefined} holder the thread that holds the lock, if that is known
 * @property {string} heldFrom the stack of the call that took the lock; '' if it is not known
 * @property {string} askedFrom the stack of the call that waits; '' if no call waits, or it is not known
 * @property {string} message in words
 */

/** @typedef {DeadlockReport | OwnDeadlockReport | Notice} Report */

class Told {
    #calls;

    /** @param {any} report @param {[call: string, stack: string][]} calls '': not known */
    constructor(report, calls) {
        Object.assign(this, report, { message: printable(report.message) });
        this.#calls = calls;
    }

    toString() {
        const { message } = /** @type {any} */ (this);
        const lines = this.#calls.flatMap(([call, stack]) => [call && `  ${printable(call)}`, stack]);
        return [message, ...lines.filter(Boolean)].join('\n');
    }
}

/**
 * @template {DeadlockReport} Made
 * @param {Made['certain']} certain
 * @param {Made['members']} members
 * @param {string} message
 * @returns {Made}
 */
export function deadlock(certain, members, message) {
    const calls = members.flatMap(
        (/** @type {any} */ { thread, holds, heldFrom, waitsFor, askedFrom, ...by }) => {
            const [took, asks] =
                'heldBy' in by
                    ? [`${holds} is held by ${by.heldBy}`, `${waitsFor} is asked for by ${by.askedBy}`]
                    : [heldFrom && `${thread} took ${holds}`, askedFrom && `${thread} waits for ${waitsFor}`];
            return /** @type {[string, string][]} */ ([
                [took, heldFrom],
                [asks, askedFrom],
            ]);
        },
    );
    return /** @type {any} */ (new Told({ code: 'HF_DEADLOCK', certain, members, message }, calls));
}

/**
 * Reports a use of a lock that may be a mistake.
 * @param {Notice['code']} code
 * @param {Notice['lock']} lock
 * @param {string} what the thread was seen to do
 * @param {Partial<Notice>} [more]
 * @param {boolean} [blocks] whether this thread is blocked
 */
export function remark(code, { kind, name, byteOffset }, what, more, blocks = false) {
    const thread = thisThread();
    const lock = { kind, name, byteOffset };
    const known = { certain: false, holder: undefined, heldFrom: '', askedFrom: '', ...more };
    const { heldFrom, askedFrom } = known;
    const report = { code, members: [], lock, thread, ...known, message: `${thread} ${what}.` };
    const told = new Told(report, [
        [heldFrom && 'it was taken at', heldFrom],
        [askedFrom && 'it is asked for at', askedFrom],
    ]);
    tell(/** @type {any} */ (told), false, blocks);
}
