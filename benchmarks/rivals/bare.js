/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { readFileSync } from 'node:fs';
import { builtFile } from '../built.js';

/**
 * The functions of c/bare.c. Addresses are byte offsets.
 *
 * @typedef {object} Exports
 * @property {(address: number, self: number) => number} take
 * @property {(address: number, self: number) => number} give
 */

const FREE = 0;

/** The mark of any holder: threads only check if the word is free. */
const SELF = 1;

/**
 * No lock, but what no lock can be faster than: one compare-exchange and one exchange, each in a wasm function that
 * JavaScript calls with an address, as the glue calls its module, and that has a slow path. It has neither owner nor waiters.
 */
class BareInstructions {
    #exports;
    #byteOffset;

    /**
     * @param {WebAssembly.Memory} memory shared
     * @param {number} byteOffset of the word; 0 there is free
     */
    constructor(memory, byteOffset) {
        const module = new WebAssembly.Module(readFileSync(builtFile('bench-wasm', 'bare.wasm')));
        const { exports } = new WebAssembly.Instance(module, { env: { memory } });
        this.#exports = /** @type {Exports} */ (/** @type {unknown} */ (exports));
        this.#byteOffset = byteOffset;
    }

    /**
     * Blocks: never.
     * Agents: all.
     */
    lock() {
        if (this.#exports.take(this.#byteOffset, SELF) !== FREE) {
            throw new Error('BareInstructions: lock() of a word that is taken');
        }
    }

    /**
     * Blocks: never.
     * Agents: all.
     */
    unlock() {
        if (this.#exports.give(this.#byteOffset, SELF) !== SELF) {
            throw new Error('BareInstructions: unlock() of a word that nobody has taken');
        }
    }
}

const NO_WAIT = 'they do not wait';
const NO_BLOCK = 'it is what an awaited section costs at least';

/** @type {import('../contestants.js').Contestant} */
export const bare = {
    title: 'bare instructions',
    waits: NO_WAIT,
    shares: NO_WAIT,
    open: ({ memory, lock }) => new BareInstructions(memory, lock),
};

/**
 * The limit for any lock's awaited section: the two instructions, a look whether the callback throws or returns a
 * promise, and the await of a resolved promise.
 *
 * @type {import('../contestants.js').Contestant}
 */
export const bareAwaited = {
    title: 'bare instructions, await of a resolved promise',
    blocks: NO_BLOCK,
    shares: NO_WAIT,
    open({ memory, lock }) {
        const word = new BareInstructions(memory, lock);
        return {
            executeLocked(callback) {
                word.lock();
                try {
                    const value = callback();
                    if (typeof (/** @type {any} */ (value)?.then) === 'function') {
                        throw new Error('BareInstructions: executeLocked() of an async callback');
                    }
                    return Promise.resolve(value);
                } catch (error) {
                    return Promise.reject(error);
                } finally {
                    word.unlock();
                }
            },
        };
    },
};
