/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

import {
    AGENT_BYTES,
    AGENTS_BYTES,
    AGENTS_COUNT_OFFSET,
    AGENTS_MAGIC,
    AGENTS_SLOTS_OFFSET,
    SPACE_ADDRESS,
    SPACE_PAGE,
} from '../../js-glue/memory/layout.js';

/* Counts what this thread has pending: timers, entries in the engine's queues of waiters, listeners of
 * signals. It replaces the functions that make these, so import it before any code that uses them. */

const { setTimeout, clearTimeout, setInterval, clearInterval } = globalThis;
const { waitAsync } = Atomics;
const { addEventListener, removeEventListener } = EventTarget.prototype;

/** @type {Set<unknown>} */
const timers = new Set();
/** Listeners of aborts, which an abort removes. @type {Map<unknown, () => void>} */
const listeners = new Map();
let entries = 0;

/**
 * True if the entry is one of this thread's presence entries. They are in a space's header, and stay.
 *
 * @param {[any, number, any, number?]} call
 */
function isPresence([{ buffer, byteOffset }, index]) {
    if (buffer.byteLength < SPACE_PAGE) {
        return false;
    }
    const header = new Uint32Array(buffer, SPACE_ADDRESS, AGENTS_BYTES / 4);
    const [slots = 0, count = 0] = [header[AGENTS_SLOTS_OFFSET / 4], header[AGENTS_COUNT_OFFSET / 4]];
    return header[0] === AGENTS_MAGIC && byteOffset + index * 4 < SPACE_ADDRESS + slots + count * AGENT_BYTES;
}

/** @typedef {{ timers: number, entries: number, listeners: number, handles: number }} Pending */

/** The number of timers that keep this thread's event loop alive, by Node's account. Browsers do not say. */
function handles() {
    const { process } = /** @type {{ process?: NodeJS.Process }} */ (globalThis);
    return process?.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length ?? 0;
}

/** @returns {Pending} what is pending now */
export function pending() {
    return { timers: timers.size, entries, listeners: listeners.size, handles: handles() };
}

/** @type {any} Casts are needed, since the types of two kinds of global objects differ. */
const scope = globalThis;

scope.setTimeout = (/** @type {() => void} */ callback, /** @type {number} */ milliseconds) => {
    const timer = setTimeout(() => {
        timers.delete(timer);
        callback();
    }, milliseconds);
    timers.add(timer);
    return timer;
};

scope.setInterval = (/** @type {() => void} */ callback, /** @type {number} */ milliseconds) => {
    const timer = setInterval(callback, milliseconds);
    timers.add(timer);
    return timer;
};

scope.clearTimeout = (/** @type {any} */ timer) => {
    timers.delete(timer);
    clearTimeout(timer);
};

scope.clearInterval = (/** @type {any} */ timer) => {
    timers.delete(timer);
    clearInterval(timer);
};

Atomics.waitAsync = /** @type {typeof waitAsync} */ (
    (/** @type {[any, number, any, number?]} */ ...call) => {
        const entry = waitAsync(...call);
        if (entry.async && !isPresence(call)) {
            entries += 1;
            void entry.value.then(() => (entries -= 1));
        }
        return entry;
    }
);

EventTarget.prototype.addEventListener = function (type, listener, options) {
    if (type === 'abort' && this instanceof AbortSignal) {
        const ends = () => listeners.delete(listener);
        listeners.set(listener, ends);
        addEventListener.call(this, type, ends, { once: true });
    }
    addEventListener.call(this, type, listener, options);
};

EventTarget.prototype.removeEventListener = function (type, listener, options) {
    removeEventListener.call(this, type, listeners.get(listener) ?? null, options);
    listeners.delete(listener);
    removeEventListener.call(this, type, listener, options);
};
