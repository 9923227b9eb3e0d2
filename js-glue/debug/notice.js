/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { AT_MASK } from '../memory/layout.js';
import { kindAt, nameAt } from '../memory/names.js';
import { foundFor } from '../memory/placed.js';
import { offsetOfPlace } from '../memory/slot.js';
import { nameOfThread } from '../thread/name.js';
import { printable } from './printable.js';

/**
 * A lock that is used in a way that may be a mistake. Plain data, which may be posted; as a string it is its message with the
 * stacks.
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

/** @typedef {Notice['lock']} LockNamed */

/**
 * @param {import('../memory/attachment.js').Attachment} attachment
 * @param {number} place that a slot shows
 * @returns {LockNamed}
 */
export function lockAt(attachment, place) {
    const byteOffset = offsetOfPlace(place);
    return { kind: kindAt(place & AT_MASK), name: nameThere(attachment, byteOffset), byteOffset };
}

/**
 * The name that a space keeps, or that this thread's object has for which it has waited, or by which it holds.
 *
 * @param {import('../memory/attachment.js').Attachment} attachment
 * @param {number} byteOffset
 */
function nameThere(attachment, byteOffset) {
    const [queue] = attachment.queues.get(byteOffset)?.values() ?? [];
    return queue?.gate.found.name ?? nameAt(attachment, byteOffset);
}

/** @param {import('../memory/placed.js').Placed<any>} lock @returns {LockNamed} */
export function lockNamed(lock) {
    const { attachment, byteOffset, name } = foundFor(lock);
    const { KIND: kind } = /** @type {typeof import('../memory/placed.js').Placed} */ (lock.constructor);
    return { kind, name: name ?? nameAt(attachment, byteOffset), byteOffset };
}

/** Its name, or else its class and its place. @param {LockNamed} lock */
export function nameOrPlace({ kind, name, byteOffset }) {
    return name || `${kind} at ${byteOffset}`;
}

/** @param {LockNamed} lock */
export function titleOf({ kind, name, byteOffset }) {
    return name === '' ? `${kind} at ${byteOffset}` : `${kind} '${printable(name)}'`;
}

/** @param {number} milliseconds */
export function seconds(milliseconds) {
    return `${(milliseconds / 1000).toFixed(1)} s`;
}

/** @implements {Notice} */
class Told {
    /** @type {readonly []} */
    members = [];
    thread = nameOfThread() || 'a thread';

    /**
     * @param {Notice['code']} code
     * @param {LockNamed} lock
     * @param {string} what is seen: of the thread
     * @param {{ certain?: boolean, holder?: string | undefined, heldFrom?: string, askedFrom?: string }} more
     */
    constructor(code, lock, what, { certain = false, holder, heldFrom = '', askedFrom = '' }) {
        this.code = code;
        this.certain = certain;
        this.lock = { kind: lock.kind, name: lock.name, byteOffset: lock.byteOffset };
        this.holder = holder;
        this.heldFrom = heldFrom;
        this.askedFrom = askedFrom;
        this.message = `${printable(this.thread)} ${what}.`;
    }

    toString() {
        const { message, heldFrom, askedFrom } = this;
        return [
            message,
            heldFrom && `  it was taken at\n${heldFrom}`,
            askedFrom && `  it is asked for at\n${askedFrom}`,
        ]
            .filter(Boolean)
            .join('\n');
    }
}

/** @param {ConstructorParameters<typeof Told>} told @returns {Notice} */
export function notice(...told) {
    return new Told(...told);
}
