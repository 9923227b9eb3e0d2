/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

import { NAME } from './awaiters.js';

/* Where a call came from. Engines write a stack as text when it is first read, so most cost little. */

/** The line that V8, or a program's own Error.prepareStackTrace, puts before a stack. */
const HEADING = /^Error:? *(?:\n|$)/;

/** What calls the callback of a section, or awaits it, and what is below that: who took the lock has a stack of its own. */
const BELOW_SECTION = /* @__PURE__ */ new RegExp(`\\n[^\\n]*(?:runWatchedSection|${NAME})[^]*$`);

/** Not known while stacks have no frames at all. @type {boolean | undefined} */
let leavesOut;

/** Whether the engine can leave out frames. JavaScriptCore has none of a function that ends by a call, and so leaves out all. */
function canLeaveOut() {
    if (leavesOut === undefined && stackOf(new Error()) !== '') {
        leavesOut = stackOf(probe()) !== '';
    }
    return leavesOut ?? true;
}

/** @returns {any} as methods call `originOf` */
function probe() {
    return capture(probe);
}

/** @param {Function} method */
function capture(method) {
    const origin = new Error();
    /** @type {any} */ (Error).captureStackTrace(origin, method);
    return origin;
}

/**
 * @param {Function} method that was called: its frame, and those above, are left out where the engine can do that
 * @returns {{ stack?: string | undefined }}
 */
export function originOf(method) {
    return 'captureStackTrace' in Error && canLeaveOut() ? capture(method) : new Error();
}

/** @param {{ stack?: unknown }} origin @returns {string} '' if it is not known */
export function stackOf(origin) {
    try {
        return String(origin.stack ?? '')
            .replace(HEADING, '')
            .replace(BELOW_SECTION, '');
    } catch {
        return ''; // a program's own Error.prepareStackTrace
    }
}
