/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { HoldfastError } from './errors.js';
import { AGENTS_MOST, THREAD_JS } from './memory/layout.js';
import { LockTimeline } from './trace/lock-timeline.js';
import { checkOptions, quoted, valueError } from './options.js';
import { kindByHandle } from './memory/handle.js';
import { attachmentFor, Placed } from './memory/placed.js';
import { nameOfThread } from './thread/name.js';
import { tracedMethods } from './trace/traced-methods.js';

/* A separate entry, of which the classes know nothing: programs that do not import it do not load it. An
 * object is traced by methods in a prototype of its own, before its class's. Why not by methods in the
 * object itself: docs/decisions/0007. */

/**
 * Which data is recorded of a lock, and its name.
 * @typedef {object} TraceOptions
 * @property {string} [name] of the lock, the same in all threads; by default its class and place, as in
 *     `Mutex at 4096`
 * @property {string} [thread] this thread's name; by default `page`, the worker's name, or a number
 * @property {number} [minimum] milliseconds: shorter waits and holds are left out. 0.05 by default, so that an entry
 *     costs little beside the time that it shows; 0: none is left out
 * @property {boolean} [keep] whether the entries stay in this thread's performance timeline, for
 *     `performance.getEntriesByType('measure')`; by default they are removed once observers and profilers have them,
 *     so that a long run does not fill the memory
 */

const DEFAULT_MINIMUM_MS = 0.05;

/** Classes that are no locks, by the kind in handles. */
const IS_NO_LOCK = /^(Channel|Answerer)$/;

/** Functions that end the tracing of an object. @type {WeakMap<Placed<any>, () => void>} */
const running = new WeakMap();

/**
 * Shows what this thread does with a lock: each wait and each hold becomes an entry of `performance.measure`
 * when it ends. In Chromium's performance panel the entries are on a track of this thread, in a group of the
 * lock; elsewhere they are user timings. Holds of semaphores are known only for callbacks and guards;
 * conditions and similar classes have waits only. Entries of a `KeyedMutex` name the key.
 *
 * It traces one object in this thread: call it in every thread, for the object that the program uses. A
 * second call for the same object replaces the first.
 *
 * ```js
 * const stop = trace(mutex, { name: 'table' });
 * ```
 * Blocks: never. Callable from: all threads with `performance.measure`, so not audio worklets.
 * @param {Placed<any>} lock of any class
 * @param {TraceOptions} [options]
 * @returns {() => void} ends it: the object is as before, and unfinished waits and holds are left out
 * @throws {HoldfastError} `HF_BAD_OPTION`; `HF_NO_TIMELINE` where there is no `performance.measure`
 */
export function trace(lock, options) {
    if (!(lock instanceof Placed)) {
        const kind = kindByHandle(lock);
        throw typeof kind !== 'string' || kind.startsWith('Lock')
            ? valueError('HF_BAD_OPTION', 'trace() takes a lock, as in trace(mutex)', lock)
            : new HoldfastError(
                  'HF_BAD_OPTION',
                  'trace() and the object come from two copies of holdfast: import both from the same copy.',
              );
    }
    const kind = /** @type {string} */ (kindByHandle(lock));
    if (IS_NO_LOCK.test(kind)) {
        throw new HoldfastError(
            'HF_BAD_OPTION',
            `${kind === 'Channel' ? 'A Channel' : 'An Answerer or Caller'} cannot be traced: it is not a lock. inspect() of holdfast/debug shows the threads that wait for it.`,
        );
    }
    if (!Object.isExtensible(lock)) {
        throw new HoldfastError('HF_BAD_OPTION', 'This object is frozen. Call trace() before you freeze it.');
    }
    const timeline = new LockTimeline(checkTrace(lock, options));
    running.get(lock)?.();
    const prototype = Object.getPrototypeOf(lock);
    Object.setPrototypeOf(lock, Object.create(prototype, tracedMethods(lock, timeline)));
    const stop = () => {
        if (running.get(lock) !== stop) {
            return;
        }
        running.delete(lock);
        timeline.isOpen = false;
        Reflect.setPrototypeOf(lock, prototype); // fails if the object was frozen meanwhile: then its methods stay, and record nothing
    };
    running.set(lock, stop);
    return stop;
}

/** @param {Placed<any>} lock @param {TraceOptions | undefined} options @returns {Required<TraceOptions>} */
function checkTrace(lock, options) {
    const checked = checkOptions(options, ['name', 'thread', 'minimum', 'keep']);
    if (typeof globalThis.performance?.measure !== 'function') {
        throw new HoldfastError(
            'HF_NO_TIMELINE',
            'This thread has no performance.measure(), which trace() needs. Trace the lock in the other threads.',
        );
    }
    const { KIND } = /** @type {typeof Placed} */ (lock.constructor);
    const {
        name = `${KIND} at ${lock.byteOffset}`,
        thread = nameOfThread() || `thread ${attachmentFor(lock).self - THREAD_JS - AGENTS_MOST - 1}`,
        minimum = DEFAULT_MINIMUM_MS,
        keep = false,
    } = checked;
    for (const text of [name, thread]) {
        if (typeof text !== 'string' || text === '') {
            throw valueError(
                'HF_BAD_OPTION',
                'The name of a lock or thread must be a non-empty string',
                quoted(text),
            );
        }
    }
    if (typeof minimum !== 'number' || !(minimum >= 0)) {
        throw valueError(
            'HF_BAD_OPTION',
            'The minimum must be a number of milliseconds, 0 or more',
            quoted(minimum),
        );
    }
    return { name, thread, minimum, keep };
}
