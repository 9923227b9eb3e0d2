/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { HoldfastError } from './errors.js';
import { describe } from './options.js';

/** @param {unknown} candidate no handle, but perhaps a usual mistake */
function whatInstead(candidate) {
    const object = Object(candidate);
    if ('handle' in object) {
        return 'the object itself: pass its `handle`';
    }
    if (object === candidate && Reflect.ownKeys(object).length === 0) {
        return 'an empty object: of a lock, post its `handle`';
    }
    return describe(candidate);
}

/**
 * A handle of that kind, or an error: handles come in messages, from anywhere.
 *
 * @param {unknown} handle
 * @param {string} kind the class that it should be of
 * @returns {{ memory: WebAssembly.Memory, byteOffset: number }}
 */
export function checkHandle(handle, kind) {
    const found = Object(handle).holdfast;
    if (found !== kind) {
        const what =
            typeof found === 'string' ? `one of a ${found}` : `not a handle but ${whatInstead(handle)}`;
        throw new HoldfastError(
            'HF_BAD_HANDLE',
            `${kind}.from() needs the handle of a ${kind}; this is ${what}.`,
        );
    }
    return /** @type {{ memory: WebAssembly.Memory, byteOffset: number }} */ (handle);
}
