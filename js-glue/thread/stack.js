/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/** So many arguments take more stack than to end a request, or a lock. Not a list with holes, which some engines are slow at. */
const PADDING = Array(512).fill(0);

/**
 * Throws where there is too little stack, before anything is done by half.
 *
 * @throws {RangeError} or what the engine has for it
 */
export function needStack() {
    // Not a function of the engine: what V8 makes of a call of one puts no argument on the stack.
    Reflect.apply(() => {}, null, PADDING);
}
