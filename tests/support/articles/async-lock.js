/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { TextbookLock } from '../../../benchmarks/rivals/textbook-lock.js';

/** The textbook lock, built as in the article, for docs/migration.md. */
export class AsyncLock extends TextbookLock {
    /** @param {SharedArrayBuffer} buffer whose first word is the lock */
    constructor(buffer) {
        super(new Int32Array(buffer), 0);
    }

    /** @param {() => unknown} callback */
    executeLocked(callback) {
        return this.execAsync(callback);
    }
}
