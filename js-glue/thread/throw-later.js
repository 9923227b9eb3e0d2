/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { environment } from './environment.js';

/**
 * Throws as engines throw errors of listeners: the running code goes on.
 *
 * @param {unknown} error
 */
export function throwLater(error) {
    environment.queueMicrotask(() => {
        throw error;
    });
}
