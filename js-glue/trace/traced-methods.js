/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { KINDS } from '../memory/names.js';
import { environment } from '../thread/environment.js';
import { Span } from './span.js';

/**
 * @typedef {(...args: any[]) => any} Method
 * @typedef {import('../waiting/section.js').Guard} Guard
 * @typedef {import('./lock-timeline.js').LockTimeline} LockTimeline
 */

/**
 * @typedef {object} Traced what a replacement is made of
 * @property {Method} call the method itself, bound
 * @property {(options?: unknown) => Span} begin
 * @property {{ exclusive: Span[], shared: Span[] }} holds that no callback or guard will end
 * @property {boolean} isRecursive
 */

/** @typedef {(traced: Traced) => Method} Replace */

/* Options come last, a callback first. */

/**
 * @param {Traced} traced
 * @param {(span: Span) => void} got
 * @param {object} [options]
 * @returns {Method}
 */
function waits({ call, begin }, got, options) {
    return (...args) => {
        const span = begin(options);
        const result = call(...args);
        if (result === false) {
            span.write('not got');
        } else {
            span.begin();
            got(span);
        }
        return result;
    };
}

/** @type {Replace} */
const wait = (traced) => waits(traced, (span) => span.write());

/** @type {Replace} */
const take = (traced) =>
    waits(traced, (span) => {
        const { holds, isRecursive } = traced;
        // Else the span there was released through another object.
        holds.exclusive = isRecursive ? [...holds.exclusive, span] : [span];
    });

/** @type {Replace} */
const takeShared = (traced) =>
    waits(traced, (span) => void traced.holds.shared.push(span), { mode: 'shared' });

/**
 * @param {Traced} traced
 * @param {keyof Traced['holds']} mode
 * @returns {Method}
 */
function releases({ call, holds }, mode) {
    return () => {
        const end = environment.now();
        call();
        const span = holds[mode].pop();
        span?.end(end);
        span?.write();
    };
}

/** @type {Replace} */
const release = (traced) => releases(traced, 'exclusive');

/** @type {Replace} */
const releaseShared = (traced) => releases(traced, 'shared');

/** @type {Replace} */
const run =
    ({ call, begin }) =>
    (...args) => {
        const span = begin(args.at(-1));
        const [callback, ...rest] = args;
        try {
            const result = call(span.around(callback), ...rest);
            span.write();
            return result;
        } catch (error) {
            span.writeError(error);
            throw error;
        }
    };

/** @type {Replace} */
const runAsync =
    ({ call, begin }) =>
    (...args) => {
        const span = begin(args.at(-1));
        const [callback, ...rest] = args;
        return span.follow(call(span.aroundAsync(callback), ...rest), (value) => {
            span.write();
            return value;
        });
    };

/**
 * @param {Span} span
 * @param {Guard} guard
 */
function hold(span, guard) {
    const release = guard.release.bind(guard);
    const value = () => {
        const end = environment.now();
        release();
        span.end(end);
        span.write();
    };
    // No assignment: the class's own may be frozen. Others may wrap it again.
    Object.defineProperty(guard, 'release', { value, writable: true, configurable: true });
    span.begin();
    return guard;
}

/** @type {Replace} */
const acquire =
    ({ call, begin }) =>
    (...args) => {
        const span = begin(args.at(-1));
        const guard = call(...args);
        if (guard === null) {
            span.write('not got');
            return null;
        }
        return hold(span, guard);
    };

/** @type {Replace} */
const acquireAsync =
    ({ call, begin }) =>
    (options) => {
        const span = begin(options);
        return span.follow(call(options), (/** @type {Guard} */ guard) => hold(span, guard));
    };

/** By name, which says the same in each class that has it. @type {Record<string, Replace>} */
const METHODS = {
    lock: take,
    tryLock: take,
    unlock: release,
    lockShared: takeShared,
    tryLockShared: takeShared,
    unlockShared: releaseShared,
    exec: run,
    execAsync: runAsync,
    executeLocked: runAsync,
    acquire,
    tryAcquire: acquire,
    acquireAsync,
    // Another thread may give a permit back, so of permits only callbacks and guards hold.
    enter: wait,
    tryEnter: wait,
    enterAsync: runAsync,
    wait,
    waitFor: wait,
    waitAsync: runAsync,
    arriveAndWait: run,
    arriveAndWaitAsync: runAsync,
    run,
    runAsync,
};

/**
 * The package's class of a lock: a program's subclass may have a KIND of its own, or inherit it.
 *
 * @param {any} lock
 */
function classOf(lock) {
    let Class = lock.constructor;
    while (!(Object.hasOwn(Class, 'KIND') && KINDS.includes(Class.KIND))) {
        Class = Object.getPrototypeOf(Class);
    }
    return Class;
}

/**
 * Another object of the same lock, to run the methods on: their code never meets the shape of a traced one, which would
 * make it slower for all.
 *
 * @param {any} lock
 * @param {any} Class
 */
function twinOf(lock, Class) {
    // A class of the program's own may have state.
    return lock.constructor === Class ? Class.at(lock.memory, lock.byteOffset) : lock;
}

/**
 * @param {any} lock
 * @param {LockTimeline} timeline
 * @returns {PropertyDescriptorMap} of its methods, traced
 */
export function tracedMethods(lock, timeline) {
    const holds = { exclusive: [], shared: [] };
    const Class = classOf(lock);
    const isRecursive = Class.KIND === 'RecursiveMutex';
    const twin = twinOf(lock, Class);
    const prototype = Object.getPrototypeOf(twin); // that of the class: of a lock itself, too, until it is traced
    // A lock that is its own twin runs its traced executeLocked() for execAsync().
    const isSeen = (/** @type {string} */ method) =>
        method in Class.prototype &&
        (twin !== lock || !(method === 'execAsync' && 'executeLocked' in Class.prototype));
    const chosen = Object.entries(METHODS).filter(([method]) => isSeen(method));
    return Object.fromEntries(
        chosen.map(([method, replace]) => {
            // The method is looked up at each call, since `holdfast/debug` replaces some of a class.
            const call = (/** @type {any[]} */ ...args) => prototype[method].apply(twin, args);
            const begin = (/** @type {unknown} */ options) => new Span(timeline, method, options);
            const replaced = replace({ call, begin, holds, isRecursive });
            // Short, so that V8 inlines it, and the class's method for other objects (npm run bench -- trace).
            return [method, { value: (/** @type {any[]} */ ...args) => replaced(...args) }];
        }),
    );
}
