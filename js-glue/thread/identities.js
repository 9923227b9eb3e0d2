/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { HoldfastError } from '../errors.js';

/* The identities of this thread, for all copies of this package in it (two bundles, two versions): they are one owner, so that
 * none waits for what another holds. Plain data, since their classes differ. */

/**
 * @typedef {object} Identities
 * @property {number} format
 * @property {Map<bigint | undefined, number>} selves by a memory's id, if it has one; kept
 *     for life, since this thread may hold locks by them
 * @property {Map<bigint, Map<number, number>>} [held] by a memory's id, how much this thread holds of which recoverable
 *     lock, if it has no slot there (memory/holds.js)
 * @property {WeakRef<WebAssembly.Memory>[]} strangers memories without an id
 * @property {(memory: WebAssembly.Memory) => Counted | undefined} [counted] of a program's memory
 */

/**
 * @typedef {object} Counted
 * @property {bigint} id of the memory
 * @property {number} table where its table of threads is
 * @property {string} [more] what has room for more threads; not from older versions
 */

const FORMAT = 3;

/** @returns {Identities} */
export function identities() {
    const scope = /** @type {Record<symbol, Identities>} */ (/** @type {unknown} */ (globalThis));
    const own = (scope[Symbol.for('holdfast')] ??= { format: FORMAT, selves: new Map(), strangers: [] });
    if (own.format !== FORMAT) {
        throw new HoldfastError('HF_COPIES', 'This thread has two versions of holdfast: load only one.');
    }
    return own;
}
