/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { isRing } from '../channel/message.js';
import {
    AT_MASK,
    AT_MUTEX,
    CHANNEL_ALIGN,
    CHANNEL_BYTES,
    CHANNEL_RECEIVERS_OFFSET,
    CHANNEL_RING_OFFSET,
    CHANNEL_SENDERS_OFFSET,
} from '../memory/layout.js';
import { kindAt, nameAt } from '../memory/names.js';
import { foundFor } from '../memory/placed.js';
import { offsetOfPlace } from '../memory/slot.js';
import { environment } from '../thread/environment.js';
import { nameOfThread } from '../thread/name.js';

/* Formats locks, times and names. */

/** @typedef {import('../errors.js').LockNamed} LockNamed */

/** @typedef {import('../memory/attachment.js').Attachment} Attachment */

/**
 * The channel for which a thread waits. The thread's slot shows the mutex of the channel's senders or receivers. The
 * two mutexes are 64 bytes apart, and behind each is the size of the ring. No other lock looks like that.
 * @param {Attachment} attachment
 * @param {number} place that a slot shows
 * @returns {{ byteOffset: number, to: 'send' | 'receive' } | undefined} undefined: it is not for a channel
 */
export function channelAt({ memory }, place) {
    const { buffer } = memory;
    const isChannel = (/** @type {number} */ byteOffset) => {
        const isInside = byteOffset % CHANNEL_ALIGN === 0 && byteOffset + CHANNEL_BYTES <= buffer.byteLength;
        const words = new Int32Array(buffer, 0, isInside ? (byteOffset + CHANNEL_BYTES) / 4 : 0);
        const [ring, other] = [CHANNEL_SENDERS_OFFSET, CHANNEL_RECEIVERS_OFFSET].map(
            (side) => words[(byteOffset + side + CHANNEL_RING_OFFSET) / 4],
        );
        return ring === other && isRing(ring);
    };
    const senders = offsetOfPlace(place) - CHANNEL_SENDERS_OFFSET;
    const receivers = offsetOfPlace(place) - CHANNEL_RECEIVERS_OFFSET;
    if ((place & AT_MASK) !== AT_MUTEX) {
        return undefined;
    }
    if (isChannel(senders)) {
        return { byteOffset: senders, to: 'send' };
    }
    return receivers > 0 && isChannel(receivers) ? { byteOffset: receivers, to: 'receive' } : undefined;
}

/**
 * @param {Attachment} attachment
 * @param {number} place that a slot shows
 * @returns {LockNamed} with its name in the space, or of this thread's object that waits for it or holds it
 */
export function lockAt(attachment, place) {
    const channel = channelAt(attachment, place);
    const { byteOffset } = channel ?? { byteOffset: offsetOfPlace(place) };
    const [queue] = attachment.queues.get(byteOffset)?.values() ?? [];
    const { name = nameAt(attachment, byteOffset), kind = 'Channel' } = queue?.gate?.found ?? {};
    return { kind: channel ? kind : kindAt(place & AT_MASK), name, byteOffset };
}

/** @param {import('../memory/placed.js').Placed<any>} lock @returns {LockNamed} */
export function lockNamed(lock) {
    const { attachment, byteOffset, name } = foundFor(lock);
    const { KIND: kind } = /** @type {typeof import('../memory/placed.js').Placed} */ (lock.constructor);
    return { kind, name: name ?? nameAt(attachment, byteOffset), byteOffset };
}

/** A lock's name; without a name, its class and place. @param {LockNamed} lock */
export function nameOrPlace({ kind, name, byteOffset }) {
    return name || `${kind} at ${byteOffset}`;
}

/** @param {LockNamed} lock */
export function titleOf({ kind, name, byteOffset }) {
    return name === '' ? `${kind} at ${byteOffset}` : `${kind} '${printable(name)}'`;
}

/** Escapes names, which other programs may give. @param {string} text with names of threads and locks in it */
export function printable(text) {
    // Invisible characters: line ends, terminal codes, text direction. Not a literal, which V8 compiles when it
    // parses the text: its character tables added a quarter of a millisecond to each start.
    return text.replace(
        new RegExp('[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]', 'gu'),
        (code) => `\\u{${code.codePointAt(0)?.toString(16)}}`,
    );
}

/** @param {number} milliseconds */
export function seconds(milliseconds) {
    return `${(milliseconds / 1000).toFixed(1)} s`;
}

/** @param {number} time of `environment.now()` @returns {number} the same time of `Date.now()` */
export function dateOf(time) {
    return environment.date() - (environment.now() - time);
}

export function thisThread() {
    return nameOfThread() || 'a thread';
}
