/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { HoldfastError } from '../errors.js';
import { Guard } from './guard.js';
import { lasts, lastsNoLonger } from '../thread/window.js';
import { requestOf } from './request.js';

/**
 * Whether `await` takes it for a promise.
 *
 * @param {any} value
 */
export function isThenable(value) {
    return typeof value?.then === 'function';
}

/**
 * What a callback returns that is not async. (Of code that is generic itself it is not known: `exec<any>(callback)`.) For an async
 * one it is a text that nothing fits, since compilers show it.
 *
 * @template T
 * @typedef {T extends PromiseLike<unknown> ? 'an async callback: use executeLocked(), execAsync(), recoverAsync() or runAsync()' : T} NotAsync
 */

/** @param {() => unknown} predicate */
export function isTrue(predicate) {
    const answer = predicate();
    if (isThenable(answer)) {
        const message =
            'The predicate is async, so there is no answer yet. Pass a function that returns true or false.';
        throw refused(answer, new HoldfastError('HF_BAD_CALLBACK', message));
    }
    return Boolean(answer);
}

/**
 * @typedef {object} Holdable a lock, permits
 * @property {() => Section} enter a section begins, which holds it already
 * @property {(promise: unknown) => boolean} awaits whether a section that waits for that promise waits for itself
 *
 * @typedef {object} Section code, or a guard
 * @property {boolean} isLost whether a wait of its code has ended without the lock
 * @property {{ lasting: number }} queue of what it holds
 * @property {() => HoldfastError | undefined} leave releases; the error if that could not be
 * @property {() => void} [recycle] after that, by who alone knows of it: the next section may be the same object
 */

/** @param {Section} section that went well */
function end(section) {
    const error = section.leave();
    if (error !== undefined) {
        throw error;
    }
}

/**
 * Runs the callback with the lock held, and releases it whatever the callback does.
 *
 * @template T
 * @param {Holdable} held
 * @param {() => T | PromiseLike<T>} callback
 * @returns {T | Promise<T>} a promise settles after the release
 */
export function runSection(held, callback) {
    const section = held.enter();
    let result;
    try {
        result = callback();
        if (isThenable(result)) {
            checkIsForeign(held, result);
            lasts(section);
            return settle(section, result);
        }
    } catch (error) {
        section.leave();
        throw error;
    }
    end(section);
    section.recycle?.();
    return /** @type {T} */ (result);
}

/**
 * @param {Holdable} held
 * @param {any} promise that a callback returned
 * @throws {HoldfastError} `HF_DEADLOCK`
 */
export function checkIsForeign(held, promise) {
    if (held.awaits(promise)) {
        const message = 'The callback returned a request for its own lock: it would wait for itself.';
        throw refused(promise, new HoldfastError('HF_DEADLOCK', message));
    }
}

/**
 * Ends the request that a callback returned, if it is one that waits: nobody else has it, so nobody would release what it gets.
 *
 * @param {any} result
 * @param {HoldfastError} error that says why it is refused
 */
function refused(result, error) {
    const request = requestOf(result);
    if (request) {
        result.catch(() => {});
        request.queue.giveUp(request, error);
    }
    return error;
}

/**
 * @template T
 * @param {Section} section
 * @param {T | PromiseLike<T>} promise that its callback returned
 */
async function settle(section, promise) {
    let value;
    try {
        value = await promise; // not promise.then(), which may be the promise's own
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
 * @template T
 * @param {Holdable} held
 * @param {() => T} callback not async
 * @param {string} instead the method for async callbacks
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
        throw asyncCallbackError(result, instead);
    }
    section.recycle?.(); // at last: what a callback returns has code of its own, and a promise may keep the section
    return result;
}

/** @param {unknown} promise that the callback returned @param {string} instead the method for async callbacks */
export function asyncCallbackError(promise, instead) {
    return refused(
        promise,
        new HoldfastError('HF_BAD_CALLBACK', `The callback returned a promise. Use ${instead}.`),
    );
}

/** @param {Holdable} held */
export function enterWithGuard(held) {
    return new Guard(held.enter());
}

/** For unlock(), which does not end a section. */
export function heldError() {
    return new HoldfastError('HF_NOT_OWNER', 'A guard or a callback holds the lock, and releases it.');
}
