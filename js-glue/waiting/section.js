/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { HoldfastError } from '../errors.js';
import { Guard } from './guard.js';
import { lasts, lastsNoLonger } from '../thread/window.js';

/**
 * Whether a value is a promise, or is treated like one by `await`.
 *
 * @param {any} value
 */
export function isThenable(value) {
    return typeof value?.then === 'function';
}

/**
 * Whether a value is what a generator function returns, also one that was compiled for older engines.
 *
 * @param {any} value
 */
function isGenerator(value) {
    return typeof value?.next === 'function' && typeof value.throw === 'function';
}

/** @param {unknown} result of a callback */
export function checkHasRun(result) {
    if (isGenerator(result)) {
        throw new HoldfastError(
            'HF_BAD_CALLBACK',
            'The callback returned a generator, whose code has not run.',
        );
    }
}

/**
 * What a predicate says.
 *
 * @param {() => unknown} predicate
 */
export function isTrue(predicate) {
    const answer = predicate();
    if (isThenable(answer) || isGenerator(answer)) {
        throw new HoldfastError(
            'HF_BAD_CALLBACK',
            'The predicate is async or a generator, so there is no answer yet. Pass a function that returns true or false.',
        );
    }
    return Boolean(answer);
}

/**
 * Something that a section holds: a lock, permits.
 *
 * @typedef {object} Holdable
 * @property {() => Section} enter a section begins, which holds it already
 * @property {(promise: unknown) => boolean} awaits whether a section that waits for that promise waits for itself
 *
 * @typedef {object} Section of code that holds it, or a guard
 * @property {() => HoldfastError | undefined} leave ends it, and releases; the error if that could not be
 */

/**
 * Ends a section that went well, unless it had lost the lock.
 *
 * @param {Section} section
 */
function end(section) {
    const error = section.leave();
    if (error !== undefined) {
        throw error;
    }
}

/**
 * Runs the callback of a request that has the lock, and releases the lock when it is done, whatever it does.
 *
 * @template T
 * @param {Holdable} held
 * @param {() => T | PromiseLike<T>} callback
 * @returns {T | Promise<T>} the callback's result, or a promise of it that settles after the release
 */
export function runSection(held, callback) {
    const section = held.enter();
    let result;
    try {
        result = callback();
        const isPromise = isThenable(result);
        checkHasRun(result);
        if (isPromise) {
            // Not in `settle`, which rejects: at the end of the stack it has to be thrown, so that callers release the lock.
            checkIsForeign(held, result);
            lasts(section);
            return settle(section, result);
        }
    } catch (error) {
        section.leave();
        throw error;
    }
    end(section);
    return /** @type {T} */ (result);
}

/**
 * @param {Holdable} held
 * @param {any} promise that a callback returned
 * @throws {HoldfastError} `HF_DEADLOCK` if that waits for the same lock
 */
function checkIsForeign(held, promise) {
    if (held.awaits(promise)) {
        promise.catch(() => {}); // it was given to nobody else
        throw new HoldfastError(
            'HF_DEADLOCK',
            'The callback returned a request for its own lock: it would wait for itself.',
        );
    }
}

/**
 * Holds the lock until the promise that a callback returned settles.
 *
 * @template T
 * @param {Section} section
 * @param {T | PromiseLike<T>} promise
 */
async function settle(section, promise) {
    let value;
    try {
        value = await promise; // and not promise.then(), which a promise may have of its own
    } catch (error) {
        section.leave();
        throw error;
    } finally {
        lastsNoLonger(section);
    }
    end(section);
    return value;
}

/**
 * The same for a callback that is not async, after a method that blocked.
 *
 * @template T
 * @param {Holdable} held
 * @param {() => T} callback
 * @param {string} instead the method for callbacks that are async
 * @returns {T}
 */
export function runBlocking(held, callback, instead) {
    const section = held.enter();
    let result;
    try {
        result = callback();
    } catch (error) {
        section.leave();
        throw error; // and not that of the release
    }
    end(section);
    if (isThenable(result)) {
        throw asyncCallbackError('exec()', instead);
    }
    checkHasRun(result);
    return result;
}

/**
 * @param {string} method which blocks
 * @param {string} instead the method for callbacks that are async
 */
export function asyncCallbackError(method, instead) {
    return new HoldfastError(
        'HF_BAD_CALLBACK',
        `The callback of ${method} returned a promise. Use ${instead}.`,
    );
}

/** @param {Holdable} held */
export function enterWithGuard(held) {
    return new Guard(held.enter());
}
