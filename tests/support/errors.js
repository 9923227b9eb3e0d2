/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { HoldfastError } from '../../js-glue/index.js';

/**
 * A check for `assert.throws` and `assert.rejects`: the error is the library's, with this code, and its message matches the
 * pattern.
 *
 * @param {string} code
 * @param {RegExp} pattern
 */
export function errorWith(code, pattern) {
    return (/** @type {unknown} */ error) => {
        assert.ok(error instanceof HoldfastError, `not an error of the library: ${error}`);
        assert.equal(error.code, code);
        assert.match(error.message, pattern);
        return true;
    };
}
