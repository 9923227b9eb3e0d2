/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { HoldfastError } from '../errors.js';
import { describe } from '../options.js';
import { isMemory } from '../thread/tag.js';

/**
 * Handles come in messages, from anywhere.
 *
 * @param {unknown} handle
 * @param {string} kind its class
 * @returns {{ memory: WebAssembly.Memory, byteOffset: number }}
 */
export function checkHandle(handle, kind) {
    const { holdfast: found, memory } = Object(handle);
    if (found !== kind) {
        const what =
            typeof found === 'string'
                ? `one of a ${found}`
                : handle === null
                  ? 'null, as BroadcastChannel gives in Chromium: use postMessage()'
                  : describe(handle);
        throw new HoldfastError(
            'HF_BAD_HANDLE',
            `${kind}.from() needs the handle of a ${kind}: post its \`handle\`, not itself; this is ${what}.`,
        );
    }
    if (!isMemory(memory)) {
        throw new HoldfastError('HF_BAD_HANDLE', `This handle lost its memory, as in JSON: post it as is.`);
    }
    return /** @type {{ memory: WebAssembly.Memory, byteOffset: number }} */ (handle);
}

/**
 * The class of an object that may be of another copy of this package: by its handle, since classes differ.
 *
 * @param {unknown} value
 * @returns {unknown}
 */
export function kindByHandle(value) {
    try {
        return Object(Object(value).handle).holdfast;
    } catch {
        return undefined; // its handle is not to be had
    }
}
