/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { HoldfastError } from '../errors.js';
import { foundFor } from '../memory/placed.js';
import { offsetOfPlace } from '../memory/slot.js';
import { stackOf } from './origin.js';
import { originOfLast, takenBy } from './sites.js';
import { titleOf } from './words.js';

/* Errors of waits are made in a timer or when a thread wakes, so their own stacks say little. This adds the stack of
 * the call that asked and, as the cause, the place where the lock was taken. */

/** @typedef {Pick<import('./call.js').Call, 'lock' | 'origin' | 'isOwn'>} Call */

/** @type {WeakSet<HoldfastError>} */
const seen = new WeakSet();

/** @param {unknown} error @param {import('../waiting/hooks.js').Shown} gate @param {Call} call */
function explain(error, gate, { origin, isOwn }) {
    const isOfThis = error instanceof HoldfastError && error.lock?.byteOffset === offsetOfPlace(gate.place);
    if (!isOfThis || seen.has(error)) {
        return; // the callback may have thrown an error about another lock
    }
    seen.add(error);
    const asked = isOwn ? stackOf(origin) : '';
    if (asked !== '') {
        error.stack = `${error.name}: ${error.message}\n${asked}`;
    }
    const { by, from } = takenBy(gate);
    // For lock() only the last call is known, and that may be the call that asks.
    if (from && from !== asked && error.cause === undefined) {
        const cause = new Error(`${titleOf(/** @type {any} */ (error.lock))} was taken by ${by}.`);
        cause.stack = `Error: ${cause.message}\n${from}`;
        error.cause = cause;
    }
}

/**
 * Gives a call with a time limit the stack of its caller, which the error of a time-out lacks.
 * @param {Call} call that runs
 */
export function giveOrigin(call) {
    if (!call.isOwn) {
        call.origin = originOfLast();
        call.isOwn = true;
    }
}

/** @param {import('../waiting/request.js').Request | undefined} request @param {Call} call that has just made it */
export function explainRequest(request, call) {
    if (request) {
        if (request.timeout !== Infinity) {
            giveOrigin(call);
        }
        const { reject } = request;
        request.reject = (/** @type {unknown} */ reason) => {
            explain(reason, request.queue.gate, call);
            reject.call(request, reason);
        };
    }
}

/** @param {unknown} error thrown by a method @param {Call} call the call of that method @returns {unknown} the error, explained if possible */
export function explained(error, call) {
    if (error instanceof HoldfastError) {
        const { attachment, byteOffset } = foundFor(call.lock);
        const [queue] = attachment.queues.get(byteOffset)?.values() ?? [];
        if (queue) {
            explain(error, queue.gate, call);
        }
    }
    return error;
}

/**
 * @template T
 * @param {Promise<T>} promise of a method, without a request
 * @param {Call} call
 */
export function explainRejected(promise, call) {
    return promise.catch((error) => {
        throw explained(error, call);
    });
}
