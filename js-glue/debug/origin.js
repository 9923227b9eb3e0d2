/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Where a call came from. Engines write a stack as text when it is first read, so most cost little. */

/** The line that V8 puts before a stack. */
const HEADING = /^Error\n/;

/**
 * @param {Function} method that was called: its frame, and those above, are left out where the engine can do that
 * @returns {{ stack?: string | undefined }}
 */
export function originOf(method) {
    const origin = new Error();
    /** @type {any} */ (Error).captureStackTrace?.(origin, method);
    return origin;
}

/** @param {{ stack?: unknown }} origin @returns {string} '' if it is not known */
export function stackOf(origin) {
    try {
        return String(origin.stack ?? '').replace(HEADING, '');
    } catch {
        return ''; // a program's own Error.prepareStackTrace
    }
}
