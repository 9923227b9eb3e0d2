/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Callbacks of a C program wait in queues of their own (emscripten/callbacks.js), in another bundle. The order of all that
 * one thread asks for is what both of them share. */

/**
 * @typedef {object} Turns
 * @property {number} asked how many requests have been made since there is `stand`
 * @property {Stand} [stand] of such a program; none: there are only queues of this package
 *
 * A queue's first request for the lock there is the one of that number; Infinity: it has none. Returns whether no other
 * queue of this thread has an earlier one. `goOn` is called when that becomes so.
 *
 * @typedef {(memory: object, byteOffset: number, queue: object, order: number, goOn: () => void) => boolean} Stand
 */

const PLACE = Symbol.for('holdfast.turns');

/** @type {Turns | undefined} */
let found;

/** @returns {Turns} */
export function turns() {
    if (!found) {
        const scope = /** @type {Record<symbol, Turns | undefined>} */ (/** @type {unknown} */ (globalThis));
        found = scope[PLACE] ?? { asked: 0 };
        Reflect.set(scope, PLACE, found); // in vain for a frozen one
    }
    return found;
}
