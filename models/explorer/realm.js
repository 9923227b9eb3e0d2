/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* What a thread of the explorer has in the place of a runtime: timers, waitAsync and a clock that do nothing by themselves.
 * It is loaded before the glue, which takes these globals when it is loaded. All that depends on other threads is asked of
 * `host` (glue-instance.js), outside. Functions that promises call have to be made here, where their jobs are run. */

/**
 * @typedef {object} Host
 * @property {WebAssembly.Memory} memory of which only the addresses matter
 * @property {number} firstAddress of an object
 * @property {number} self
 * @property {boolean} polls there is no waitAsync
 * @property {(effect: any) => any} ask what comes of something that others see
 * @property {(name: string, on: string, task: number, parameters: number[]) => void} tell what no other thread sees
 * @property {(call: string, on: string) => void} announce adds one to a number when that call has ended
 * @property {() => void} pass the program stands between two of its calls
 * @property {() => void} goOn ends a program that runs on although its question has no answer
 * @property {() => void} mark nothing that was before matters
 * @property {(words: string) => void} violates
 *
 * @typedef {object} Timer
 * @property {() => void} callback
 * @property {number} delay
 * @property {number} at
 *
 * @typedef {object} Entry a waitAsync that is pending
 * @property {(value: string) => void} resolve
 */

/** @type {any} */
const scope = globalThis;

/** @type {Host} */
export const host = scope.host;

/** Longer than those wait that have just come. */
const LONG_MS = 20;

/** All that this runtime knows: a part of the thread's state. */
export const runtime = {
    /** @type {Timer[]} */
    timers: [],
    /** @type {Map<number, Entry>} by address */
    entries: new Map(),
    /** @type {Entry[]} on words of the thread's own, which end by a time limit */
    clocks: [],
    now: 0,
    /** How much time has passed in the running job. */
    ahead: 0,
    /** How many timers keep the process alive, and do nothing else. */
    keepsAlive: 0,
};

/**
 * What a job of the event loop calls back: an error of it is no promise's.
 *
 * @param {() => void} callback
 */
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
    // @ts-ignore so that what fails in it is not an unhandled rejection
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

/** Below the objects nothing says that the memory is a space. @param {Int32Array} words @param {number} index */
function isOfObject(words, index) {
    return isShared(words) && addressOf(words, index) >= host.firstAddress;
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

/** @param {() => void} callback @param {number} [delay] */
function setTimer(callback, delay = 0) {
    const timer = { callback, delay, at: runtime.now + runtime.ahead + delay };
    runtime.timers.push(timer);
    return timer;
}

/** @param {Timer} timer */
function clearTimer(timer) {
    runtime.timers = runtime.timers.filter((other) => other !== timer);
}

function now() {
    return host.ask({ is: 'clock' }) ?? runtime.now + runtime.ahead;
}

Object.assign(scope, {
    performance: { now },
    setTimeout: setTimer,
    clearTimeout: clearTimer,
    setInterval: () => (runtime.keepsAlive += 1),
    clearInterval: () => (runtime.keepsAlive -= 1),
    queueMicrotask: (/** @type {() => void} */ callback) => void Promise.resolve().then(guarded(callback)),
    SharedArrayBuffer,
    Atomics: {
        load: (/** @type {Int32Array} */ words, /** @type {number} */ index) =>
            isOfObject(words, index) ? host.ask({ is: 'load', address: addressOf(words, index) }) : 0,
        notify: (/** @type {Int32Array} */ words, /** @type {number} */ index, count = Infinity) =>
            host.ask({ is: 'notify', address: addressOf(words, index), count: count | 0 || -1 }),
        wait: () => 'not-equal',
        waitAsync: host.polls ? undefined : waitAsync,
    },
    [Symbol.for('holdfast')]: { format: 1, selves: new Map([[undefined, host.self]]), strangers: [] },
});

/** One that has waited for long before its first job ends. */
export function grow() {
    runtime.now = LONG_MS;
}
