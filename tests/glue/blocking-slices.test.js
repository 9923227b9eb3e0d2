/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';

/* A blocked thread wakes now and then, in case a wake for it was lost. A thousand such threads would keep a
 * processor busy if they did that often, so the slices get longer. */

const { Instance } = WebAssembly;
let calls = 0;

/** Counts the calls that step and wait once. It is installed before the glue is loaded. */
WebAssembly.Instance = /** @type {any} */ (
    class {
        /** @param {WebAssembly.Module} module @param {WebAssembly.Imports} imports */
        constructor(module, imports) {
            const counting =
                (/** @type {Function} */ wait) =>
                (/** @type {unknown[]} */ ...parameters) => {
                    calls += 1;
                    return wait(...parameters);
                };
            this.exports = Object.fromEntries(
                Object.entries(new Instance(module, imports).exports).map(([name, value]) => [
                    name,
                    name.endsWith('_wait') ? counting(/** @type {Function} */ (value)) : value,
                ]),
            );
        }
    }
);
const { KINDS_OF_WAIT } = await import('../support/kinds-of-wait.js');

const SLEEP_MS = 500;
/** A short slice, then 20, 40, 80 and 160 ms, the rest, the end, and some more for spurious wakes. */
const MOST_CALLS = 10;

for (const { name, make } of KINDS_OF_WAIT) {
    const { block } = make(1);
    if (block) {
        test(`${name}: a thread that blocks for long checks for lost wake-ups less and less often`, () => {
            calls = 0;
            assert.equal(block({ timeout: SLEEP_MS }), false);
            assert.ok(calls > 0 && calls <= MOST_CALLS, `it has waited ${calls} times in ${SLEEP_MS} ms`);
        });
    }
}
