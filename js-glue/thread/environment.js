/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The runtime's functions that the glue uses, taken at import: a program's tests may replace them later. */

/** @type {any} */
const scope = globalThis;

const { scheduler, setImmediate, setTimeout } = scope;
const performance = scope.performance ?? scope.Date; // an audio worklet has only Date
const isWorker = 'WorkerGlobalScope' in scope; // a browser's worker

/**
 * Takes an object's methods by name; missing ones are undefined.
 * @param {any} object
 * @param {string[]} names
 * @returns {any}
 */
function taken(object, ...names) {
    return Object.fromEntries(names.map((name) => [name, object?.[name]?.bind(object)]));
}

/** Posts a task by a message. @param {() => void} task */
function post(task) {
    const { port1, port2 } = new scope.MessageChannel();
    port1.onmessage = () => {
        port1.close();
        task();
    };
    port2.postMessage(0);
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
 * @type {Timers & { date: () => number, setInterval: typeof globalThis.setInterval, clearInterval: typeof
 *     globalThis.clearInterval, queueMicrotask: typeof globalThis.queueMicrotask, soon: (job: () => void) => unknown,
 *     setImmediate: ((task: () => void) => unknown) | undefined, endsWaits: boolean, compareExchange: typeof
 *     Atomics.compareExchange, load: typeof Atomics.load, notify: typeof Atomics.notify, store: typeof Atomics.store,
 *     wait: typeof Atomics.wait, waitAsync: typeof Atomics.waitAsync, }}
 */
export const environment = {
    /** About the same in all threads, in milliseconds. Not `Date.now`, which steps when the system's clock is set. */
    date: () => timeOrigin + now(),
    now,
    /** False in browsers' workers: WebKit's do not end a waitAsync at its timeout while nothing else wakes them. */
    endsWaits: !isWorker,
    /**
     * Runs a job, which must not throw, as a microtask. By a promise: queueMicrotask would make a request in Node a
     * tenth slower.
     */
    soon: taken(Promise.resolve(), 'then').then,
    /**
     * Posts a task behind the ready ones. By messages in WebKit, which has no postTask, and in workers, where Firefox
     * runs posted tasks before all timers. A timer would be four milliseconds late.
     */
    setImmediate:
        setImmediate?.bind(scope) ?? // in Node, reading MessageChannel takes a millisecond
        ((!isWorker && scheduler?.postTask?.bind(scheduler)) || (scope.MessageChannel && setTimeout && post)), // an audio worklet has no timers
    ...taken(scope, 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'queueMicrotask'),
    ...taken(scope.Atomics, 'compareExchange', 'load', 'notify', 'store', 'wait', 'waitAsync'),
};

let yields = 0;

/**
 * Calls back after the tasks that are ready now. In a visible page, every fourth call leaves the queue of tasks empty
 * for a millisecond: if it is never empty, Firefox draws a quarter of the frames. By a timer, since Firefox 153 loses
 * posted tasks with a delay.
 * @param {() => void} callback
 */
export function yieldToLoop(callback) {
    const { setImmediate, setTimeout } = environment;
    if (!setImmediate) {
        setTimeout(callback);
    } else if (globalThis.document?.hidden === false && (yields += 1) % 4 === 0) {
        setTimeout(callback, 1);
    } else {
        setImmediate(callback);
    }
}

/** True if the program's tests have replaced its `setTimeout`. */
export function isTimeFaked() {
    return scope.setTimeout !== setTimeout;
}

/**
 * The global timers at the time of the call, faked or not: a program's timeouts use them.
 * @type {Pick<Timers, 'setTimeout' | 'clearTimeout'>}
 */
export const callersTimers = scope;

/** The clock that matches the program's present `setTimeout`. @returns {() => number} */
export function callersClock() {
    return isTimeFaked() ? () => Date.now() : environment.now;
}

/** The clock of the program's deadlines: `performance.now()` as it is at the call. */
export function callersNow() {
    const clock = scope.performance ?? scope.Date;
    return clock.now();
}
