/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { askAmongHammers } from '../games/hammer.js';
import { lendThreads } from '../games/lent-threads.js';
import { playIn } from '../games/tour.js';
import { startBrowserThread } from '../stress/browser-threads.js';
import { nextFrame } from './page-threads.js';

/* Runs on the page, for all primitives. Each function returns plain data; family.test.js judges it. */

export { reportOnBlocking } from '../support/blocking-report.js';

/* Threads that play games have waits without a limit, so other threads hammer. */
const [players, hammers] = [lendThreads(startBrowserThread), lendThreads(startBrowserThread)];

/**
 * @param {{ name: string, count: number, operations: number, seed: number, bytes: number[] }} match `bytes` has the
 *     module with waits that have no limit
 */
export function play({ bytes, ...match }) {
    const endless = new WebAssembly.Module(Uint8Array.from(bytes));
    return playIn({ endless, startThread: players.startThread }, match);
}

/** The page asks once a frame. @param {{ name: string, asks: number }} options */
export function pageAmongHammers(options) {
    return askAmongHammers({ ...options, startThread: hammers.startThread, pause: nextFrame });
}
