/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { environment } from '../thread/environment.js';
import {
    AGENT_BYTES,
    AGENT_LOOKED_OFFSET,
    AGENT_NAME_BYTES,
    AGENT_NAME_OFFSET,
    AGENT_STATE_BITS,
    AGENTS_MOST,
    AT_MASK,
} from './layout.js';

/* A thread's slot in the table of threads (c-src/agents.h), as words of shared memory. */

/**
 * @param {import('./attachment.js').Attachment} attachment
 * @param {number} identity
 * @returns {Int32Array | undefined} undefined: the thread has no slot, or another thread has it now
 */
export function slotOf({ exports, table, memory }, identity) {
    const slot = table && exports.agents_slot(table, identity) >>> 0;
    if (slot === 0) {
        return undefined;
    }
    const words = new Int32Array(memory.buffer, slot, AGENT_BYTES / 4);
    return environment.load(words, 0) >>> AGENT_STATE_BITS === identity ? words : undefined;
}

/** @param {number} place that a slot shows @returns {number} the byte offset in it, without the kind */
export function offsetOfPlace(place) {
    return (place & ~AT_MASK) >>> 0;
}

/**
 * @param {Int32Array} slot
 * @returns {string} '' if the thread has none, and in an audio worklet, which has no TextDecoder
 */
export function nameIn({ buffer, byteOffset }) {
    const { TextDecoder } = globalThis;
    const bytes = new Uint8Array(buffer, byteOffset + AGENT_NAME_OFFSET, AGENT_NAME_BYTES).slice();
    return TextDecoder ? new TextDecoder().decode(bytes).replace(/\0+$/, '') : '';
}

/** A thread's name or number, for people. @param {Int32Array} slot @param {number} identity */
export function nameOrNumber(slot, identity) {
    return nameIn(slot) || `thread ${identity & AGENTS_MOST}`;
}

/**
 * @param {Int32Array} slot of a dead thread
 * @returns {number | undefined} when it was found dead, as a time of `Date.now()`
 */
export function deadSince(slot) {
    const looked = environment.load(slot, AGENT_LOOKED_OFFSET / 4);
    const now = environment.date();
    return looked === 0 ? undefined : now - Math.max((now - looked) | 0, 0);
}
