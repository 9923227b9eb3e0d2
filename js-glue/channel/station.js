/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { CHANNEL_ALIGN, CHANNEL_BYTES, MUTEX_BYTES } from '../memory/layout.js';
import { construct } from '../memory/placed.js';
import { environment } from '../thread/environment.js';
import { MUTEX } from '../waiting/gate.js';
import { queueAt } from '../waiting/queue-of.js';
import { askOrTakeOver } from '../waiting/recovery.js';
import { lockWithin } from '../waiting/unrepaired.js';
import { Channel } from './channel.js';

/** The header, before the channel: a mutex and the number of a call, in a cache line of their own. */
export const STATION_HEADER = CHANNEL_ALIGN;

const NUMBER_OFFSET = MUTEX_BYTES;

/** @param {number} ring the size of its channel's ring */
export function stationBytes(ring) {
    return STATION_HEADER + CHANNEL_BYTES + ring;
}

/**
 * A part of the shared memory of calls, with a mutex and a channel. The first station is the answering thread's: its
 * channel has the requests. Each other station is for one call: its channel has the answer. The thread that uses a
 * station holds its mutex, so its death is noticed like any holder's.
 */
export class Station {
    #queue;
    #numbers;

    /** @param {import('../memory/found.js').Found} found */
    constructor(found) {
        const { attachment, byteOffset } = found;
        this.#queue = queueAt(found, MUTEX);
        this.#numbers = new Int32Array(attachment.memory.buffer, byteOffset + NUMBER_OFFSET, 1);
        /** @type {Channel} */
        this.channel = construct({ ...found, shape: Channel, byteOffset: byteOffset + STATION_HEADER });
    }

    get gate() {
        return this.#queue.gate;
    }

    get isMine() {
        return this.gate.isMine();
    }

    /**
     * Takes the station. Blocks: for the limit.
     * @param {number} limit milliseconds; 0: any thread may call it
     * @returns {boolean} whether this thread has taken it
     */
    take(limit) {
        return lockWithin(this.gate, limit);
    }

    /**
     * Takes the station without blocking.
     * @param {import('../options.js').Wait} wait
     * @returns {Promise<number | undefined>} the identity of the last holder, if it has died
     */
    takeAsync(wait) {
        const deadOf = (/** @type {any[]} */ ...[, , , dead]) => dead;
        return askOrTakeOver(this.#queue, deadOf, undefined, wait);
    }

    leave() {
        this.gate.leave(this.gate.alone);
    }

    /**
     * The number of the call under way; between calls, one that no call has. In the first station: how many answering
     * threads have died.
     */
    get number() {
        return environment.load(this.#numbers, 0);
    }

    /**
     * Adds one to the number, when a call begins, and when it ends. Requires: this thread has the station.
     * @returns {number} the new number, which no pending request or answer has
     */
    count() {
        const number = (this.number + 1) | 0;
        environment.store(this.#numbers, 0, number);
        return number;
    }
}
