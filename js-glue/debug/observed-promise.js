/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/**
 * Notices who awaits a promise: `await`, `then`, `Promise.all` and the like read its `constructor`, in the context of who does
 * it. Handlers of our own would make an error of it a handled one, and a promise in its place would settle later.
 *
 * @param {Promise<unknown>} promise
 * @param {() => boolean} onread whether that was all; else it is called at the next read
 */
export function observe(promise, onread) {
    Object.defineProperty(promise, 'constructor', {
        configurable: true,
        get() {
            if (onread()) {
                Reflect.deleteProperty(promise, 'constructor');
            }
            return Object.getPrototypeOf(promise).constructor;
        },
    });
}
