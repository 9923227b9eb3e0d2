/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { HoldfastError } from './errors.js';

/**
 * A handle of that kind, or an error: handles come in messages, from anywhere.
 *
 * @param {unknown} handle
 * @param {string} kind the class that it should be of
 * @returns {{ memory: WebAssembly.Memory, byteOffset: number }}
 */
export function checkHandle(handle, kind) {
    const candidate = /** @type {{ holdfast?: unknown } | null | undefined} */ (handle);
    const found = typeof candidate === 'object' ? candidate?.holdfast : undefined;
    if (found !== kind) {
        const what = typeof found === 'string' ? `one of a ${found}` : 'not a handle';
        throw new HoldfastError(
            'HF_BAD_HANDLE',
            `${kind}.from() needs the handle of a ${kind}, as its \`handle\` property gives it; this is ${what}.`,
        );
    }
    return /** @type {{ memory: WebAssembly.Memory, byteOffset: number }} */ (handle);
}
