/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { beginContexts, endContexts } from './debug/context.js';
import { endWatch, listeners } from './debug/watch.js';
import { putBackMethods, replaceMethods } from './debug/watched-methods.js';
// As the program has it: the built entry imports the built one (scripts/build-dist.mjs).
import { BinarySemaphore, Guard, Mutex, Once, RwLock } from './index.js';
import { checkOptions, valueError } from './options.js';

/* An entry of the package of its own: a program that does not import it has none of it, and the classes know nothing of it.
 * What it can know, and what it cannot: docs/decisions/0012. */

/**
 * @typedef {import('./debug/report.js').OwnDeadlockReport} OwnDeadlockReport
 * @typedef {import('./debug/report.js').OwnMember} OwnMember
 *
 * @typedef {object} DebugOptions
 * @property {((report: OwnDeadlockReport) => unknown) | undefined} [onreport] is told, once of each wait; without one the
 *     console is
 * @property {'report' | 'throw' | undefined} [deadlocks] what becomes of a section that awaits its own lock: `'report'`, the
 *     default, says so; `'throw'` rejects the request that it awaits with `HF_DEADLOCK` instead. Waits with a time limit, for
 *     permits without owners, or behind a writer that may give up are reported all the same
 */

/**
 * Finds code of this thread that waits for itself: a section that awaits a request for its own lock, directly or by sections of
 * other locks within it. In Node, Deno and Chromium this is told as it happens; elsewhere, where a guard holds the lock, and
 * mostly where it is held and asked for shared, when both have lasted for a second. Reports say where the lock was asked for,
 * both times. `deadlocks: 'throw'` rejects what was told as it happens, so in Firefox, WebKit and Bun nothing.
 *
 * It is about all locks in this thread, from now on. Call it before the first lock is asked for, in each thread, while a program
 * is developed: every call of a method costs more with it. Of several calls in one thread each is told everything.
 *
 * ```js
 * const stop = debug({ deadlocks: 'throw' });
 * ```
 *
 * Blocks: never. Callable from: any thread.
 *
 * @param {DebugOptions} [options]
 * @returns {() => void} ends it: the last one puts all methods back
 * @throws {HoldfastError} `HF_BAD_OPTION`
 */
export function debug(options) {
    const listener = checkDebug(options);
    replaceMethods({
        Mutex: Mutex.prototype,
        RwLock: RwLock.prototype,
        Semaphore: Object.getPrototypeOf(BinarySemaphore.prototype),
        Once: Once.prototype,
        Guard: Guard.prototype,
    });
    if (listeners.size === 0) {
        beginContexts();
    }
    listeners.add(listener);
    return () => {
        if (listeners.delete(listener) && listeners.size === 0) {
            putBackMethods();
            endContexts();
            endWatch();
        }
    };
}

/**
 * @param {DebugOptions | undefined} options
 * @returns {import('./debug/watch.js').Listener}
 */
function checkDebug(options) {
    const { onreport, deadlocks = 'report' } = checkOptions(options, ['onreport', 'deadlocks']);
    if (onreport !== undefined && typeof onreport !== 'function') {
        throw valueError('HF_BAD_OPTION', 'onreport is a function', onreport);
    }
    if (deadlocks !== 'report' && deadlocks !== 'throw') {
        throw valueError('HF_BAD_OPTION', "deadlocks is 'report' or 'throw'", deadlocks);
    }
    return { onreport, isThrowing: deadlocks === 'throw' };
}
