/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

import { ATOMIC, ATOMIC_PREFIX, PLAIN } from './decoder.js';

/* Writes numbers, names, lists and opcodes of WebAssembly as bytes, for decoder.js to read. */

/** @type {Map<string, number[]>} */
const OPCODES = new Map();
Object.entries(PLAIN).forEach(([opcode, [text]]) => OPCODES.set(text, [Number(opcode)]));
Object.entries(ATOMIC).forEach(([opcode, text]) => OPCODES.set(text, [ATOMIC_PREFIX, Number(opcode)]));

const GROUP_BITS = 7n;
const GROUP_MASK = 0x7fn;
const MORE = 0x80n;
const SIGN = 0x40n;

/** @param {number} value */
export function unsigned(value) {
    const bytes = [];
    let rest = BigInt(value);
    for (; rest >= MORE; rest >>= GROUP_BITS) {
        bytes.push(Number((rest & GROUP_MASK) | MORE));
    }
    return [...bytes, Number(rest)];
}

/** @param {number | bigint} value */
export function signed(value) {
    const bytes = [];
    let rest = BigInt(value);
    for (; rest < -SIGN || rest >= SIGN; rest >>= GROUP_BITS) {
        bytes.push(Number((rest & GROUP_MASK) | MORE));
    }
    return [...bytes, Number(rest & GROUP_MASK)];
}

/** @param {string} text */
export function opcodeOf(text) {
    const opcode = OPCODES.get(text);
    if (opcode === undefined) {
        throw new Error(`no opcode of ${text} is known`);
    }
    return opcode;
}

/** @param {string} text */
export function name(text) {
    const bytes = new TextEncoder().encode(text);
    return [...unsigned(bytes.length), ...bytes];
}

/** @param {Iterable<number>} content */
export function sized(content) {
    const bytes = [...content];
    return [...unsigned(bytes.length), ...bytes];
}

/** @param {Iterable<number>[]} items */
export function list(items) {
    return [...unsigned(items.length), ...items.flatMap((item) => [...item])];
}
