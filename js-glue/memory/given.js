/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { HoldfastError } from '../errors.js';
import { bytesOf } from './text.js';

/* The module's source for `holdfast/external`: a file that has all parts in one. scripts/build-dist.mjs
 * replaces embedded.js and the parts' texts by this. */

export const CORE_TEXT = '';
export const FREEING_TEXT = '';
export const FAMILY_TEXT = '';

/** @type {WebAssembly.Module | undefined} */
let given;

/** @param {WebAssembly.Module} module */
export function give(module) {
    given = module;
}

/** @param {string} text of a part; '' is the file @returns {WebAssembly.Module} */
export function compile(text) {
    if (text !== '') {
        return new WebAssembly.Module(/** @type {BufferSource} */ (bytesOf(text)));
    }
    if (given === undefined) {
        throw new HoldfastError(
            'HF_NOT_LOADED',
            'Await loadModule() of holdfast/external in this thread before its first lock.',
        );
    }
    return given;
}
