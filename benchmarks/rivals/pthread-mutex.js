/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { instantiateBuilt } from '../built.js';

/* Emscripten's pthread_mutex in threads that Emscripten did not start: c/pthread_mutex.c with the compiled code of
 * Emscripten's own C library behind it, instantiated by each thread over one memory. The code needs little of
 * Emscripten's runtime, which is set up here as Emscripten does it when it starts a thread:
 *   - a stack of its own in the shared memory, since a thread that has to wait spills there;
 *   - a `struct pthread` of zero bytes, in which the wait notes that it must not be cancelled;
 *   - being told that this thread is no main thread and may block. It then waits by memory.atomic.wait32, without
 *     limit, and calls no JavaScript.
 * So it is valid to contend with, and costs no more than in a program of Emscripten's. The C library's static data
 * lie at fixed addresses, which is why the mutex is in a memory of its own. */

const PAGES = 64;
const CACHE_LINE = 64;

/** For the `struct pthread` at its start, and the stack, which begins at its end: both need a few hundred bytes. */
const THREAD_BYTES = 2048;

/** After the static data, on lines of their own: the mutex, and how many threads have come. */
const MUTEX_ADDRESS = 16_384;
const THREADS_ADDRESS = MUTEX_ADDRESS + CACHE_LINE;
const FIRST_THREAD_ADDRESS = MUTEX_ADDRESS + THREAD_BYTES;

/**
 * @typedef {object} Exports
 * @property {(address: number) => number} lock
 * @property {(address: number) => number} unlock
 * @property {WebAssembly.Global} __stack_pointer
 * @property {WebAssembly.Global} __heap_base
 * @property {(thread: number, isMainBrowserThread: 0 | 1, isMainRuntimeThread: 0 | 1, mayBlock: 0 | 1,
 *     ...rest: number[]) => void} _emscripten_thread_init
 */

/** @type {WebAssembly.Memory | undefined} */
let memoryOfProcess;

/**
 * A memory to post to the threads of a run. One serves all runs of a process, one after the other: each leaves the
 * mutex free.
 */
export function makePthreadMemory() {
    memoryOfProcess ??= new WebAssembly.Memory({ initial: PAGES, maximum: PAGES, shared: true });
    return memoryOfProcess;
}

/**
 * Makes this thread one that may use the mutexes of that memory.
 *
 * @param {WebAssembly.Memory} memory
 */
function startThread(memory) {
    const exports = /** @type {Exports} */ (
        /** @type {unknown} */ (instantiateBuilt('pthread_mutex.wasm', memory))
    );
    const number = Atomics.add(
        new Int32Array(memory.buffer),
        THREADS_ADDRESS / Int32Array.BYTES_PER_ELEMENT,
        1,
    );
    const thread = FIRST_THREAD_ADDRESS + number * THREAD_BYTES;
    const end = thread + THREAD_BYTES;
    if (exports.__heap_base.value > MUTEX_ADDRESS || end > memory.buffer.byteLength) {
        throw new Error(`PthreadMutex: no room for thread ${number} in a memory of ${PAGES} pages`);
    }
    exports.__stack_pointer.value = end;
    exports._emscripten_thread_init(thread, 0, 0, 1, THREAD_BYTES, 0); // later versions take the last two
    return exports;
}

class PthreadMutex {
    #exports;

    /** @param {WebAssembly.Memory} memory of makePthreadMemory() */
    constructor(memory) {
        this.#exports = startThread(memory);
    }

    /**
     * Blocks: until the lock is free, without limit.
     * Agents: workers; Node's main thread.
     */
    lock() {
        if (this.#exports.lock(MUTEX_ADDRESS) !== 0) {
            throw new Error('PthreadMutex: lock() failed');
        }
    }

    /**
     * Blocks: never.
     * Agents: all.
     */
    unlock() {
        if (this.#exports.unlock(MUTEX_ADDRESS) !== 0) {
            throw new Error('PthreadMutex: unlock() failed');
        }
    }
}

/** @type {import('../contestants.js').Contestant} */
export const contestant = {
    title: "Emscripten's pthread_mutex",
    many: 'its memory is set up for one here',
    waits: 'it has no async form; on a page it spins',
    open: ({ pthreadMemory }) => new PthreadMutex(pthreadMemory),
};
