/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { environment } from '../thread/environment.js';
import { nameOfThread } from '../thread/name.js';
import { lockNamed, nameOrPlace } from './notice.js';
import { stackOf } from './origin.js';
import { printable } from './printable.js';

/** @typedef {import('./call.js').Call} Call */
/** @typedef {import('./deadlocks.js').DeadlockMember} DeadlockMember */

/**
 * A section or guard of this thread, and a request that it waits for, as far as that can be known.
 *
 * @typedef {object} OwnMember
 * @property {string} thread its name, or `'a thread'`
 * @property {string} holds what the member before it waits for
 * @property {string} heldBy the method that took it
 * @property {string} heldFrom the stack of that call; '' if it is not known
 * @property {string} waitsFor
 * @property {string} askedBy the method that waits
 * @property {string} askedFrom the stack of that call
 * @property {'awaits'} how it waits
 * @property {number} since when it waits, as `Date.now()` tells it
 */

/**
 * A thread that seems to wait for itself. Plain data, which may be posted; as a string it is its message with the stacks.
 *
 * @typedef {object} OwnDeadlockReport
 * @property {'HF_DEADLOCK'} code
 * @property {false} certain whether a promise decides when a section ends cannot be known
 * @property {readonly OwnMember[]} members each holds what the one before it waits for, and the first what the last
 *     waits for
 * @property {string} message in words
 */

/** @param {Call} call */
function titleOf({ lock }) {
    return nameOrPlace(lockNamed(lock));
}

/** @param {Call} holder @param {Call} waiter @returns {OwnMember} */
function memberOf(holder, waiter) {
    return {
        thread: nameOfThread() || 'a thread',
        holds: titleOf(holder),
        heldBy: holder.method,
        heldFrom: stackOf(holder.origin),
        waitsFor: titleOf(waiter),
        askedBy: waiter.method,
        askedFrom: stackOf(waiter.origin),
        how: 'awaits',
        since: environment.date() - (environment.now() - waiter.since),
    };
}

/**
 * A report of threads that wait for each other, or of one that waits for itself.
 *
 * @template {boolean} Certain
 * @template {DeadlockMember | OwnMember} Member
 */
export class Deadlock {
    /** @type {'HF_DEADLOCK'} */
    code = 'HF_DEADLOCK';

    /** @param {Certain} certain @param {Member[]} members @param {string} message */
    constructor(certain, members, message) {
        this.certain = certain;
        this.members = members;
        this.message = printable(message);
    }

    toString() {
        return [this.message, ...this.members.flatMap(linesOf)].join('\n');
    }
}

/** @param {DeadlockMember | OwnMember} member @returns {string[]} */
function linesOf({ thread, holds, heldFrom, waitsFor, askedFrom, ...by }) {
    const [took, asks] =
        'heldBy' in by
            ? [`${holds} is held by ${by.heldBy}`, `${waitsFor} is asked for by ${by.askedBy}`]
            : [heldFrom && `${thread} took ${holds}`, askedFrom && `${thread} waits for ${waitsFor}`];
    return [took && `  ${printable(took)}`, heldFrom, asks && `  ${printable(asks)}`, askedFrom].filter(
        Boolean,
    );
}

/** @param {OwnMember[]} members @param {string} what is seen @returns {OwnDeadlockReport} */
function reportOf(members, what) {
    return new Deadlock(
        /** @type {const} */ (false),
        members,
        `Perhaps a deadlock in ${members[0]?.thread}: ${what}.`,
    );
}

/** Each section awaits the next call. @param {[Call, Call][]} ring @returns {OwnDeadlockReport} */
export function reportOfRing(ring) {
    const members = ring.map(([holder, waiter]) => memberOf(holder, waiter));
    const chain = members.map(({ holds, waitsFor }) => `a section holds ${holds} and awaits ${waitsFor}`);
    return reportOf(members, chain.join('; '));
}

/** Only their time suggests that the two have to do with each other. @param {Call} holder @param {Call} waiter */
export function reportOfLongWait(holder, waiter) {
    const member = memberOf(holder, waiter);
    const seconds = ((environment.now() - holder.since) / 1000).toFixed(1);
    const who = holder.holdsBy === 'guard' ? 'a guard' : 'a section';
    const what = `${who} has held ${member.holds} for ${seconds} s, and a request of the same thread waits for it`;
    return reportOf([member], what);
}
