/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { tell } from './listeners.js';
import { printable, thisThread } from './words.js';

/* Reports are plain data, which may be posted; as strings they are their messages with the stacks. */

/**
 * Threads that wait for each other.
 *
 * @typedef {object} DeadlockReport
 * @property {'HF_DEADLOCK'} code
 * @property {boolean} certain whether nobody in the cycle can end it; else one of them has a time limit, or is an event loop
 * @property {readonly DeadlockMember[]} members each holds what the one before it waits for, and the first what the last
 *     waits for
 * @property {string} message in words
 *
 * @typedef {object} DeadlockMember
 * @property {string} thread its name, or its number: `'thread 3'`; of this thread also `'a thread'`
 * @property {string} holds what the member before it waits for
 * @property {string} heldFrom the stack of the call that took it; '' if it is not known
 * @property {string} waitsFor
 * @property {string} askedFrom the stack of the call that waits; '' if it is not known
 * @property {'blocks' | 'blocks for a time' | 'awaits'} how it waits: without a limit, with one, by its event loop
 * @property {number} since when it waits, roughly, as `Date.now()` tells it
 */

/**
 * A thread that seems to wait for itself: never certain, since nobody can know whether a promise decides when a section ends.
 *
 * @typedef {DeadlockReport & { certain: false, members: readonly OwnMember[] }} OwnDeadlockReport
 */

/**
 * A section or guard of this thread, and a request that it waits for, as far as that can be known: with the methods that took
 * and that wait.
 *
 * @typedef {DeadlockMember & { how: 'awaits', heldBy: string, askedBy: string }} OwnMember
 */

/**
 * A lock that is used in a way that may be a mistake.
 *
 * - `HF_LONG_WAIT`: a wait of this thread has lasted longer than `waitFor`
 * - `HF_LONG_HOLD`: a section or a guard of this thread has lasted longer than `heldFor`
 * - `HF_GUARD_LOST`: a guard was collected that was not released, so its lock stays taken
 * - `HF_FREED`: this thread has freed a lock that is held, or that a thread waits for
 *
 * @typedef {object} Notice
 * @property {'HF_LONG_WAIT' | 'HF_LONG_HOLD' | 'HF_GUARD_LOST' | 'HF_FREED'} code
 * @property {boolean} certain whether it is a mistake for sure
 * @property {readonly []} members none: no threads wait for each other
 * @property {{ kind: string, name: string, byteOffset: number }} lock
 * @property {string} thread its name, or `'a thread'`
 * @property {string | undefined} holder the thread that holds the lock, if that is known
 * @property {string} heldFrom the stack of the call that took the lock; '' if it is not known
 * @property {string} askedFrom the stack of the call that waits; '' if none does, or it is not known
 * @property {string} message in words
 */

/** @typedef {DeadlockReport | OwnDeadlockReport | Notice} Report */

class Told {
    /** Calls, each with its stack. */
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
 * Tells of a lock that may be used by mistake.
 *
 * @param {Notice['code']} code
 * @param {Notice['lock']} lock
 * @param {string} what is seen: of the thread
 * @param {Partial<Notice>} [more]
 * @param {boolean} [blocks] whether this thread does
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
