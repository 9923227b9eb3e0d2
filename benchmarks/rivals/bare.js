/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { readFileSync } from 'node:fs';
import { builtFile } from '../c-programs.js';

const FREE = 0;

/** Marks any holder, since threads only check whether the word is free. */
const SELF = 1;

const NO_WAIT = 'they do not wait';

/**
 * The limit for any lock, though not a lock itself: one compare-exchange and one exchange, each in a wasm function
 * (../c/bare.c) with a slow path, which JavaScript calls with an address, as the glue calls its module. It has
 * neither owner nor waiters.
 * @type {import('../contestants.js').Contestant}
 */
export const bare = {
    title: 'bare instructions',
    waits: NO_WAIT,
    shares: NO_WAIT,
    open({ memory, lock: byteOffset }) {
        const module = new WebAssembly.Module(readFileSync(builtFile('bench-wasm', 'bare.wasm')));
        const { exports } = new WebAssembly.Instance(module, { env: { memory } });
        const { take, give } = /** @type {Record<string, (byteOffset: number, self: number) => number>} */ (
            /** @type {unknown} */ (exports)
        );
        return {
            lock() {
                if (take?.(byteOffset, SELF) !== FREE) {
                    throw new Error('bare instructions cannot wait for a word that is taken');
                }
            },
            unlock() {
                if (give?.(byteOffset, SELF) !== SELF) {
                    throw new Error('bare instructions: unlock() of a word that nobody has taken');
                }
            },
        };
    },
};

/**
 * The limit for any lock's awaited section: the two instructions, a check whether the callback throws or returns a
 * promise, and the await of a resolved promise.
 * @type {import('../contestants.js').Contestant}
 */
export const bareAwaited = {
    title: 'bare instructions, await of a resolved promise',
    blocks: 'it is what an awaited section costs at least',
    shares: NO_WAIT,
    open(arena) {
        const word = /** @type {Required<import('../contestants.js').Lock>} */ (bare.open(arena));
        return {
            execAsync(callback) {
                word.lock();
                try {
                    const value = callback();
                    if (typeof (/** @type {any} */ (value)?.then) === 'function') {
                        throw new Error('bare instructions: execAsync() takes only synchronous callbacks');
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
