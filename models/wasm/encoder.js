/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { opcodeOf, signed, sized } from './writer.js';

/* Replaces instructions of a module. */

/** @typedef {import('./decoder.js').SizedSpan} SizedSpan */

/** @param {string} type @param {bigint | number} value */
export function constant(type, value) {
    return [...opcodeOf(`${type}.const`), ...signed(value)];
}

/**
 * A part that begins with its number of bytes, with something in it replaced.
 * @param {Uint8Array} bytes @param {SizedSpan} whole @param {import('./decoder.js').Span} part
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
 * @param {Uint8Array} bytes @param {SizedSpan} section @param {SizedSpan} code
 * @param {import('./decoder.js').Span} instruction @param {number[]} replacement
 */
export function spliced(bytes, section, code, instruction, replacement) {
    const newCode = resized(bytes, code, instruction, replacement);
    const newSection = resized(bytes, section, { start: code.sizeAt, end: code.end }, newCode);
    return Uint8Array.of(...bytes.subarray(0, section.sizeAt), ...newSection, ...bytes.subarray(section.end));
}
