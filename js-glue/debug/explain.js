/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { HoldfastError } from '../errors.js';
import { offsetOfPlace } from '../memory/slot.js';
import { requestOf } from '../waiting/request.js';
import { takenBy } from './long-waits.js';
import { titleOf } from './notice.js';
import { originOfLast, stackOf } from './origin.js';

/** @typedef {import('../errors.js').LockNamed} LockNamed */

/* Errors of waits, which are made in a timer or when a thread wakes: they get the stack of the call that asked, and as their
 * cause the place where the lock was taken. */

/** @type {WeakSet<HoldfastError>} */
const explained = new WeakSet();

/**
 * @param {unknown} error
 * @param {import('../waiting/hooks.js').Shown} gate
 * @param {{ stack?: string | undefined }} origin of the call
 */
function explain(error, gate, origin) {
    const isOfThis = error instanceof HoldfastError && error.lock?.byteOffset === offsetOfPlace(gate.place);
    if (!isOfThis || explained.has(error)) {
        return; // what its callback throws may be of another lock
    }
    explained.add(error);
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

/**
 * @param {import('../waiting/request.js').Request | undefined} request
 * @param {{ origin: { stack?: string | undefined }, isOwn: boolean }} call that has just made it
 */
export function explainRequest(request, call) {
    if (request) {
        if (!call.isOwn && request.timeout !== Infinity) {
            call.origin = originOfLast();
            call.isOwn = true;
        }
        const { reject } = request;
        request.reject = (/** @type {unknown} */ reason) => {
            explain(reason, request.queue.gate, call.isOwn ? call.origin : {});
            reject.call(request, reason);
        };
    }
}

/** @param {Promise<unknown>} promise of a method that waits @param {Parameters<typeof explainRequest>[1]} call */
export function explainPromise(promise, call) {
    explainRequest(requestOf(promise), call);
}
