/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { HoldfastError } from '../errors.js';
import { standsFor } from '../waiting/request.js';
import { Call } from './call.js';
import { originOf } from './origin.js';
import { listeners, lookFromTimeToTime, lookSoon } from './watch.js';

/* The methods that take a lock, replaced in the classes: for all objects, and subclasses too. */

/**
 * @typedef {import('./call.js').Asked} Asked
 * @typedef {import('./call.js').Lock} Lock
 * @typedef {import('../waiting/guard.js').Guard} Guard
 * @typedef {(this: any, ...args: any[]) => any} Method
 * @typedef {(original: Method, ask: (lock: Lock, options?: unknown) => Call) => Method} Replace
 */

/** A call that others are made for, and not yet the first of them. @type {Asked | undefined} */
let outer;

/** @param {Lock} one @param {Lock} other */
function isSamePlace(one, other) {
    return one.byteOffset === other.byteOffset && one.memory === other.memory;
}

/** @param {Lock} lock @param {string} method @param {Function} replaced */
function askedBy(lock, method, replaced) {
    if (outer === undefined || !isSamePlace(outer.lock, lock)) {
        return { lock, method: `${method}()`, origin: originOf(replaced) };
    }
    const asked = outer;
    outer = undefined;
    return asked;
}

/** @param {boolean} mayEndLater @returns {Replace} */
const section = (mayEndLater) => (original, ask) =>
    function (callback, ...rest) {
        const call = ask(this, rest[0]);
        const promise = original.call(this, call.around(callback, mayEndLater), ...rest);
        return follow(call, promise);
    };

/** @type {Replace} */
const wait = (original, ask) =>
    function (options) {
        return follow(ask(this, options), original.call(this, options));
    };

/** The promise is replaced: handlers of our own would make an error of it a handled one. @type {Replace} */
const guardAsync = (original, ask) =>
    function (options) {
        const call = ask(this, options);
        const promise = original.call(this, options);
        const followed = promise.then((/** @type {Guard} */ guard) => watched(guard, call));
        standsFor(followed, promise);
        return follow(call, followed);
    };

/** @type {Replace} */
const guardNow = (original, ask) =>
    function (...args) {
        return watched(original.apply(this, args), ask(this));
    };

/** @type {WeakMap<Guard, Call>} */
const guards = new WeakMap();

/** @param {Guard} guard @param {Call} call */
function watched(guard, call) {
    call.holdGuard();
    guards.set(guard, call);
    return guard;
}
