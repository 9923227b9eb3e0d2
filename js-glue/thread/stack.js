/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/** This many arguments take more stack than ending a request or freeing a lock does. No holes: some engines are slow at them. */
const PADDING = Array(512).fill(0);

/**
 * Throws where there is too little stack, before anything is done by half.
 *
 * @throws {RangeError} or what the engine has for it
 */
export function needStack() {
    // Not a function of the engine: V8 may call one without putting its arguments on the stack.
    Reflect.apply(() => {}, null, PADDING);
}
