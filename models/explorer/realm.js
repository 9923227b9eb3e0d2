/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* A thread's runtime, loaded before the glue, which takes these globals. It asks `host` (glue-instance.js)
 * for everything that depends on other threads or on time. Functions that promises call must be made here,
 * where their jobs run. */

/**
 * @typedef {object} Host
 * @property {WebAssembly.Memory} memory only for its addresses
 * @property {number} firstAddress of an object
 * @property {number} self
 * @property {boolean} polls there is no waitAsync
 * @property {(effect: any) => any} ask asks what depends on other threads or on time
 * @property {(name: string, on: string, task: number, parameters: number[]) => void} tell reports what no other thread sees
 * @property {(call: string, on: string) => void} announce adds one to a number when that call has ended
 * @property {() => void} pass reports that the program is between two of its calls
 * @property {() => void} goOn ends a program whose question has no answer
 * @property {() => void} mark reports that nothing before this matters
 * @property {(words: string) => void} violates
 *
 * @typedef {{ callback: () => void, delay: number, at: number }} Timer
 * @typedef {{ resolve: (value: string) => void }} Entry a waitAsync that is pending
 */

/** @type {any} */
const scope = globalThis;

/** @type {Host} */
export const host = scope.host;

export const runtime = {
    /** @type {Timer[]} */
    timers: [],
    /** @type {Map<number, Entry>} by address */
    entries: new Map(),
    /** @type {Entry[]} entries on the thread's own words, which time out */
    clocks: [],
    now: 0,
    /** State of the running job. */
    ahead: 0,
    keepsAlive: 0,
};

/** Runs the callback as a job of the event loop, so that its error rejects no promise. @param {() => void} callback */
export function guarded(callback) {
    return () => {
        try {
            callback();
        } catch (error) {
            host.violates(`a job throws ${error}`);
        }
    };
}

/** @returns {Entry & { value: Promise<string> }} */
function newEntry() {
    /** @type {Entry['resolve']} */
    let resolve = () => {};
    const value = new Promise((resolved) => (resolve = resolved));
    const then = value.then;
    // @ts-ignore so that an error in the callback is not an unhandled rejection
    value.then = (callback) => then.call(value, guarded(callback));
    return { resolve, value };
}

/** @param {Int32Array} words @param {number} index */
function addressOf(words, index) {
    return words.byteOffset + index * Int32Array.BYTES_PER_ELEMENT;
}

/** @param {Int32Array} words */
function isShared(words) {
    return words.buffer === host.memory.buffer;
}

/** @param {Int32Array} words @param {number} index @param {number} expected */
function waitAsync(words, index, expected) {
    const { resolve, value } = newEntry();
    if (!isShared(words)) {
        runtime.clocks.push({ resolve });
        return { async: true, value };
    }
    const address = addressOf(words, index);
    if (!host.ask({ is: 'arm', address, expected })) {
        return { async: false, value: 'not-equal' };
    }
    runtime.entries.set(address, { resolve });
    return { async: true, value };
}

/** The words before the objects are 0, so that the memory is not taken for a space. @param {Int32Array} words
 * @param {number} index */
function load(words, index) {
    const address = addressOf(words, index);
    return isShared(words) && address >= host.firstAddress ? host.ask({ is: 'load', address }) : 0;
}

/** @param {Int32Array} words @param {number} index */
function notify(words, index, count = Infinity) {
    return host.ask({ is: 'notify', address: addressOf(words, index), count: count | 0 || -1 });
}

/** @param {() => void} callback */
function setTimer(callback, delay = 0) {
    const timer = { callback, delay, at: runtime.now + runtime.ahead + delay };
    runtime.timers.push(timer);
    return timer;
}

/** @param {Timer} timer */
function clearTimer(timer) {
    runtime.timers = runtime.timers.filter((other) => other !== timer);
}

/** @param {() => void} callback */
export function runSoon(callback) {
    void Promise.resolve().then(guarded(callback));
}

Object.assign(scope, {
    performance: { now: () => host.ask({ is: 'clock' }) ?? runtime.now + runtime.ahead },
    setTimeout: setTimer,
    clearTimeout: clearTimer,
    setInterval: () => (runtime.keepsAlive += 1),
    clearInterval: () => (runtime.keepsAlive -= 1),
    queueMicrotask: runSoon,
    SharedArrayBuffer,
    Atomics: { load, notify, wait: () => 'not-equal', waitAsync: host.polls ? undefined : waitAsync },
    [Symbol.for('holdfast')]: {
        format: 3,
        selves: new Map([[undefined, host.self]]),
        strangers: [],
    },
});
