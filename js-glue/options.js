/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { checkAborted, HoldfastError } from './errors.js';
import { callersNow } from './thread/environment.js';

/**
 * How long a wait may last. If both are given, the earlier one counts.
 * @typedef {object} TimeLimit
 * @property {number | undefined} [timeout] milliseconds, fractions allowed; 0 or less: do not wait
 * @property {number | undefined} [deadline] a time of `performance.now()`, or the result of `deadlineIn()`, as one
 *     limit for several waits. A wait ends less than a millisecond after it.
 */

/**
 * Limits of a wait, for methods that do not block; without limit by default. They end the wait, never the callback.
 * @typedef {TimeLimit & { signal?: AbortSignal | null | undefined }} WaitOptions
 */

/** Names of these options. Longer lists repeat the names: bundlers keep an unused list if it has a spread. */
const WAIT = ['timeout', 'deadline', 'signal'];
const TIME = ['timeout', 'deadline'];

/** Longer times are probably times of `Date.now()`, and are refused. */
const DECADES_MS = 1e12;

/** Formats a value for an error message. @param {unknown} value */
export function describe(value) {
    return Object(value) === value ? 'an object' : String(value);
}

/** @param {import('./errors.js').ErrorCode} code @param {string} rule that the value breaks @param {unknown} value */
export function valueError(code, rule, value) {
    return new HoldfastError(code, `${rule}, not ${describe(value)}.`);
}

/** Puts a string, which may be empty or look like a number, in quotes. (Pages with Mutex alone do not load it.) @param {unknown} value */
export function quoted(value) {
    return typeof value === 'string' ? `'${value}'` : value;
}

/**
 * @template {object} Options
 * @param {Options | undefined} options
 * @param {readonly string[]} names of the valid options
 * @returns {Partial<Options>}
 */
export function checkOptions(options = /** @type {Options} */ ({}), names) {
    const known = `Pass { ${names.join(', ')} }`;
    if (typeof options !== 'object' || options === null) {
        throw valueError('HF_BAD_OPTION', known, options);
    }
    for (const name in options) {
        // Properties of Object.prototype are ignored, since programs may add some. Other inherited properties
        // are refused, so that a signal is not taken for options.
        if (!names.includes(name) && (Object.hasOwn(options, name) || !(name in {}))) {
            throw new HoldfastError('HF_BAD_OPTION', `No option '${name}'. ${known}.`);
        }
    }
    return options;
}

/** @param {unknown} timeout @returns {number} milliseconds, 0 or more */
export function checkTimeout(timeout) {
    if (typeof timeout !== 'number' || Number.isNaN(timeout)) {
        throw valueError('HF_BAD_TIMEOUT', 'A timeout must be a number in ms', timeout);
    }
    return Math.max(timeout, 0);
}

/**
 * @param {any} limit options, or milliseconds
 * @param {number} [otherwise] milliseconds, if it has no limit
 * @param {readonly string[]} [names] of the valid options
 * @returns {number} milliseconds, 0 or more
 */
export function checkLimit(limit, otherwise = 0, names = TIME) {
    if (names === TIME && typeof limit !== 'object') {
        return checkTimeout(limit);
    }
    const { deadline, timeout = deadline === undefined ? otherwise : Infinity } = checkOptions(limit, names);
    const left = deadline === undefined ? Infinity : checkTimeout(deadline) - callersNow();
    if (left > DECADES_MS && left < Infinity) {
        throw valueError('HF_BAD_TIMEOUT', 'A deadline must be a time of performance.now()', deadline);
    }
    return Math.min(checkTimeout(timeout), Math.max(Math.ceil(left), 0));
}

/**
 * Returns a deadline for several waits: pass `{ deadline }` in place of `{ timeout }`.
 * Blocks: never. Callable from: any thread. Use the result in this thread only: other threads have clocks of their
 * own.
 * @param {number} milliseconds from now, fractions allowed
 * @returns {number} a time of `performance.now()`
 * @throws {HoldfastError} `HF_BAD_TIMEOUT`
 */
export function deadlineIn(milliseconds) {
    return callersNow() + checkTimeout(milliseconds);
}

/**
 * @param {unknown} count
 * @param {string} what its name
 * @param {number} least
 * @param {number} most
 * @returns {number} the count
 */
export function checkCount(count, what, least, most) {
    if (!isWhole(count, least, most)) {
        throw valueError(
            'HF_BAD_COUNT',
            `${what} must be a whole number from ${least} to ${most}`,
            quoted(count),
        );
    }
    return count;
}

/**
 * @param {any} value
 * @param {number} least
 * @param {number} most
 * @returns {value is number}
 */
export function isWhole(value, least, most) {
    return Number.isInteger(value) && value >= least && value <= most;
}

/**
 * The checked limits of a wait.
 * @typedef {object} Wait
 * @property {number} timeout milliseconds, 0 or more
 * @property {AbortSignal | undefined} signal
 */

/** @type {Wait} */
export const WITHOUT_LIMIT = { timeout: Infinity, signal: undefined };

/**
 * Checked by shape: a signal may be of another realm, or a polyfill's.
 * @param {any} candidate
 * @returns {candidate is AbortSignal}
 */
export function isSignal(candidate) {
    return typeof candidate?.aborted === 'boolean' && typeof candidate.removeEventListener === 'function';
}

/**
 * @template {WaitOptions} Options
 * @param {Options | undefined} options
 * @param {readonly string[]} [names] of the valid options
 * @returns {Omit<Partial<Options>, keyof WaitOptions> & Wait} the checked limits, and other options as they are
 * @throws the reason of a signal that is already aborted
 */
export function checkWait(options, names) {
    return options === undefined ? /** @type {any} */ (WITHOUT_LIMIT) : checkGivenWait(options, names);
}

/**
 * @template {WaitOptions} Options
 * @param {Options} options
 * @param {readonly string[]} [names]
 */
function checkGivenWait(options, names = WAIT) {
    const timeout = checkLimit(options, Infinity, names);
    const signal = options.signal ?? undefined; // null is allowed, as for `fetch`
    if (signal !== undefined && !isSignal(signal)) {
        throw valueError('HF_BAD_SIGNAL', 'A signal must be an AbortSignal', signal);
    }
    checkAborted(signal);
    return { ...options, timeout, signal };
}

/**
 * For methods that wait without limit: refuses a limit, since a caller that gives one does not want to wait for ever.
 * @param {unknown} limit or options
 * @param {string} instead the method that takes a limit
 */
export function checkNoLimit(limit, instead) {
    if (limit !== undefined) {
        throw new HoldfastError('HF_BAD_OPTION', `This call takes no timeout. Use ${instead}.`);
    }
}

/** Refuses a limit among other options. @param {unknown} options @param {string} instead */
export function checkNoLimitIn(options, instead) {
    const { timeout, deadline = timeout } = Object(options);
    checkNoLimit(deadline, instead);
}

/** @param {unknown} callback */
export function checkCallback(callback) {
    if (typeof callback !== 'function') {
        throw valueError('HF_BAD_CALLBACK', 'A callback must be a function', callback);
    }
}

/**
 * Reads an option for `holdfast/debug` and `holdfast/trace` without running a getter, which the method itself will
 * run.
 * @param {unknown} options
 * @param {string} name
 * @returns {any}
 */
export function peek(options, name) {
    let object = typeof options === 'object' ? options : null;
    while (object !== null && !Object.hasOwn(object, name)) {
        object = Object.getPrototypeOf(object);
    }
    return object === null ? undefined : Object.getOwnPropertyDescriptor(object, name)?.value;
}
