/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { EndGroup } from './end-group.js';
import { environment } from '../thread/environment.js';

/* One listener a signal, however many requests wait with it: engines keep listeners in a list that each
 * removal walks through, and Node warns of a leak from the eleventh on. */

/** @type {WeakMap<AbortSignal, EndGroup>} */
const watches = new WeakMap();

/** @param {AbortSignal} signal */
function watch(signal) {
    const listener = () => watched.end();
    const watched = new EndGroup(() => {
        watches.delete(signal);
        try {
            signal.removeEventListener('abort', listener);
        } catch (error) {
            throwLater(error); // a polyfill's: the requests end all the same
        }
    });
    signal.addEventListener('abort', listener);
    watches.set(signal, watched);
    return watched;
}

/**
 * What ends when the signal aborts.
 *
 * @param {AbortSignal} signal
 */
export function watchOf(signal) {
    return watches.get(signal) ?? watch(signal);
}

/**
 * Why a signal has ended what waits with it; undefined if it has not.
 *
 * @param {AbortSignal | undefined} signal
 * @returns {{ reason: unknown } | undefined}
 */
export function endBy(signal) {
    try {
        return signal?.aborted ? { reason: signal.reason } : undefined;
    } catch (reason) {
        return { reason };
    }
}

/**
 * Throws where it does no harm to what runs, as an error of a listener is thrown.
 *
 * @param {unknown} error
 */
export function throwLater(error) {
    environment.queueMicrotask(() => {
        throw error;
    });
}
