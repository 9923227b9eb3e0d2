/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { environment } from './environment.js';

/**
 * Calls back after the other tasks that this thread's event loop has ready. A timer is the last choice: pages
 * in the background get theirs once a second or more seldom.
 *
 * @param {() => void} callback
 */
export function yieldToLoop(callback) {
    const { setImmediate, postTask, setTimeout } = environment;
    (setImmediate ?? postTask ?? setTimeout)(callback);
}
