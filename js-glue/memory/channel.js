/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { CHANNEL_TEXT } from './channel-bytes.js';
import { CHANNEL_RECEIVERS_OFFSET, CHANNEL_RING_OFFSET, CHANNEL_SENDERS_OFFSET } from './layout.js';
import { addPart } from './part.js';
import { environment } from '../thread/environment.js';

/** @typedef {import('./attachment.js').Attachment} Attachment */

/**
 * The module of channels (c-src/channel_exports.c). A place is the offset of a message's bytes from the channel.
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
 * Makes zeroed bytes a channel.
 * @param {WebAssembly.Memory} memory
 * @param {number} byteOffset
 * @param {number} ring bytes of its ring
 */
export function initChannel(memory, byteOffset, ring) {
    const words = new Int32Array(memory.buffer);
    for (const side of [CHANNEL_SENDERS_OFFSET, CHANNEL_RECEIVERS_OFFSET]) {
        environment.store(words, (byteOffset + side + CHANNEL_RING_OFFSET) / 4, ring);
    }
}

/**
 * @param {Attachment} base
 * @param {number | undefined} more bytes of a new object behind those of its class; undefined: the object exists
 *     already
 * @returns {Attachment}
 */
export function withChannel(base, more) {
    addPart(base, CHANNEL_TEXT);
    if (more === undefined) {
        return base;
    }
    /** @type {Attachment['bytesFor']} */
    const bytesFor = (bytes) => bytes + more;
    /** @type {Attachment['check']} */
    const check = (byteOffset, bytes, align) => base.check(byteOffset, bytesFor(bytes), align);
    return Object.assign(Object.create(base), { bytesFor, check });
}
