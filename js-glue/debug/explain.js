/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { HoldfastError } from '../errors.js';
import { foundFor } from '../memory/placed.js';
import { offsetOfPlace } from '../memory/slot.js';
import { requestOf } from '../waiting/request.js';
import { takenBy } from './long-waits.js';
import { titleOf } from './notice.js';
import { originOfLast, stackOf } from './origin.js';

/** @typedef {import('../errors.js').LockNamed} LockNamed */
/** @typedef {import('./call.js').Call} Call */

/* Errors of waits, which are made in a timer or when a thread wakes: they get the stack of the call that asked, and as their
 * cause the place where the lock was taken. */

/** @type {WeakSet<HoldfastError>} */
const seen = new WeakSet();

/**
 * @param {unknown} error
 * @param {import('../waiting/hooks.js').Shown} gate
 * @param {{ stack?: string | undefined }} origin of the call
 */
function explain(error, gate, origin) {
    const isOfThis = error instanceof HoldfastError && error.lock?.byteOffset === offsetOfPlace(gate.place);
    if (!isOfThis || seen.has(error)) {
        return; // what its callback throws may be of another lock
    }
    seen.add(error);
    const asked = stackOf(origin);
    if (asked !== '') {
        error.stack = `${error.name}: ${error.message}\n${asked}`;
    }
    const { by, from } = takenBy(gate);
    // Of lock() only the last call is known, which may be the one that asks.
    if (from && from !== asked && error.cause === undefined) {
        const cause = new Error(`${titleOf(/** @type {LockNamed} */ (error.lock))} was taken by ${by}.`);
        cause.stack = `Error: ${cause.message}\n${from}`;
        error.cause = cause;
    }
}

/** Gives a call with a time limit its stack: the error of its time-out has none. @param {Call} call that runs */
export function giveOrigin(call) {
    if (!call.isOwn) {
        call.origin = originOfLast();
        call.isOwn = true;
    }
}

/**
 * @param {import('../waiting/request.js').Request | undefined} request
 * @param {Call} call that has just made it
 */
export function explainRequest(request, call) {
    if (request) {
        if (request.timeout !== Infinity) {
            giveOrigin(call);
        }
        const { reject } = request;
        request.reject = (/** @type {unknown} */ reason) => {
            explain(reason, request.queue.gate, call.isOwn ? call.origin : {});
            reject.call(request, reason);
        };
    }
}

/**
 * @param {unknown} error that a method has thrown
 * @param {Pick<Call, 'lock' | 'origin' | 'isOwn'>} call of it
 * @returns {unknown} the same
 */
export function explained(error, { lock, origin, isOwn }) {
    if (error instanceof HoldfastError) {
        const { attachment, byteOffset } = foundFor(lock);
        const [queue] = attachment.queues.get(byteOffset)?.values() ?? [];
        if (queue) {
            explain(error, queue.gate, isOwn ? origin : {});
        }
    }
    return error;
}

/**
 * @template T
 * @param {Promise<T>} promise of a method, which is that of no request
 * @param {Call} call
 */
export function explainRejected(promise, call) {
    return promise.catch((error) => {
        throw explained(error, call);
    });
}

/** @param {Promise<unknown>} promise of a method that waits @param {Call} call */
export function explainPromise(promise, call) {
    explainRequest(requestOf(promise), call);
}
