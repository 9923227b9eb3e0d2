/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { beginShowing, endShowing } from './debug/awaited.js';
import { listeners } from './debug/listeners.js';
import { showInConsole } from './debug/printed.js';
import { endWatch } from './debug/watch.js';
import { putBackMethods, replaceMethods } from './debug/watched-methods.js';
// As the program has it: the built entry imports the built one (scripts/build-dist.mjs).
import {
    Barrier,
    BinarySemaphore,
    Condition,
    Event,
    Guard,
    Latch,
    LockSpace,
    Mutex,
    Once,
    RecursiveMutex,
    RwLock,
    RwLockGuard,
} from './index.js';
import { checkOptions, checkTimeout, valueError } from './options.js';

export { inspect } from './debug/inspect.js';
export { InspectedThread } from './debug/inspected-thread.js';

/* An entry of the package of its own: a program that does not import it has none of it. It attaches to the base by `hooks`
 * (waiting/hooks.js), and to the classes by methods in their prototypes. What it can know, and what it cannot:
 * docs/decisions/0007. */

/**
 * @typedef {import('./debug/report.js').DeadlockMember} DeadlockMember
 * @typedef {import('./debug/report.js').DeadlockReport} DeadlockReport
 * @typedef {import('./debug/inspect.js').InspectedObject} InspectedObject
 * @typedef {import('./debug/inspect.js').InspectedWait} InspectedWait
 * @typedef {import('./debug/inspect.js').Inspection} Inspection
 * @typedef {import('./debug/report.js').Report} Report
 * @typedef {import('./debug/report.js').OwnDeadlockReport} OwnDeadlockReport
 * @typedef {import('./debug/report.js').OwnMember} OwnMember
 * @typedef {import('./debug/report.js').Notice} Notice
 *
 * @typedef {object} DebugOptions
 * @property {((report: Report) => unknown) | undefined} [onReport] is told, once of each wait; without one the console is. It
 *     runs in the midst of a wait, also of one that blocks, so it should not wait for locks: what is to be told of such a wait
 *     goes to the console. What it throws is thrown in a later job, and the report goes to the console
 * @property {boolean | undefined} [throw] whether a wait of this thread that nothing else can end throws or rejects with
 *     `HF_DEADLOCK`, in place of the report; false by default. Waits with a time limit, for permits without owners, or behind a
 *     writer that may give up are reported all the same
 * @property {number | undefined} [heldFor] milliseconds, Infinity by default: sections and guards of this thread that last longer
 *     are reported (`HF_LONG_HOLD`), about a quarter of a second later
 * @property {number | undefined} [waitFor] milliseconds: waits of this thread that last longer are reported (`HF_LONG_WAIT`), with
 *     the thread that holds the lock, if one does. By default 10,000 for mutexes and reader-writer locks, and no limit for all else:
 *     threads wait for an event or a permit as long as there is nothing to do
 */

/**
 * Finds what hangs. From now on this thread shows to all others what it waits for (`inspect`), in each memory, and tells of
 * two kinds of deadlocks, and of locks that are used by mistake or for too long (`Notice`):
 *
 * - **Threads that wait for each other**: a cycle that this thread has closed or, of its members that have called this, was the
 *   last to close, also through several spaces that this thread uses. Only waits for what one thread holds alone are followed: a mutex, or a reader-writer lock that is held
 *   exclusively. A cycle is reported once: when it is certain, in about a second; when it may come apart by itself (a time limit,
 *   an event loop that awaits), when it was there for a second more.
 * - **Code of this thread that waits for itself**: a section that awaits a request for its own lock, directly or by sections of
 *   other locks within it. In Node, Deno and Chromium this is told as it happens; elsewhere, where a guard holds the lock, and
 *   mostly where it is held and asked for shared, when both have lasted for a second. Reports say where the lock was asked for,
 *   both times. `throw` rejects what was told as it happens, so in Firefox, WebKit and Bun nothing.
 *
 * Call it before the first lock is asked for, in each thread, while a program is developed: every call of a method costs more
 * with it. Of several calls in one thread each is told everything.
 *
 * ```js
 * const stop = debug({ throw: true });
 * ```
 *
 * Blocks: never. Callable from: any thread.
 *
 * @param {DebugOptions} [options]
 * @returns {() => void} ends it: the last one puts all methods back
 * @throws {import('./errors.js').HoldfastError} `HF_BAD_OPTION`, `HF_BAD_TIMEOUT`
 */
export function debug(options) {
    const listener = checkDebug(options);
    const Semaphore = Object.getPrototypeOf(BinarySemaphore);
    replaceMethods({
        ...{
            Mutex,
            RwLock,
            Semaphore,
            RecursiveMutex,
            Condition,
            Event,
            Latch,
            Barrier,
            Once,
            Guard,
            RwLockGuard,
            LockSpace,
        },
    });
    if (listeners.size === 0) {
        beginShowing();
        showInConsole({ Guard, LockSpace }, true);
    }
    listeners.add(listener);
    return () => {
        if (listeners.delete(listener) && listeners.size === 0) {
            putBackMethods();
            endWatch();
            endShowing();
            showInConsole({ Guard, LockSpace }, false);
        }
    };
}

/** @param {DebugOptions | undefined} options @returns {import('./debug/listeners.js').Listener} */
function checkDebug(options) {
    const checked = checkOptions(options, ['onReport', 'throw', 'heldFor', 'waitFor']);
    const { onReport, throw: throws = false, heldFor, waitFor } = checked;
    checkTimeout(heldFor ?? 0);
    checkTimeout(waitFor ?? 0);
    if (onReport !== undefined && typeof onReport !== 'function') {
        throw valueError('HF_BAD_OPTION', 'onReport is a function', onReport);
    }
    if (typeof throws !== 'boolean') {
        throw valueError('HF_BAD_OPTION', 'throw is true or false', throws);
    }
    return { onReport, throws, heldFor, waitFor };
}
