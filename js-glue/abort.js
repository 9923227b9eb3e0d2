/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { callInTurns } from './burst.js';
import { environment } from './environment.js';

/* One listener a signal, however many requests wait with it: engines keep listeners in a list that each
 * removal walks through, and Node warns of a leak from the eleventh on. */

/** @typedef {() => void} OnAbort */
/** @typedef {{ waiting: Set<OnAbort>, listener: () => void }} Watch */

/** @type {WeakMap<AbortSignal, Watch>} */
const watches = new WeakMap();

/** @param {AbortSignal} signal */
function watch(signal) {
    /** @type {Set<OnAbort>} */
    const waiting = new Set();
    const listener = () => {
        watches.delete(signal);
        callInTurns(waiting);
    };
    signal.addEventListener('abort', listener, { once: true });
    const made = { waiting, listener };
    watches.set(signal, made);
    return made;
}

/**
 * Calls `onAbort` when the signal aborts.
 *
 * @param {AbortSignal} signal
 * @param {OnAbort} onAbort
 */
export function listen(signal, onAbort) {
    (watches.get(signal) ?? watch(signal)).waiting.add(onAbort);
}

/**
 * Takes that back. The last one to go takes the listener with it.
 *
 * @param {AbortSignal} signal
 * @param {OnAbort} onAbort
 */
export function unlisten(signal, onAbort) {
    const watched = watches.get(signal);
    if (watched?.waiting.delete(onAbort) && watched.waiting.size === 0) {
        watches.delete(signal);
        try {
            signal.removeEventListener('abort', watched.listener);
        } catch (error) {
            throwLater(error); // a polyfill's: the request has ended all the same
        }
    }
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
