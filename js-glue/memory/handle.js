/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { HoldfastError } from '../errors.js';
import { describe } from '../options.js';
import { isMemory } from '../thread/tag.js';

/**
 * @param {unknown} handle
 * @param {string} kind its class
 * @returns {{ memory: WebAssembly.Memory, byteOffset: number, name?: string }}
 */
export function checkHandle(handle, kind) {
    const { holdfast: found, memory } = Object(handle);
    if (found !== kind || !isMemory(memory)) {
        const other = found === kind ? 'one without its memory' : `that of a ${found}`;
        const what = typeof found === 'string' ? other : describe(handle);
        throw new HoldfastError(
            'HF_BAD_HANDLE',
            `${kind}.from() takes the \`handle\` of a ${kind}, as posted, not ${what}.`,
        );
    }
    return /** @type {{ memory: WebAssembly.Memory, byteOffset: number, name?: string }} */ (handle);
}

/**
 * Returns the class name of an object, by its handle: another copy of this package has classes of its own.
 * @param {unknown} value
 * @returns {unknown}
 */
export function kindByHandle(value) {
    try {
        return Object(Object(value).handle).holdfast;
    } catch {
        return undefined; // a page that is not isolated has no handles
    }
}
