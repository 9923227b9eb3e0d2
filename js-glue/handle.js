/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { HoldfastError } from './errors.js';
import { describe } from './options.js';

/** @typedef {{ holdfast?: unknown, handle?: unknown, memory?: unknown }} Candidate */

/** @param {Candidate | null | undefined} candidate no handle, but perhaps a usual mistake */
function whatInstead(candidate) {
    if (typeof candidate !== 'object' || candidate === null) {
        return describe(candidate);
    }
    const prototype = Object.getPrototypeOf(candidate);
    if (prototype !== null && 'handle' in prototype) {
        return 'the object itself: pass its `handle`';
    }
    if (Reflect.ownKeys(candidate).length === 0) {
        return 'an empty object: of a lock, post its `handle`';
    }
    return 'another object';
}

/**
 * A handle of that kind, or an error: handles come in messages, from anywhere.
 *
 * @param {unknown} handle
 * @param {string} kind the class that it should be of
 * @returns {{ memory: WebAssembly.Memory, byteOffset: number }}
 */
export function checkHandle(handle, kind) {
    const candidate = /** @type {Candidate | null | undefined} */ (handle);
    const found = Object(candidate).holdfast;
    if (found !== kind) {
        const what =
            typeof found === 'string' ? `one of a ${found}` : `not a handle but ${whatInstead(candidate)}`;
        throw new HoldfastError(
            'HF_BAD_HANDLE',
            `${kind}.from() needs the handle of a ${kind}; this is ${what}.`,
        );
    }
    return /** @type {{ memory: WebAssembly.Memory, byteOffset: number }} */ (handle);
}
