/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { HoldfastError } from '../errors.js';
import { CHANNEL_LARGEST_RING, CHANNEL_LEAST_RING } from '../memory/layout.js';
import { valueError } from '../options.js';
import { tagOf } from '../thread/tag.js';

/**
 * Bytes that can be sent.
 * @typedef {ArrayBufferView | ArrayBufferLike} Message
 */

export const DEFAULT_RING = 65536;

/** @param {any} bytes */
export function isRing(bytes) {
    return bytes >= CHANNEL_LEAST_RING && bytes <= CHANNEL_LARGEST_RING && (bytes & (bytes - 1)) === 0;
}

/** @param {unknown} bytes */
export function checkRing(bytes) {
    if (!Number.isInteger(bytes) || !isRing(bytes)) {
        throw valueError(
            'HF_BAD_COUNT',
            `bytes must be a power of two from ${CHANNEL_LEAST_RING} to ${CHANNEL_LARGEST_RING}`,
            bytes,
        );
    }
    return /** @type {number} */ (bytes);
}

/** @param {any} message @returns {Uint8Array} its bytes, not copied */
export function bytesOf(message) {
    if (message instanceof Uint8Array && message.length > 0) {
        return message;
    }
    const isView = ArrayBuffer.isView(message);
    if (!isView && !/^\[object (Shared)?ArrayBuffer\]$/.test(tagOf(message))) {
        throw valueError(
            'HF_BAD_MESSAGE',
            'A message must be a Uint8Array, another view, or an ArrayBuffer',
            message,
        );
    }
    try {
        return isView
            ? new Uint8Array(message.buffer, message.byteOffset, message.byteLength)
            : new Uint8Array(message);
    } catch {
        throw new HoldfastError(
            'HF_BAD_MESSAGE',
            'The buffer of the message was transferred, so its bytes are no longer here.',
        );
    }
}
