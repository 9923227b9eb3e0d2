/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import './ledger.js';
import { startBrowserThread } from './browser-threads.js';
import { stress } from './stress.js';

/* What runs on the page: the page's thread is the one that ends the others. */

/** @param {{ seed: number, minutes: number, bytes: number[] }} options */
export function stressOnPage({ bytes, ...options }) {
    const endless = new WebAssembly.Module(Uint8Array.from(bytes));
    return stress({ ...options, endless, startThread: startBrowserThread, tell: console.log });
}
