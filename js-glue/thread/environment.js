/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { LOST_MESSAGE_MS } from './times.js';

/* What the glue needs of its runtime for its own working, as it was when this was loaded: the tests of a program may
 * put others in the place of these globals later, whose time stands still. No other file of the glue names them. */

/** @type {any} The types of several kinds of global objects meet here, none of which has all of this. */
const scope = globalThis;

const { clearTimeout, setTimeout } = scope;
const isWorker = 'WorkerGlobalScope' in scope; // of a browser
const { load, notify, wait, waitAsync } = scope.Atomics ?? {};

/**
 * @param {any} object
 * @param {string} name
 */
function bound(object, name) {
    return object?.[name]?.bind(object);
}

/**
 * Posts tasks, behind those that are ready. As messages in workers, for Firefox runs there what postTask has posted before all
 * timers; and in WebKit, which has no postTask.
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
        // WebKit loses a message that is on its way while the page goes into its back/forward cache.
        const timer = setTimeout(once, LOST_MESSAGE_MS);
        port1.onmessage = once;
        port2.postMessage(0);
    };
    const postTask = isWorker ? undefined : bound(scheduler, 'postTask');
    return postTask ?? (MessageChannel && post);
}

/**
 * @typedef {object} Timers
 * @property {(callback: () => void, milliseconds?: number) => any} setTimeout
 * @property {(handle: any) => void} clearTimeout
 * @property {() => number} now milliseconds since some moment
 */

/**
 * What a runtime lacks is undefined. Tests of the glue itself put others in.
 *
 * @type {Timers & {
 *     setInterval: typeof globalThis.setInterval,
 *     clearInterval: typeof globalThis.clearInterval,
 *     queueMicrotask: typeof globalThis.queueMicrotask,
 *     setImmediate: ((task: () => void) => unknown) | undefined,
 *     postTask: ((task: () => void) => unknown) | undefined,
 *     endsWaits: boolean,
 *     load: typeof Atomics.load,
 *     notify: typeof Atomics.notify,
 *     wait: typeof Atomics.wait,
 *     waitAsync: typeof Atomics.waitAsync,
 * }}
 */
export const environment = {
    // An audio worklet has no performance.
    now: bound(scope.performance ?? Date, 'now'),
    setTimeout: bound(scope, 'setTimeout'),
    clearTimeout: bound(scope, 'clearTimeout'),
    setInterval: bound(scope, 'setInterval'),
    clearInterval: bound(scope, 'clearInterval'),
    queueMicrotask: bound(scope, 'queueMicrotask'),
    setImmediate: bound(scope, 'setImmediate'),
    postTask: poster(),
    // Whether a waitAsync with a limit ends in a thread that nothing else wakes: in WebKit it does not in workers. No other
    // sign tells WebKit's: programs polyfill what it lacks.
    endsWaits: !isWorker,
    load,
    notify,
    wait,
    waitAsync,
};

/**
 * Calls back after the other tasks that this thread's event loop has ready. A timer is the last choice: pages
 * in the background get theirs once a second or more seldom.
 *
 * @param {() => void} callback
 */
export function yieldToLoop(callback) {
    const { setImmediate, postTask, setTimeout } = environment;
    (setImmediate ?? postTask ?? setTimeout)(callback);
}

/** Whether the program's own `setTimeout` is another by now: its tests have replaced it. */
export function isTimeFaked() {
    return scope.setTimeout !== setTimeout;
}

/**
 * The program's own timers as they are now, by which its timeouts go.
 *
 * @returns {Pick<Timers, 'setTimeout' | 'clearTimeout'>}
 */
export function callersTimers() {
    return { setTimeout: bound(scope, 'setTimeout'), clearTimeout: bound(scope, 'clearTimeout') };
}

/**
 * The clock for what callers limit by several timers, one after the other: that which goes with their `setTimeout` as it is
 * now.
 *
 * @returns {() => number}
 */
export function callersClock() {
    return isTimeFaked() ? () => Date.now() : environment.now;
}
