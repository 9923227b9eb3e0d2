/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { HoldfastError } from './errors.js';
import { wasmHex } from './wasm-bytes.js';

/**
 * The wasm ABI (c-src/exports.c). Addresses are byte offsets, `self` is the thread's identity.
 *
 * @typedef {object} Exports
 * @property {(address: number, self: number) => number} mutex_lock
 * @property {(address: number, self: number) => number} mutex_trylock
 * @property {(address: number, self: number) => number} mutex_unlock
 * @property {(address: number, self: number) => number} mutex_is_mine
 * @property {(address: number, self: number, token: number, limitMicroseconds: number) => number} mutex_wait
 * @property {(address: number, self: number, watched: number) => number} mutex_try_after
 * @property {(address: number, self: number, token: number) => number} mutex_give_up
 * @property {(address: number, self: number, kind: number, token: number) => bigint} mutex_step
 * @property {(address: number, self: number, kind: number, token: number) => void} mutex_withdraw
 * @property {(pages: number, idLow: number, idHigh: number) => void} space_init
 * @property {() => number} space_join
 * @property {(bytes: number, align: number) => number} space_alloc
 * @property {(address: number) => number} space_free
 */

/** @param {string} hex */
function bytesOf(hex) {
    return Uint8Array.from({ length: hex.length / 2 }, (_, at) =>
        Number(`0x${hex.slice(2 * at, 2 * at + 2)}`),
    );
}

/** @type {WebAssembly.Module | undefined} */
let compiled;

/**
 * The module's functions over that memory. The module keeps nothing, so one instance a thread and memory is
 * enough and any number does no harm. It is compiled once a thread, at the first use.
 *
 * @param {WebAssembly.Memory} memory shared
 * @returns {Exports}
 */
export function instantiate(memory) {
    compiled ??= new WebAssembly.Module(bytesOf(wasmHex));
    try {
        const instance = new WebAssembly.Instance(compiled, { env: { memory } });
        return /** @type {Exports} */ (/** @type {unknown} */ (instance.exports));
    } catch (cause) {
        const error = new HoldfastError(
            'HF_BAD_MEMORY',
            'The locks need a shared WebAssembly.Memory with 32-bit addresses: ' +
                'new WebAssembly.Memory({ initial, maximum, shared: true }).',
        );
        error.cause = cause;
        throw error;
    }
}
