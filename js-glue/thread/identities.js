/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { HoldfastError } from '../errors.js';

/* Who this thread is, for all copies of this package that are loaded in it: two bundles, two builds, two versions. They are
 * one owner, so that none waits for what another one holds. Plain data at a place that all know, since their classes are
 * not the same. */

/**
 * @typedef {object} Identities
 * @property {number} format of this object; another one is another object
 * @property {Map<bigint, number>} bySpace the identity in each space; it stays as long as the thread lives, for the thread may
 *     hold locks by it
 * @property {number} elsewhere that in other programs' memories; 0: not drawn yet
 * @property {WeakRef<WebAssembly.Memory>[]} strangers the memories where it is in use
 * @property {(memory: WebAssembly.Memory) => number | undefined} [counted] the identity in the memory of a program that counts
 *     its threads, once this thread has joined it
 */

const FORMAT = 1;
const PLACE = Symbol.for('holdfast');

/** @type {Identities | undefined} where the global object is frozen, and another copy cannot find it */
let own;

/** @returns {Identities} */
export function identities() {
    const scope = /** @type {Record<symbol, Identities | undefined>} */ (/** @type {unknown} */ (globalThis));
    let found = scope[PLACE] ?? own;
    if (found === undefined) {
        found = own = { format: FORMAT, bySpace: new Map(), elsewhere: 0, strangers: [] };
        Reflect.set(scope, PLACE, own);
    }
    if (found.format !== FORMAT) {
        throw new HoldfastError('HF_COPIES', 'This thread has two versions of holdfast. Load one.');
    }
    return found;
}
