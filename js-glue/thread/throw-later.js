/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { environment } from './environment.js';

/**
 * Throws in a later job, as engines do with errors of listeners, so that the running code goes on.
 * @param {unknown} error
 */
export function throwLater(error) {
    environment.queueMicrotask(() => {
        throw error;
    });
}
