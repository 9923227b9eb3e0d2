/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import {
    STEP_KIND_ASYNC,
    STEP_KIND_BLOCKING,
    THREAD_BITS,
    THREAD_MASK,
} from '../../js-glue/memory/layout.js';

/* The word of a gate, by the bits of c-src/gate_word.h. */

/**
 * @typedef {object} Word
 * @property {number} used the amount in use; of a mutex, the owner
 * @property {boolean} sleepers
 * @property {boolean} large
 * @property {boolean} line
 * @property {number} heir 0: none
 * @property {number} heirKind STEP_KIND_BLOCKING or STEP_KIND_ASYNC
 * @property {boolean} late THIRD_BIT: a long reservation; or a blocking heir keeps the slot; or, without an
 *     heir, an event loop passed last
 * @property {boolean} reserved
 */

/** @type {Word} */
export const FREE = Object.freeze({
    used: 0,
    sleepers: false,
    large: false,
    line: false,
    heir: 0,
    heirKind: STEP_KIND_BLOCKING,
    late: false,
    reserved: false,
});

const HALF_BITS = 32;
const WORD_BITS = 64;

/** @param {number} at */
const bit = (at) => 1n << BigInt(at);

const LARGE = bit(THREAD_BITS);
const LINE = bit(THREAD_BITS + 1);
const SLEEPERS = bit(THREAD_BITS + 2);
const ASYNC = bit(HALF_BITS + THREAD_BITS);
const POLLS = bit(HALF_BITS + THREAD_BITS + 1);
const RESERVED = bit(HALF_BITS + THREAD_BITS + 2);

/** @param {Word} word @returns {bigint} as a signed i64 */
export function packed(word) {
    const flags = [
        word.large ? LARGE : 0n,
        word.line ? LINE : 0n,
        word.sleepers ? SLEEPERS : 0n,
        word.heirKind === STEP_KIND_BLOCKING ? 0n : ASYNC,
        word.late ? POLLS : 0n,
        word.reserved ? RESERVED : 0n,
    ];
    const numbers = BigInt(word.used) | (BigInt(word.heir) << BigInt(HALF_BITS));
    return BigInt.asIntN(
        WORD_BITS,
        flags.reduce((all, flag) => all | flag, numbers),
    );
}

/** @param {bigint} bits @returns {Word} */
export function unpacked(bits) {
    const has = (/** @type {bigint} */ flag) => (bits & flag) !== 0n;
    return {
        used: Number(bits & BigInt(THREAD_MASK)),
        sleepers: has(SLEEPERS),
        large: has(LARGE),
        line: has(LINE),
        heir: Number((bits >> BigInt(HALF_BITS)) & BigInt(THREAD_MASK)),
        heirKind: has(ASYNC) ? STEP_KIND_ASYNC : STEP_KIND_BLOCKING,
        late: has(POLLS),
        reserved: has(RESERVED),
    };
}

/** @param {Word} word */
export function lowerHalf(word) {
    return Number(BigInt.asIntN(HALF_BITS, packed(word)));
}

/** @param {Word} word */
export function upperHalf(word) {
    return Number(packed(word) >> BigInt(HALF_BITS));
}
