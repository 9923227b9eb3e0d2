/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { Channel } from '../../../js-glue/channel.js';
import { LockSpace } from '../../../js-glue/index.js';
import { DEATH, DIES, DYING, Meter, SENT, STOP, TAKEN, TAKEN_A_FRAME, WORDS } from './meter.js';

/* The two feeds: workers send messages, and this page takes some in each frame. */

/** The parts that both feeds have in common. */
class Feed {
    meter = new Meter();
    words = new Int32Array(new SharedArrayBuffer(WORDS * Int32Array.BYTES_PER_ELEMENT));
    /** @type {Worker[]} */
    workers = [];

    /** @param {number} pace messages per second @param {object} [order] further fields of the worker's order */
    addWorker(pace, order) {
        const worker = new Worker(new URL('./feed-worker.js', import.meta.url), { type: 'module' });
        const pageOrigin = performance.timeOrigin;
        const sender = this.workers.push(worker) - 1;
        worker.postMessage({ buffer: this.words.buffer, pace, sender, pageOrigin, ...order });
        return worker;
    }

    get isStopped() {
        return Atomics.load(this.words, STOP) !== 0;
    }

    stop() {
        Atomics.store(this.words, STOP, 1);
        Atomics.notify(this.words, STOP);
    }

    end() {
        this.workers.forEach((worker) => worker.terminate());
    }

    /** @param {Iterable<Float64Array>} messages @param {number} now */
    show(messages, now) {
        for (const [sentAt = 0] of messages) {
            this.meter.take(sentAt, now);
        }
    }
}

export class PostFeed extends Feed {
    /** @type {Float64Array[]} */
    #queue = [];

    /** @param {number} pace */
    constructor(pace) {
        super();
        this.addWorker(pace).onmessage = ({ data }) => this.#queue.push(data);
    }

    get waiting() {
        return Atomics.load(this.words, SENT) - Atomics.load(this.words, TAKEN);
    }

    /** @param {number} now */
    look(now) {
        const messages = this.#queue.splice(0, TAKEN_A_FRAME);
        Atomics.add(this.words, TAKEN, messages.length);
        this.show(messages, now);
    }
}

export class ChannelFeed extends Feed {
    #channel = new Channel({ space: new LockSpace({ pages: 2 }) });
    killedAt = NaN;
    wentOnAt = NaN;

    /** @param {number} pace of both senders together */
    constructor(pace) {
        super();
        this.addWorker(pace / 2, { handle: this.#channel.handle });
        this.addWorker(pace / 2, { handle: this.#channel.handle });
    }

    get waiting() {
        return this.#channel.length;
    }

    get mayKill() {
        return !this.isStopped && Atomics.load(this.words, DEATH) === 0;
    }

    /** Makes the first sender stop in the middle of a send, and kills it there. */
    kill() {
        Atomics.store(this.words, DEATH, DIES);
    }

    /** @param {number} now */
    look(now) {
        if (Number.isNaN(this.killedAt) && Atomics.load(this.words, DEATH) === DYING) {
            this.workers[0]?.terminate();
            this.killedAt = now;
        }
        const taken = this.#channel.tryReceiveMany({ most: TAKEN_A_FRAME }) ?? [];
        const messages = taken.map(({ buffer, byteOffset }) => new Float64Array(buffer, byteOffset, 2));
        this.show(messages, now);
        // A message begun after the kill: the other sender goes on.
        if (Number.isNaN(this.wentOnAt) && messages.some(([sentAt = 0]) => sentAt > this.killedAt)) {
            this.wentOnAt = now;
        }
    }
}
