/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { CHANNEL_TEXT } from './channel-bytes.js';
import { addPart } from './part.js';

/** @typedef {import('./attachment.js').Attachment} Attachment */

/**
 * The module of channels (c-src/channel_exports.c). A place is the offset of a message's bytes from the channel.
 *
 * @typedef {object} ChannelExports
 * @property {(side: number) => void} channel_begin
 * @property {(side: number, unless: number) => number} channel_move_on
 * @property {(address: number, size: number) => number} channel_put
 * @property {(address: number) => number} channel_next
 * @property {(address: number) => void} channel_close
 * @property {(side: number) => number} channel_token
 * @property {(side: number, token: number) => bigint} channel_step
 * @property {(side: number, token: number, before: number, limitMicroseconds: number) => number} channel_wait
 */

/**
 * @param {Attachment} base
 * @param {number | undefined} ring bytes of the ring of a new channel, which has its block made that much larger; none: a channel
 *     that is there
 * @returns {Attachment}
 */
export function withChannel(base, ring) {
    addPart(base, CHANNEL_TEXT);
    if (ring === undefined) {
        return base;
    }
    /** @type {Attachment['bytesFor']} */
    const bytesFor = (bytes) => bytes + ring;
    /** @type {Attachment['check']} */
    const check = (byteOffset, bytes, align) => base.check(byteOffset, bytesFor(bytes), align);
    return Object.assign(Object.create(base), { bytesFor, check });
}
