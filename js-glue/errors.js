/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { RESULT_DEADLOCK, RESULT_NOT_OWNER } from './memory/layout.js';

/**
 * The cause of a `HoldfastError`. docs/errors.md has the remedy of each.
 *
 * @typedef {'HF_ABANDONED' | 'HF_BAD_ADDRESS' | 'HF_BAD_CALLBACK' | 'HF_BAD_COUNT' | 'HF_BAD_HANDLE' | 'HF_BAD_MEMORY'
 *     | 'HF_BAD_MUTEX' | 'HF_BAD_NAME' | 'HF_BAD_OPTION' | 'HF_BAD_SIGNAL' | 'HF_BAD_TIMEOUT' | 'HF_BAD_TOKEN'
 *     | 'HF_COPIES' | 'HF_DEADLOCK' | 'HF_FREED' | 'HF_INTERNAL' | 'HF_MAY_NOT_BLOCK' | 'HF_NOT_ISOLATED'
 *     | 'HF_NOT_LOADED' | 'HF_NOT_OWNER' | 'HF_NOT_SHARED' | 'HF_NO_ALLOCATOR' | 'HF_NO_SPACE' | 'HF_NO_THREADS'
 *     | 'HF_NO_TIMELINE' | 'HF_NO_TIMERS' | 'HF_NO_WEBASSEMBLY' | 'HF_OVERFLOW' | 'HF_TERMINATED' | 'HF_TIMEOUT'
 *     | 'HF_TOO_LATE'} ErrorCode
 */

/**
 * Every error that holdfast throws or rejects with, except an abort, which rejects with the signal's own
 * reason, and what a callback throws.
 *
 * Codes are stable; messages say what to do next and may change. See docs/errors.md for the list.
 */
export class HoldfastError extends Error {
    name = 'HoldfastError';

    /**
     * @param {ErrorCode} code
     * @param {string} message
     */
    constructor(code, message) {
        super(message);
        this.code = code;
    }
}

/**
 * The holder of a lock for which a wait timed out.
 *
 * @typedef {object} Held
 * @property {string} holder the thread's name, or its number: `'thread 3'`
 * @property {number | undefined} heldFor for how many milliseconds at least; undefined if nobody has probed it before
 */

/** A wait whose `timeout` passed. Its `code` is `HF_TIMEOUT`. */
export class TimeoutError extends HoldfastError {
    name = 'TimeoutError';

    /**
     * @param {string} what it waited for
     * @param {number} milliseconds how long the caller was willing to wait
     * @param {boolean} [isMine] whether other code of this thread has the lock
     * @param {Held} [held] by which thread, if that is known
     */
    constructor(what, milliseconds, isMine, held) {
        const { holder, heldFor } = held ?? {};
        const time = heldFor === undefined ? '' : ` for at least ${heldFor} ms`;
        const other = holder === undefined ? '' : `, held by ${holder}${time}`;
        // Code that is slow looks the same as code that waits for this very request.
        const by = isMine ? ', held by other code of this thread' : other;
        super('HF_TIMEOUT', `Timed out after ${milliseconds} ms waiting for ${what}${by}.`);
        /** The name of the thread that held it, or its number; undefined if nobody did, or that is not known. */
        this.holder = holder;
        /** For how many milliseconds that thread had held it at least; undefined if that is not known. */
        this.heldFor = heldFor;
    }
}

/** The thread that held the lock has died, so what the lock protects may be half done. Its `code` is `HF_ABANDONED`. */
export class AbandonedError extends HoldfastError {
    name = 'AbandonedError';

    /**
     * @param {string} owner the thread's name, or its number; '' if nobody knows it any more
     * @param {number | undefined} since when it is known to be dead, as of `Date.now()`
     */
    constructor(owner, since) {
        super(
            'HF_ABANDONED',
            `${owner || 'A thread'} died holding the lock. Repair its data in recover() or recoverAsync().`,
        );
        this.owner = owner;
        this.since = since;
    }
}

/** @param {unknown} error */
export function isTimeout(error) {
    return error instanceof TimeoutError;
}

/** @param {unknown} error */
export function isAbandoned(error) {
    return error instanceof AbandonedError;
}

/**
 * The error for a result of the module that is not success.
 *
 * @param {number} result an hf_result
 * @param {string} what the kind of lock, as users call it
 */
export function errorOf(result, what) {
    switch (result) {
        case RESULT_DEADLOCK:
            return new HoldfastError(
                'HF_DEADLOCK',
                `This thread already holds the ${what}. To wait for its other code, use acquireAsync().`,
            );
        case RESULT_NOT_OWNER:
            return new HoldfastError(
                'HF_NOT_OWNER',
                `Only the thread that holds the ${what} may release it.`,
            );
        default:
            return new HoldfastError('HF_INTERNAL', `Report result ${result} of a ${what}.`);
    }
}
