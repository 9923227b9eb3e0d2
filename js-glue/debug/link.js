/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/** A class gives its fields to the object that its constructor returns: a cheaper link than a WeakMap. */
const Same = /** @type {any} */ (
    function (/** @type {object} */ object) {
        return object;
    }
);

/** What debug() knows of a lock, or of a guard. */
export class Link extends Same {
    #to;

    /** @param {object} object that has none yet @param {any} to */
    constructor(object, to) {
        super(object);
        this.#to = to;
    }

    /** @param {any} object @returns {any} */
    static of(object) {
        return #to in object ? object.#to : undefined;
    }
}
