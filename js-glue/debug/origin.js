/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { environment } from '../thread/environment.js';
import { NAME } from './awaiters.js';

/* Origins of calls. Engines format a stack when it is first read, but even capturing its frames takes
 * microseconds. So of calls in fast succession only some get a stack of their own; the others get the stack of the
 * last call for their lock. */

/** The line that V8, or a program's own Error.prepareStackTrace, puts before a stack. */
const HEADING = /^Error:? *(?:\n|$)/;

/**
 * The frame that calls or awaits a section's callback, and all below it: the call that took the lock has its own
 * stack.
 */
const BELOW_SECTION = /* @__PURE__ */ new RegExp(`\\n[^\\n]*(?:runWatchedSection|${NAME})[^]*$`);

/** The answer of canLeaveOut(); undefined until a stack had frames to test it. @type {boolean | undefined} */
let leavesOut;

/**
 * True if the engine can leave out frames. JavaScriptCore drops the frame of a function that ends by a call. It then
 * does not find that function, and leaves out all frames.
 */
function canLeaveOut() {
    if (leavesOut === undefined && stackOf(new Error()) !== '') {
        leavesOut = stackOf(probe()) !== '';
    }
    return leavesOut ?? true;
}

/** @returns {any} an origin, captured by a tail call as methods do */
function probe() {
    return capture(probe);
}

/** @param {Function} method */
function capture(method) {
    const origin = {}; // not an Error: making one takes a stack already
    /** @type {any} */ (Error).captureStackTrace(origin, method);
    return origin;
}

/**
 * The most stacks that calls may take at once, and after that in each millisecond: the stack of an async function
 * takes 20 µs.
 */
const MOST_STACKS = 200;
const STACKS_A_MS = 2;

/** The number of calls without a stack after which the clock is read. */
const CALLS = 64;

let stacksLeft = MOST_STACKS;
let callsLeft = CALLS;
let since = 0;

/** Also called from time to time: otherwise one burst would use up the stacks of much later calls. */
export function affordMore() {
    const now = environment.now();
    stacksLeft = Math.min(stacksLeft + (now - since) * STACKS_A_MS, MOST_STACKS) | 0;
    callsLeft = CALLS;
    since = now;
}

export function affordsStack() {
    if (stacksLeft > 0) {
        stacksLeft -= 1;
        return true;
    }
    callsLeft -= 1;
    if (callsLeft === 0) {
        affordMore();
    }
    return false;
}

/**
 * @param {Function} method that was called; where the engine can, its frame and those above are left out
 * @returns {{ stack?: string | undefined }}
 */
export function originOf(method) {
    return 'captureStackTrace' in Error && canLeaveOut() ? capture(method) : new Error();
}

/** @param {{ stack?: unknown }} origin @returns {string} '' if it is not known */
export function stackOf({ stack = '' }) {
    return String(stack).replace(HEADING, '').replace(BELOW_SECTION, '');
}
