/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { CHANNEL_ALIGN, CHANNEL_BYTES, MUTEX_BYTES } from '../memory/layout.js';
import { construct } from '../memory/placed.js';
import { environment } from '../thread/environment.js';
import { MUTEX } from '../waiting/gate.js';
import { queueAt } from '../waiting/queue-of.js';
import { ask } from '../waiting/request.js';
import { lockWithin } from '../waiting/unrepaired.js';
import { Channel } from './channel.js';

/** A mutex and the number of a call are in a cache line of their own, before the channel. */
export const STATION_HEADER = CHANNEL_ALIGN;

const NUMBER_OFFSET = MUTEX_BYTES;

/** @param {number} ring bytes of its channel's ring */
export function stationBytes(ring) {
    return STATION_HEADER + CHANNEL_BYTES + ring;
}

/**
 * A part of the shared memory of calls. The first one is for the thread that answers: its channel has the requests. Each of the
 * others is for a call under way: its channel has the answer. The thread holds the mutex meanwhile, so others see its death
 * by that.
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
        this.channel = construct(Channel, undefined, { ...found, byteOffset: byteOffset + STATION_HEADER });
    }

    get gate() {
        return this.#queue.gate;
    }

    /** True if this thread has it. */
    get isMine() {
        return this.gate.isMine();
    }

    /**
     * Takes it. Blocks: for the limit.
     *
     * @param {number} limit milliseconds; 0: any thread may call it
     * @returns {boolean} whether this thread has it
     */
    take(limit) {
        return lockWithin(this.gate, limit);
    }

    /**
     * The same without blocking.
     *
     * @param {import('../options.js').Wait} wait
     * @returns {Promise<number | undefined>} of the thread that had it and has died, if it is that
     */
    takeAsync(wait) {
        const deadOf = (/** @type {any[]} */ ...[, , , dead]) => dead;
        return ask(this.#queue, this.gate.alone, deadOf, undefined, { ...wait, recovers: true });
    }

    leave() {
        this.gate.leave(this.gate.alone, 0);
    }

    /** Of the call under way, odd; between calls it is even. Of the first station, how many threads have died answering. */
    get number() {
        return environment.load(this.#numbers, 0);
    }

    /** Begins a call. @returns {number} one that no other call had, as far as requests and answers are still on their way */
    begin() {
        while (this.channel.length > 0 && this.channel.tryReceive()) {
            // an answer to the call before, which came too late
        }
        return this.count(((this.number + 1) | 1) - this.number); // odd already if the thread of that call has died
    }

    /** For the thread that has it. @param {number} [more] @returns {number} the number from now on */
    count(more = 1) {
        const number = this.number + more;
        environment.store(this.#numbers, 0, number);
        return number;
    }
}
