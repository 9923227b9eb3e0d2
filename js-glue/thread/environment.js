/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { LOST_MESSAGE_MS } from './times.js';

/* What the glue takes of its runtime, as it was when this was loaded: a program's tests may replace it later. */

/** @type {any} */
const scope = globalThis;

const { clearTimeout, setTimeout } = scope;
const isWorker = 'WorkerGlobalScope' in scope; // of a browser
const { compareExchange, load, notify, store, wait, waitAsync } = scope.Atomics ?? {};

/**
 * @param {any} object
 * @param {string} name
 */
function bound(object, name) {
    return object?.[name]?.bind(object);
}

/**
 * Posts tasks behind those that are ready: by messages in WebKit, which has no postTask, and in workers, where Firefox
 * runs what postTask posts before all timers.
 *
 * @returns {((task: () => void) => void) | undefined}
 */
function poster() {
    const { MessageChannel, scheduler } = scope;
    const post = (/** @type {() => void} */ task) => {
        const { port1, port2 } = new MessageChannel();
        const once = () => {
            port1.onmessage = null;
            port1.close();
            clearTimeout(timer);
            task();
        };
        // WebKit loses messages when a page enters its back/forward cache.
        const timer = setTimeout(once, LOST_MESSAGE_MS);
        port1.onmessage = once;
        port2.postMessage(0);
    };
    const postTask = isWorker ? undefined : bound(scheduler, 'postTask');
    return postTask ?? (MessageChannel && setTimeout && post); // an audio worklet has no timers
}

/** An audio worklet has no performance. @type {() => number} */
const now = bound(scope.performance ?? Date, 'now');

/**
 * What all threads share, about, in milliseconds. Not `Date.now`, which tests fake.
 *
 * @returns {() => number}
 */
function epochClock() {
    const { timeOrigin } = scope.performance ?? {};
    return timeOrigin === undefined ? Date.now : () => timeOrigin + now();
}

/** Whose then() runs no code that a program has put on promises. */
const resolved = (async () => {})();
Reflect.set(resolved, 'constructor', undefined);

/**
 * @typedef {object} Timers
 * @property {(callback: () => void, milliseconds?: number) => any} setTimeout
 * @property {(handle: any) => void} clearTimeout
 * @property {() => number} now
 */

/**
 * What a runtime lacks is undefined.
 *
 * @type {Timers & {
 *     date: () => number,
 *     setInterval: typeof globalThis.setInterval,
 *     clearInterval: typeof globalThis.clearInterval,
 *     queueMicrotask: typeof globalThis.queueMicrotask,
 *     soon: (job: () => void) => unknown,
 *     setImmediate: ((task: () => void) => unknown) | undefined,
 *     postTask: ((task: () => void) => unknown) | undefined,
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
    date: epochClock(),
    now,
    setTimeout: bound(scope, 'setTimeout'),
    clearTimeout: bound(scope, 'clearTimeout'),
    setInterval: bound(scope, 'setInterval'),
    clearInterval: bound(scope, 'clearInterval'),
    queueMicrotask: bound(scope, 'queueMicrotask'),
    // A microtask that throws nothing: Node's queueMicrotask takes a tenth of the time of a request.
    soon: bound(resolved, 'then'),
    setImmediate: bound(scope, 'setImmediate'),
    postTask: scope.setImmediate ? undefined : poster(), // in Node a look at MessageChannel takes a millisecond
    // WebKit's workers do not end a waitAsync with a limit while nothing else wakes them. There is no better sign of
    // WebKit: programs polyfill what it lacks.
    endsWaits: !isWorker,
    compareExchange,
    load,
    notify,
    store,
    wait,
    waitAsync,
};

/**
 * Calls back after the tasks that are ready. A timer is the last choice: background pages have few.
 *
 * @param {() => void} callback
 */
export function yieldToLoop(callback) {
    const { setImmediate, postTask, setTimeout } = environment;
    (setImmediate ?? postTask ?? setTimeout)(callback);
}

/** Whether the program's tests have replaced its `setTimeout`. */
export function isTimeFaked() {
    return scope.setTimeout !== setTimeout;
}

/** @returns {Pick<Timers, 'setTimeout' | 'clearTimeout'>} as they are now: the program's timeouts go by them */
export function callersTimers() {
    return { setTimeout: bound(scope, 'setTimeout'), clearTimeout: bound(scope, 'clearTimeout') };
}

/**
 * The clock that goes with the program's `setTimeout` of now.
 *
 * @returns {() => number}
 */
export function callersClock() {
    return isTimeFaked() ? () => Date.now() : environment.now;
}
