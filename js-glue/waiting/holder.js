/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { environment } from '../thread/environment.js';
import { LOOK_AFTER_MS } from '../thread/times.js';
import { AbandonedError } from '../errors.js';
import {
    AGENT_LOOKED_OFFSET,
    AGENT_NAME_BYTES,
    AGENT_NAME_OFFSET,
    AGENT_STATE_BITS,
    THREAD_MARK,
} from '../memory/layout.js';

/** @typedef {import('../memory/attachment.js').Attachment} Attachment */

/** Who holds a mutex that this thread waits for, and whether that thread lives (c-src/agents.h). */
export class Holder {
    #attachment;
    #byteOffset;
    #known = 0;
    #since = 0;

    /**
     * @param {Attachment} attachment
     * @param {number} byteOffset
     */
    constructor(attachment, byteOffset) {
        this.#attachment = attachment;
        this.#byteOffset = byteOffset;
    }

    /** Called from time to time while it waits. A dead holder is marked in the lock, and all that wait are woken. */
    look() {
        const { exports, self, table } = this.#attachment;
        if (table === 0) {
            return;
        }
        const now = environment.now();
        const asks = this.#known !== self && now - this.#since >= LOOK_AFTER_MS;
        const known = asks ? this.#known : 0;
        const holder = exports.mutex_look(this.#byteOffset, table, known, environment.date() >>> 0);
        if (holder !== this.#known) {
            this.#known = holder;
            this.#since = now;
        }
    }

    error() {
        const { exports, table, memory } = this.#attachment;
        const left = exports.mutex_look(this.#byteOffset, table, 0, 0);
        const owner = left & ~THREAD_MARK;
        const slot = table && exports.agents_slot(table, owner);
        const words = new Uint32Array(memory.buffer, slot, AGENT_NAME_OFFSET / 4);
        // An audio worklet has no TextDecoder.
        if (
            slot === 0 ||
            !globalThis.TextDecoder ||
            environment.load(words, 0) >>> AGENT_STATE_BITS !== owner
        ) {
            return new AbandonedError('', undefined);
        }
        const name = new Uint8Array(memory.buffer, slot + AGENT_NAME_OFFSET, AGENT_NAME_BYTES).slice();
        const now = environment.date();
        const looked = environment.load(words, AGENT_LOOKED_OFFSET / 4);
        const since = looked === 0 ? undefined : now - ((now - looked) >>> 0);
        return new AbandonedError(new TextDecoder().decode(name).replace(/\0+$/, ''), since);
    }
}
