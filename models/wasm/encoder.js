/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { opcodeOf, signed, sized } from './writer.js';

/* Puts instructions in the place of others in a module. */

/** @typedef {import('./decoder.js').SizedSpan} SizedSpan */

/** @param {string} type @param {bigint | number} value */
export function constant(type, value) {
    return [...opcodeOf(`${type}.const`), ...signed(value)];
}

/**
 * What begins with its number of bytes, with some of it replaced.
 * @param {Uint8Array} bytes of the module
 * @param {SizedSpan} whole
 * @param {import('./decoder.js').Span} part
 * @param {Iterable<number>} replacement
 */
function resized(bytes, whole, part, replacement) {
    return sized([
        ...bytes.subarray(whole.start, part.start),
        ...replacement,
        ...bytes.subarray(part.end, whole.end),
    ]);
}

/**
 * The module with other bytes in the place of an instruction.
 * @param {Uint8Array} bytes
 * @param {SizedSpan} section of the code
 * @param {SizedSpan} code the function's
 * @param {import('./decoder.js').Span} instruction
 * @param {number[]} replacement
 */
export function spliced(bytes, section, code, instruction, replacement) {
    const newCode = resized(bytes, code, instruction, replacement);
    const newSection = resized(bytes, section, { start: code.sizeAt, end: code.end }, newCode);
    return Uint8Array.of(...bytes.subarray(0, section.sizeAt), ...newSection, ...bytes.subarray(section.end));
}
