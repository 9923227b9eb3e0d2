/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { ATOMIC, ATOMIC_PREFIX, PLAIN } from './wasm-decoder.js';

/* Writes instructions as bytes, and puts them in the place of others in a module. */

/** @typedef {import('./wasm-decoder.js').SizedSpan} SizedSpan */

/** @type {[name: string, opcode: number[]][]} */
const PLAIN_OPCODES = Object.entries(PLAIN).map(([opcode, [name]]) => [name, [Number(opcode)]]);
/** @type {[name: string, opcode: number[]][]} */
const ATOMIC_OPCODES = Object.entries(ATOMIC).map(([opcode, name]) => [
    name,
    [ATOMIC_PREFIX, Number(opcode)],
]);
const OPCODES = new Map([...PLAIN_OPCODES, ...ATOMIC_OPCODES]);

const LOW_BITS = 0x7f;
const MORE = 0x80;

/** @param {string} name */
export function opcodeOf(name) {
    const opcode = OPCODES.get(name);
    if (opcode === undefined) {
        throw new Error(`no opcode of ${name} is known`);
    }
    return opcode;
}

/** @param {number} value */
export function unsignedNumber(value) {
    const bytes = [];
    let rest = value;
    for (; rest > LOW_BITS; rest >>>= 7) {
        bytes.push((rest & LOW_BITS) | MORE);
    }
    return [...bytes, rest];
}

/** @param {bigint} value */
function signedNumber(value) {
    const bytes = [];
    let rest = value;
    for (; rest < -64n || rest > 63n; rest >>= 7n) {
        bytes.push(Number(rest & BigInt(LOW_BITS)) | MORE);
    }
    return [...bytes, Number(rest & BigInt(LOW_BITS))];
}

/**
 * @param {string} type
 * @param {bigint | number} value
 */
export function constant(type, value) {
    return [...opcodeOf(`${type}.const`), ...signedNumber(BigInt(value))];
}

/**
 * What begins with its number of bytes, with some of it replaced.
 * @param {Uint8Array} bytes of the module
 * @param {SizedSpan} whole
 * @param {import('./wasm-decoder.js').Span} part
 * @param {Iterable<number>} replacement
 */
function resized(bytes, whole, part, replacement) {
    const content = [
        ...bytes.subarray(whole.start, part.start),
        ...replacement,
        ...bytes.subarray(part.end, whole.end),
    ];
    return [...unsignedNumber(content.length), ...content];
}

/**
 * The module with other bytes in the place of an instruction.
 * @param {Uint8Array} bytes
 * @param {SizedSpan} section of the code
 * @param {SizedSpan} code the function's
 * @param {import('./wasm-decoder.js').Span} instruction
 * @param {number[]} replacement
 */
export function spliced(bytes, section, code, instruction, replacement) {
    const newCode = resized(bytes, code, instruction, replacement);
    const newSection = resized(bytes, section, { start: code.sizeAt, end: code.end }, newCode);
    return Uint8Array.of(...bytes.subarray(0, section.sizeAt), ...newSection, ...bytes.subarray(section.end));
}
