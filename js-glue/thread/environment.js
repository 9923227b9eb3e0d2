/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The glue takes these from its runtime at import: a program's tests may replace them later. */

/** @type {any} */
const scope = globalThis;

const { scheduler, setImmediate, setTimeout } = scope;
const performance = scope.performance ?? scope.Date; // an audio worklet has none
const isWorker = 'WorkerGlobalScope' in scope; // of a browser

/**
 * @param {any} object
 * @param {string[]} names of its methods; those that a runtime lacks are undefined
 * @returns {any}
 */
function taken(object, ...names) {
    return Object.fromEntries(names.map((name) => [name, object?.[name]?.bind(object)]));
}

/**
 * Posts tasks behind those that are ready: by messages in WebKit, which has no postTask, and in workers, where Firefox
 * runs posted tasks before all timers. A timer would come four milliseconds late.
 *
 * @returns {((task: () => void) => void) | undefined}
 */
function poster() {
    const post = (/** @type {() => void} */ task) => {
        const { port1, port2 } = new scope.MessageChannel();
        port1.onmessage = () => {
            port1.close();
            task();
        };
        port2.postMessage(0);
    };
    const postTask = isWorker ? undefined : scheduler?.postTask?.bind(scheduler);
    return postTask ?? (scope.MessageChannel && setTimeout && post); // an audio worklet has no timers
}

const { now } = taken(performance, 'now');
const timeOrigin = performance.timeOrigin ?? 0;

/**
 * @typedef {object} Timers
 * @property {(callback: () => void, milliseconds?: number) => any} setTimeout
 * @property {(handle: any) => void} clearTimeout
 * @property {() => number} now
 */

/**
 * @type {Timers & {
 *     date: () => number,
 *     setInterval: typeof globalThis.setInterval,
 *     clearInterval: typeof globalThis.clearInterval,
 *     queueMicrotask: typeof globalThis.queueMicrotask,
 *     soon: (job: () => void) => unknown,
 *     setImmediate: ((task: () => void) => unknown) | undefined,
 *     endsWaits: boolean,
 *     compareExchange: typeof Atomics.compareExchange,
 *     load: typeof Atomics.load,
 *     notify: typeof Atomics.notify,
 *     store: typeof Atomics.store,
 *     wait: typeof Atomics.wait,
 *     waitAsync: typeof Atomics.waitAsync,
 * }}
 */
export const environment = {
    /** About the same in all threads, in milliseconds. Not `Date.now`, which steps when the system's clock is set. */
    date: () => timeOrigin + now(),
    now,
    /** The workers of WebKit do not end a waitAsync by its limit while nothing else wakes them. */
    endsWaits: !isWorker,
    /** Runs a job that throws nothing as a microtask. Node's queueMicrotask takes a tenth of the time of a request. */
    soon: taken(Promise.resolve(), 'then').then,
    setImmediate: setImmediate?.bind(scope) ?? poster(), // in Node a look at MessageChannel takes a millisecond
    ...taken(scope, 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'queueMicrotask'),
    ...taken(scope.Atomics, 'compareExchange', 'load', 'notify', 'store', 'wait', 'waitAsync'),
};

/**
 * Calls back after the tasks that are ready.
 *
 * @param {() => void} callback
 */
export function yieldToLoop(callback) {
    const { setImmediate, setTimeout } = environment;
    (setImmediate ?? setTimeout)(callback);
}

/** Says if the program's tests have replaced its `setTimeout`. */
export function isTimeFaked() {
    return scope.setTimeout !== setTimeout;
}

/** Has the global timers, faked or not, at each call: a program's timeouts go by them. @type {Pick<Timers, 'setTimeout' | 'clearTimeout'>} */
export const callersTimers = scope;

/**
 * The clock that goes with the program's `setTimeout` of now.
 *
 * @returns {() => number}
 */
export function callersClock() {
    return isTimeFaked() ? () => Date.now() : environment.now;
}

/** The clock of the program's deadlines, `performance.now()` as it is at the call. */
export function callersNow() {
    const clock = scope.performance ?? scope.Date;
    return clock.now();
}
