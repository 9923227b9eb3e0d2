/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/**
 * The cause of a `HoldfastError`. docs/errors.md has the remedy of each.
 *
 * @typedef {'HF_ABANDONED' | 'HF_BAD_ADDRESS' | 'HF_BAD_CALLBACK' | 'HF_BAD_COUNT' | 'HF_BAD_HANDLE' | 'HF_BAD_KEY'
 *     | 'HF_BAD_MEMORY' | 'HF_BAD_MESSAGE' | 'HF_BAD_MUTEX' | 'HF_BAD_NAME' | 'HF_BAD_OPTION' | 'HF_BAD_SIGNAL' | 'HF_BAD_TIMEOUT' | 'HF_BAD_TOKEN'
 *     | 'HF_CLOSED' | 'HF_COPIES' | 'HF_CORRUPT' | 'HF_DEADLOCK' | 'HF_FREED' | 'HF_MAY_NOT_BLOCK' | 'HF_NOT_ISOLATED'
 *     | 'HF_NOT_LOADED' | 'HF_NOT_OWNER' | 'HF_NOT_SHARED' | 'HF_NO_ALLOCATOR' | 'HF_NO_SPACE' | 'HF_NO_THREADS'
 *     | 'HF_NO_TIMELINE' | 'HF_NO_TIMERS' | 'HF_NO_WEBASSEMBLY' | 'HF_OVERFLOW' | 'HF_REFUSED' | 'HF_TERMINATED' | 'HF_TIMEOUT'
 *     | 'HF_TOO_LATE'} ErrorCode
 */

/**
 * A lock, or another object that threads wait for.
 * @typedef {object} LockNamed
 * @property {string} kind its class
 * @property {string} name '' if it has none
 * @property {number} byteOffset where it is in its memory
 */

/**
 * Every error that holdfast throws or rejects with. Exceptions: an abort rejects with the signal's reason, and a
 * callback's own errors pass unchanged.
 *
 * Codes are stable; messages say what to do next and may change. See docs/errors.md for the list.
 */
export class HoldfastError extends Error {
    name = 'HoldfastError';

    /** @param {ErrorCode} code @param {string} message @param {LockNamed} [lock] */
    constructor(code, message, lock) {
        super(message);
        this.code = code;
        if (lock) {
            /** The lock that the error is about, if any. */
            this.lock = lock;
        }
    }
}

/**
 * The holder of a lock for which a wait timed out.
 * @typedef {object} Held
 * @property {string} holder the thread's name, or its number: `'thread 3'`
 * @property {number | undefined} heldFor for at least how many milliseconds; undefined if it was never probed before
 */

/** A wait whose `timeout` passed. Its `code` is `HF_TIMEOUT`. */
export class TimeoutError extends HoldfastError {
    name = 'TimeoutError';

    /**
     * @param {string} message
     * @param {LockNamed} [lock] that it waited for
     * @param {Held} [held] the thread that holds it, if known
     */
    constructor(message, lock, held) {
        super('HF_TIMEOUT', message, lock);
        /** The name of the thread that held it, or its number; undefined if no thread did, or it is not known. */
        this.holder = held?.holder;
        /** For at least how many milliseconds that thread had held it; undefined if not known. */
        this.heldFor = held?.heldFor;
    }
}

/**
 * The thread that held the lock has died, so the data that it protects may be half changed. Its `code` is
 * `HF_ABANDONED`.
 */
export class AbandonedError extends HoldfastError {
    name = 'AbandonedError';

    /**
     * @param {string} message
     * @param {LockNamed} [lock]
     * @param {any} [owner] the thread's name, or its number; '' if no longer known
     * @param {number} [since] when it was found dead, as a time of `Date.now()`
     */
    constructor(message, lock, owner, since) {
        super('HF_ABANDONED', message, lock);
        /** @type {string} */
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

/** @param {AbortSignal | undefined} signal @throws its reason */
export function checkAborted(signal) {
    if (signal?.aborted) {
        throw signal.reason;
    }
}
