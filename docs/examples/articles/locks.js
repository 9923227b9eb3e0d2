/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The classes of the articles on locks in JavaScript, by their names and signatures, on holdfast: a program keeps its calls,
 * and changes what it imports and what it hands around. That is a WebAssembly.Memory here, of a LockSpace, and an offset that
 * its alloc() gave; the articles' SharedArrayBuffer is `memory.buffer`. */
import * as holdfast from 'holdfast';

export class AsyncLock {
    #mutex;

    /**
     * @param {WebAssembly.Memory} memory
     * @param {number} offset of AsyncLock.BYTES zeros: a lock that is free
     */
    constructor(memory, offset) {
        this.#mutex = holdfast.Mutex.at(memory, offset);
    }

    /** Blocks: workers, and Node's main thread. */
    lock() {
        this.#mutex.lock();
    }

    unlock() {
        this.#mutex.unlock();
    }

    /** Does not block. @param {() => unknown} callback */
    executeLocked(callback) {
        return this.#mutex.executeLocked(callback);
    }

    static BYTES = holdfast.Mutex.BYTES;
}

export class BinarySemaphore {
    #semaphore;

    /**
     * @param {WebAssembly.Memory} memory
     * @param {number} offset of BinarySemaphore.BYTES
     * @param {boolean} [isFree] makes a new one, in one thread; the others leave it out
     */
    constructor(memory, offset, isFree) {
        const initial = isFree === undefined ? undefined : { initial: Number(isFree) };
        this.#semaphore = holdfast.BinarySemaphore.at(memory, offset, initial);
    }

    /** Blocks: workers, and Node's main thread. */
    enter() {
        this.#semaphore.enter();
    }

    leave() {
        this.#semaphore.leave();
    }

    static BYTES = holdfast.BinarySemaphore.BYTES;
}

export class CountingSemaphore {
    #semaphore;

    /**
     * @param {WebAssembly.Memory} memory
     * @param {number} offset of CountingSemaphore.BYTES
     * @param {number} [places] makes a new one, in one thread; the others leave it out
     */
    constructor(memory, offset, places) {
        const options = places === undefined ? undefined : { max: places };
        this.#semaphore = holdfast.CountingSemaphore.at(memory, offset, options);
    }

    /** Blocks: workers, and Node's main thread. */
    enter() {
        this.#semaphore.enter();
    }

    leave() {
        this.#semaphore.leave();
    }

    static BYTES = holdfast.CountingSemaphore.BYTES;
}
