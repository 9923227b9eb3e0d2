/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { isMainThread, workerData } from 'node:worker_threads';

/* A thread with an instance of a module without Emscripten. */

/**
 * @param {WebAssembly.Module} module
 * @param {WebAssembly.Memory} memory
 * @param {number} thread from 1
 * @param {boolean} mayBlock
 * @returns {any} its exports
 */
export function instantiate(module, memory, thread, mayBlock) {
    /** @type {any} */
    const exports = new WebAssembly.Instance(module, {
        env: { memory },
        holdfast: {
            thread_id: () => thread,
            now_ns: () => BigInt(Math.round((performance.timeOrigin + performance.now()) * 1e6)),
            may_block: () => mayBlock,
        },
    }).exports;
    exports.__stack_pointer.value = exports.stack_of(thread);
    return exports;
}

if (!isMainThread && workerData?.rounds) {
    const { module, memory, thread, other, rounds } = workerData;
    instantiate(module, memory, thread, true).play(thread, other, rounds);
}
