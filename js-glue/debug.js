/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { beginShowing, endShowing } from './debug/awaited.js';
import { listeners } from './debug/listeners.js';
import { showInConsole } from './debug/printed.js';
import { endWatch } from './debug/watch.js';
import { putBackMethods, replaceMethods } from './debug/watched-methods.js';
// These specifiers are those that programs use: the built entry imports the built package (scripts/build-dist.mjs).
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
import { checkOptions, checkTimeout, quoted, valueError } from './options.js';

export { inspect } from './debug/inspect.js';
export { InspectedThread } from './debug/inspected-thread.js';

/* A separate entry, so that programs without it do not pay for it. It attaches to the base by `hooks`
 * (waiting/hooks.js), and to the classes by methods in their prototypes. Its limits: docs/decisions/0007. */

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
 * @typedef {object} DebugOptions
 * @property {((report: Report) => unknown) | undefined} [onReport] gets each report once; by default the console
 *     does. It runs during a wait, which may block this thread, so it should not wait for locks: reports of its own
 *     waits go to the console. If it throws, the report goes to the console, and the error is thrown in a later job
 * @property {boolean | undefined} [throw] whether a wait of this thread that nothing else can end throws or rejects
 *     with `HF_DEADLOCK`, in place of the report; false by default. Waits with a time limit, for permits without
 *     owners, or behind a writer that may give up are reported in any case
 * @property {number | undefined} [heldFor] milliseconds, Infinity by default: sections and guards of this thread that
 *     last longer are reported (`HF_LONG_HOLD`), about a quarter of a second later
 * @property {number | undefined} [waitFor] milliseconds: waits of this thread that last longer are reported
 *     (`HF_LONG_WAIT`), with the thread that holds the lock, if one does. By default 10,000 for mutexes and
 *     reader-writer locks, and no limit for all else: threads wait for an event or a permit as long as there is
 *     nothing to do
 */

/**
 * Reports what hangs. From now on this thread shows all others what it waits for (`inspect`), in each memory,
 * and reports two kinds of deadlocks, and locks that are used by mistake or for too long (`Notice`):
 *
 * - **Threads that wait for each other**: a deadlock cycle, also through several spaces that this thread
 *   uses. Of its members that have called `debug()`, the last to wait reports it. Only waits for a lock that
 *   one thread holds alone are followed: a mutex, or a reader-writer lock held exclusively. A cycle is
 *   reported once: after about a second if it is certain, and after a second more if it may end by itself (a
 *   time limit, an event loop that awaits).
 * - **Code of this thread that waits for itself**: a section that awaits a request for its own lock, directly
 *   or through sections of other locks within it. Node, Deno and Chromium report this at once. It is reported
 *   after a second in other engines, if a guard holds the lock, and mostly if the lock is held and asked for
 *   shared. A report has the stacks of both calls. `throw` rejects only what is reported at once, so nothing
 *   in Firefox, WebKit and Bun.
 *
 * Call it in each thread before its first lock, during development: it makes every call of a method slower.
 * If one thread calls it several times, each gets all reports.
 *
 * ```js
 * const stop = debug({ throw: true });
 * ```
 * Blocks: never. Callable from: any thread.
 * @param {DebugOptions} [options]
 * @returns {() => void} ends the reports; the last such call puts all methods back
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
        throw valueError('HF_BAD_OPTION', 'onReport must be a function', onReport);
    }
    if (typeof throws !== 'boolean') {
        throw valueError('HF_BAD_OPTION', 'throw must be true or false', quoted(throws));
    }
    return { onReport, throws, heldFor, waitFor };
}
