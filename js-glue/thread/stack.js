/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/** So many arguments take more stack than to end a request, or a lock. */
const PADDING = Array(512);

/**
 * Throws where there is too little stack, before anything is done by half.
 *
 * @throws {RangeError} or what the engine has for it
 */
export function needStack() {
    Reflect.apply(Object, undefined, PADDING);
}
