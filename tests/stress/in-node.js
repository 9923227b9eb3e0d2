/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import './ledger.js';
import { startNodeThread } from './node-threads.js';
import { stress } from './stress.js';

/** @type {import('./run.js').RunInPlace} */
export function stressInNode({ bytes, ...options }) {
    const endless = new WebAssembly.Module(/** @type {Uint8Array<ArrayBuffer>} */ (bytes));
    return stress({ ...options, endless, startThread: startNodeThread });
}
