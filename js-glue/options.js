/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { HoldfastError } from './errors.js';

/**
 * How long to wait, for the methods that do not block.
 *
 * @typedef {object} WaitOptions
 * @property {number | undefined} [timeout] milliseconds, fractions allowed; 0 or less: only if it is to be had at once;
 *     Infinity by default. Ends the wait, never the callback.
 * @property {AbortSignal | null | undefined} [signal] ends the wait, never the callback
 */

/** The names of those. (Spread into a longer list at the top of a module, bundlers would keep that list.) */
const WAIT = ['timeout', 'signal'];

/**
 * For an error message, without running the value's own code.
 *
 * @param {unknown} value
 */
export function describe(value) {
    if (value === null || value === undefined || typeof value === 'number') {
        return `${value}`;
    }
    return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/**
 * @param {import('./errors.js').ErrorCode} code
 * @param {string} rule that the value breaks
 * @param {unknown} value
 */
export function valueError(code, rule, value) {
    return new HoldfastError(code, `${rule}; this is ${describe(value)}.`);
}

/**
 * That they are an object; the caller checks their names.
 *
 * @template {object} Options
 * @param {Options} [options]
 * @param {readonly string[]} [names] of those that there are, for the message, if the caller knows them
 * @returns {Partial<Options>}
 */
export function checkShape(options = /** @type {Options} */ ({}), names = ['...']) {
    if (typeof options !== 'object' || options === null) {
        throw valueError('HF_BAD_OPTION', `Options are an object { ${names.join(', ')} }`, options);
    }
    return options;
}

/**
 * @template {object} Options
 * @param {Options | undefined} options
 * @param {readonly string[]} names of those that there are
 * @returns {Partial<Options>}
 */
export function checkOptions(options, names) {
    const checked = checkShape(options, names);
    checkNames(checked, names);
    return checked;
}

/**
 * @param {object} options
 * @param {readonly string[]} names of those that there are
 */
export function checkNames(options, names) {
    for (const name in options) {
        // What programs add to Object.prototype is left alone. What a class of the web gives its objects is refused: a signal is
        // not the options.
        if (!names.includes(name) && (Object.hasOwn(options, name) || !(name in {}))) {
            throw new HoldfastError(
                'HF_BAD_OPTION',
                `No option '${name}'. Options: ${names.join(', ') || 'none'}.`,
            );
        }
    }
}

/**
 * @param {unknown} timeout
 * @returns {number} milliseconds, 0 or more
 */
export function checkTimeout(timeout) {
    if (typeof timeout !== 'number' || Number.isNaN(timeout)) {
        throw valueError('HF_BAD_TIMEOUT', 'A timeout is a number of milliseconds', timeout);
    }
    return Math.max(timeout, 0);
}

/**
 * @param {unknown} count
 * @param {string} what its name
 * @param {number} least
 * @param {number} most
 * @returns {number} the same
 */
export function checkCount(count, what, least, most) {
    if (!isWhole(count, least, most)) {
        throw valueError('HF_BAD_COUNT', `${what} is a whole number from ${least} to ${most}`, count);
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
 * How long a request waits, checked.
 *
 * @typedef {object} Wait
 * @property {number} timeout milliseconds, 0 or more
 * @property {AbortSignal | undefined} signal
 */

/** @type {Wait} */
export const WITHOUT_LIMIT = { timeout: Infinity, signal: undefined };

/**
 * By shape, since it may come from another realm, or from a polyfill.
 *
 * @param {any} candidate
 * @returns {candidate is AbortSignal}
 */
export function isSignal(candidate) {
    return (
        typeof candidate?.aborted === 'boolean' &&
        typeof candidate.addEventListener === 'function' &&
        typeof candidate.removeEventListener === 'function'
    );
}

/**
 * Short, so that engines inline it; so is `checkCallback`.
 *
 * @param {WaitOptions | undefined} options
 * @param {readonly string[]} [names] of the options that there are
 * @returns {Wait}
 * @throws the reason of a signal that is aborted already
 */
export function checkWait(options, names) {
    return options === undefined ? WITHOUT_LIMIT : checkLimits(options, names);
}

/**
 * @param {WaitOptions} options
 * @param {readonly string[]} [names]
 */
function checkLimits(options, names = WAIT) {
    const { timeout = Infinity, signal: given } = checkShape(options, names);
    for (const name in options) {
        if (name !== 'timeout' && name !== 'signal') {
            checkNames(options, names); // not for each call: what is looked up in a list takes longer
            break;
        }
    }
    const signal = given ?? undefined; // as `fetch` takes it
    if (signal !== undefined && !isSignal(signal)) {
        throw valueError('HF_BAD_SIGNAL', 'A signal is an AbortSignal', signal);
    }
    const wait = { timeout: checkTimeout(timeout), signal };
    if (signal?.aborted) {
        throw signal.reason;
    }
    return wait;
}

/**
 * For methods that wait without limit: who gives one is not to wait for ever.
 *
 * @param {unknown} limit or options, given all the same
 * @param {string} instead what to call with one
 */
export function checkNoLimit(limit, instead) {
    if (limit !== undefined) {
        throw new HoldfastError('HF_BAD_OPTION', `This takes no timeout. Use ${instead}.`);
    }
}

/** @param {unknown} callback */
export function checkCallback(callback) {
    if (typeof callback !== 'function') {
        throw callbackError(callback);
    }
}

/** @param {unknown} callback */
function callbackError(callback) {
    return valueError('HF_BAD_CALLBACK', 'Pass a function as the callback', callback);
}
