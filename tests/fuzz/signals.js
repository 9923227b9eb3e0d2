/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Signals of every kind that a program may pass. */

/** The abort reason of a program's signals. */
export class Aborted extends Error {}

/**
 * A signal that is not an AbortSignal, as from a polyfill.
 *
 * @param {AbortSignal} signal
 */
function polyfilled(signal) {
    return {
        get aborted() {
            return signal.aborted;
        },
        get reason() {
            return signal.reason;
        },
        /** @param {[string, any, any?]} call */
        addEventListener: (...call) => signal.addEventListener(...call),
        /** @param {[string, any, any?]} call */
        removeEventListener: (...call) => signal.removeEventListener(...call),
    };
}

/**
 * @typedef {object} SignalSpec
 * @property {number | 'microtask' | 'never'} after milliseconds until it aborts; `never`: not by itself, but
 *     a step may abort it
 * @property {boolean} [isPolyfilled]
 */

/**
 * @param {SignalSpec} spec
 * @param {(signal: any) => void} onAbort called after the abort, not by a listener of the signal
 * @returns {{ signal: any, abort: () => void, forget: () => void }}
 */
export function makeSignal({ after, isPolyfilled }, onAbort) {
    const controller = new AbortController();
    const abort = () => {
        controller.abort(new Aborted('aborted'));
        onAbort(signal);
    };
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    if (after === 'microtask') {
        queueMicrotask(abort);
    } else if (after !== 'never') {
        timer = setTimeout(abort, after);
    }
    const signal = isPolyfilled ? polyfilled(controller.signal) : controller.signal;
    return { signal, abort, forget: () => clearTimeout(timer) };
}
