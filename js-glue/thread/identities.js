/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { HoldfastError } from '../errors.js';

/* The identities of this thread, shared by all copies of this package in it (two bundles, two versions): they
 * are one owner, so no copy waits for another's locks. Plain data, since their classes differ. */

/**
 * @typedef {object} Identities
 * @property {number} format
 * @property {Map<bigint | undefined, number>} selves by memory id, if the memory has one; kept for life, since this
 *     thread may hold locks by them
 * @property {Map<bigint, Map<number, number>>} [held] by memory id, the amount that this thread holds of each
 *     recoverable lock, if it has no slot in that memory (memory/holds.js)
 * @property {WeakRef<WebAssembly.Memory>[]} strangers memories without an id
 * @property {(memory: WebAssembly.Memory) => Counted | undefined} [counted] of a program's memory
 */

/**
 * @typedef {object} Counted
 * @property {bigint} id of the memory
 * @property {number} table address of its table of threads
 * @property {string} [more] advice on room for more threads; missing in older versions
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
