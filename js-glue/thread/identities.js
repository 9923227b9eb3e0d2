/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { HoldfastError } from '../errors.js';

/* Who this thread is, for all copies of this package that are loaded in it: two bundles, two builds, two versions. They are
 * one owner, so that none waits for what another one holds. Plain data at a place that all know, since their classes are
 * not the same. */

/**
 * @typedef {object} Identities
 * @property {number} format of this object; another one is another object
 * @property {Map<bigint | undefined, number>} selves the identity in each memory that counts its threads, by its id, and in all
 *     others; they stay as long as the thread lives, for the thread may hold locks by them
 * @property {WeakRef<WebAssembly.Memory>[]} strangers those others that the thread has now
 * @property {(memory: WebAssembly.Memory) => bigint | undefined} [counted] the id of a program's memory in which the thread has
 *     been counted
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
        found = own = { format: FORMAT, selves: new Map(), strangers: [] };
        Reflect.set(scope, PLACE, own);
    }
    if (found.format !== FORMAT) {
        throw new HoldfastError('HF_COPIES', 'This thread has two versions of holdfast. Load one.');
    }
    return found;
}
