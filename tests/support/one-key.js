/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { KeyedMutex } from '../../js-glue/keyed.js';

/** One key of a KeyedMutex with the methods of a Mutex, for tests that go through all lock classes. */
export class OneKey {
    static KIND = 'OneKey';
    static BYTES = 0; // the words of a table stay when its keys are freed
    static ALIGN = 8;
    #keyed;

    /** @param {any} [options] */
    constructor({ keyed, ...options } = {}) {
        this.#keyed = keyed ?? new KeyedMutex(options);
        for (const method of METHODS) {
            /** @type {any} */ (this)[method] = (/** @type {any[]} */ ...args) =>
                /** @type {any} */ (this.#keyed)[method]('the key', ...args);
        }
    }

    get memory() {
        return this.#keyed.memory;
    }

    get byteOffset() {
        return this.#keyed.byteOffset;
    }

    get handle() {
        return { ...this.#keyed.handle, holdfast: 'OneKey' };
    }

    /** @param {any} handle */
    static from(handle) {
        return new OneKey({ keyed: KeyedMutex.from({ ...handle, holdfast: 'KeyedMutex' }) });
    }
}

const METHODS =
    'lock tryLock unlock exec execAsync acquire tryAcquire acquireAsync recover recoverAsync'.split(' ');
