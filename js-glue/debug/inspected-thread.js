/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { HoldfastError } from '../errors.js';
import {
    AGENT_ALIVE,
    AGENT_BLOCKED_OFFSET,
    AGENT_ENDING_OFFSET,
    AGENT_LOOKED_OFFSET,
    AGENT_STATE_BITS,
} from '../memory/layout.js';
import { offsetOfPlace, slotOf } from '../memory/slot.js';
import { valueError } from '../options.js';
import { environment } from '../thread/environment.js';

/** @typedef {import('../memory/attachment.js').Attachment} Attachment */

/** The most words on which threads wait for one object. Extra wakes are harmless. */
const MOST_WORDS = 4;

/** A thread that uses a memory, as `inspect()` found it. Its properties are plain data and do not change. */
export class InspectedThread {
    /** @type {string} */
    name;
    /** @type {boolean} whether this is the thread that called inspect() */
    isThis;
    /**
     * @type {boolean} false: the thread was found dead. Only threads that wait for it probe it: without any, it counts as
     *     alive.
     */
    isAlive;
    /** @type {import('./inspect.js').InspectedWait[]} a thread that blocks, and whose event loop has requests too, has two */
    waitsFor;
    #attachment;
    #identity;

    /**
     * @internal
     * @param {Attachment} attachment
     * @param {number} identity
     * @param {Pick<InspectedThread, 'name' | 'isAlive' | 'waitsFor'>} found
     */
    constructor(attachment, identity, { name, isAlive, waitsFor }) {
        this.#attachment = attachment;
        this.#identity = identity;
        this.name = name;
        this.isThis = identity === attachment.self;
        this.isAlive = isAlive;
        this.waitsFor = waitsFor;
    }

    #checkIsOther() {
        if (this.isThis) {
            throw new HoldfastError(
                'HF_BAD_OPTION',
                'A thread can neither terminate itself nor declare itself dead.',
            );
        }
    }

    /**
     * Terminates its worker, and first makes it give up its waits: otherwise a blocked worker in Chromium lives on
     * for two seconds, with all the locks that it holds. If the thread blocks for an object of this memory, and has
     * called `debug()`, its wait throws `HF_TERMINATED` within about a third of a second, and so does each later
     * wait. Its `finally` blocks run, so it releases its locks if it has the time.
     *
     * The caller must pass the worker in which this thread runs; a page cannot find that out. With another worker,
     * both threads are harmed.
     * Blocks: never. Callable from: any thread but itself.
     * @template T
     * @param {{ terminate(): T }} worker of a browser, of `node:worker_threads`, or any object with such a method
     * @returns {T} what its `terminate()` returns
     * @throws {HoldfastError} `HF_BAD_OPTION` if it has no such method, or the thread is this one
     */
    terminate(worker) {
        if (typeof Object(worker).terminate !== 'function') {
            throw valueError('HF_BAD_OPTION', 'terminate() takes the Worker of the thread', worker);
        }
        this.#checkIsOther();
        // Another thread may have taken its slot, and must not be ended.
        const slot = slotOf(this.#attachment, this.#identity);
        if (slot) {
            environment.store(slot, AGENT_ENDING_OFFSET / 4, this.#identity); // read in awaited.js
            const place = environment.load(slot, AGENT_BLOCKED_OFFSET / 4);
            const at = offsetOfPlace(place) / 4;
            const words = new Int32Array(this.#attachment.memory.buffer);
            words
                .subarray(at, place && at + MOST_WORDS)
                .forEach((_, word) => environment.notify(words, at + word));
        }
        return worker.terminate();
    }

    /**
     * Declares the thread dead, for cases that the program knows and the engine does not: a page that hangs, a realm
     * of `node:vm` that is no longer used. Threads that wait for its locks get an error within about a second.
     *
     * If the thread goes on, mutual exclusion is broken: others take over its locks while it is inside, and its later
     * locks count as abandoned for every thread that waits longer than a quarter of a second.
     * Blocks: never. Callable from: any thread but itself.
     * @returns {boolean} whether it counted as alive until now
     * @throws {HoldfastError} `HF_BAD_OPTION` if the thread is this one
     */
    declareDead() {
        this.#checkIsOther();
        const { exports, table } = this.#attachment;
        const slot = slotOf(this.#attachment, this.#identity);
        const alive = (this.#identity << AGENT_STATE_BITS) | AGENT_ALIVE;
        if (slot === undefined || environment.load(slot, 0) !== alive) {
            return false;
        }
        environment.store(slot, AGENT_LOOKED_OFFSET / 4, environment.date());
        exports.agent_leave(exports.agents_slot(table, this.#identity), this.#identity);
        return true;
    }
}
