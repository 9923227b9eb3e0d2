/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { HoldfastError } from '../errors.js';
import { peek } from '../options.js';
import { Call } from './call.js';
import { explainPromise, explained, explainRejected, giveOrigin } from './explain.js';
import { listeners } from './listeners.js';
import { guardLost, lookIfUsed } from './misuse.js';
import { Same } from './same.js';
import { isOwnOrigin, originFor } from './sites.js';

/* The methods that take a lock, replaced in the classes: for all objects, and subclasses too. */

/**
 * @typedef {import('./call.js').By} By
 * @typedef {import('./call.js').Lock} Lock
 * @typedef {import('../waiting/section.js').Guard} Guard
 * @typedef {(this: any, ...args: any[]) => any} Method
 * @typedef {(original: Method, by: By) => Method} Replace
 */

/** The call of the user, until the first of the calls that it makes in turn. @type {Call | undefined} */
let outer;

/** @param {Lock} lock @param {By} by @param {unknown} [options] of the method */
function callOf(lock, by, options) {
    const call = new Call(lock, by, options);
    if (outer?.isOfSamePlace(call)) {
        call.isMadeBy(outer);
        outer = undefined;
    }
    return call;
}

/** @type {Replace} */
const section = (original, by) =>
    function (callback, options) {
        const call = callOf(this, by, options);
        return call.asked(original.call(this, call.around(callback), options));
    };

/** @type {Replace} */
const wait = (original, by) =>
    function (options) {
        const call = callOf(this, by, options);
        return call.asked(original.call(this, options));
    };

/** Replaces the promise: a handler of ours on the caller's own would hide an unhandled rejection. @type {Replace} */
const guardAsync = (original, by) =>
    function (options) {
        const call = callOf(this, by, options);
        const promise = original.call(this, options);
        return call.asked(
            promise,
            promise.then((/** @type {Guard} */ guard) => watched(guard, call)),
        );
    };

/** @param {unknown} given options, or a number of permits */
function optionsOf(given) {
    return typeof given === 'number' ? { permits: given } : given;
}

/** @type {Replace} */
const guardNow = (original, by) =>
    function (limit, options) {
        // The call first: what fails there must not keep the lock.
        const call = callOf(this, by, optionsOf(by.method === 'acquire()' ? limit : options));
        let guard;
        try {
            guard = original.call(this, limit, options);
        } catch (error) {
            throw explained(error, call);
        }
        return guard === null ? null : watched(guard, call);
    };

class Watched extends Same {
    #call;

    /** @param {Guard} guard @param {Call} call that has made it */
    constructor(guard, call) {
        super(guard);
        this.#call = call;
    }

    /** @param {any} guard @returns {Call | undefined} */
    static of(guard) {
        return #call in guard ? guard.#call : undefined;
    }
}

/** @param {Guard} guard @returns {Lock | undefined} undefined: it was made before debug() */
export function lockOfGuard(guard) {
    return Watched.of(guard)?.lock;
}

/** @type {FinalizationRegistry<Call>} */
const dropped = /* @__PURE__ */ new FinalizationRegistry(guardLost);

/** @param {Guard} guard @param {Call} call */
function watched(guard, call) {
    // One that comes after the end of debug() is released unseen, and would count as held for ever.
    if (listeners.size > 0) {
        call.holdGuard();
        new Watched(guard, call);
        if (call.isOwn) {
            dropped.register(guard, call); // takes as long as the call's stack did
        }
    }
    return guard;
}

/** @type {Replace} */
const release = (original) =>
    function () {
        const call = Watched.of(this);
        try {
            original.call(this);
        } catch (error) {
            if (this.released) {
                call?.end(); // the lock was lost: else it would count as held for ever
            }
            throw error;
        }
        call?.end();
    };

/**
 * Reports the next call for the same lock as this one.
 *
 * @template T
 * @param {Call | undefined} call
 * @param {() => T} make
 */
function calledBy(call, make) {
    const before = outer;
    outer = call;
    try {
        return make();
    } finally {
        outer = before;
    }
}

/** @type {Replace} */
const relay = (original, by) =>
    function (...args) {
        return calledBy(callOf(this, by), () => original.apply(this, args));
    };

/** @type {Replace} */
const repair = (original, by) =>
    function (callback, options) {
        const call = callOf(this, by, options);
        const own = typeof callback === 'function' ? () => calledBy(undefined, callback) : callback;
        return call.asked(calledBy(call, () => original.call(this, call.around(own), options)));
    };

/** Leaves only a stack: the words of the lock say if it is held. @type {Replace} */
const plain = (original, by) =>
    function (...args) {
        const origin = originFor(this, by);
        const isOwn = isOwnOrigin;
        try {
            return original.apply(this, args);
        } catch (error) {
            throw explained(error, { lock: this, origin, isOwn });
        }
    };

/** @type {Replace} */
const conditionWait = (original, by) =>
    function (...args) {
        const call = callOf(this, by);
        if (peek(args[1], 'timeout') !== undefined) {
            giveOrigin(call);
        }
        return explainRejected(original.apply(this, args), call);
    };

/** Nothing is held afterwards. @type {Replace} */
const phase = (original, by) =>
    function (options) {
        const call = callOf(this, by);
        const promise = original.call(this, options);
        explainPromise(promise, call);
        return promise;
    };

/** For LockSpace.free(). @type {Replace} */
const free = (original) =>
    function (block) {
        lookIfUsed(this, block);
        return original.call(this, block);
    };

const GUARDS = {
    acquireAsync: guardAsync,
    acquire: guardNow,
    tryAcquire: guardNow,
};

const LOCK = /* @__PURE__ */ Object.assign(
    { execAsync: relay, executeLocked: section, recoverAsync: repair },
    { lock: plain, tryLock: plain, exec: plain },
    GUARDS,
);

const METHODS = {
    Mutex: LOCK,
    RwLock: /* @__PURE__ */ Object.assign({ lockShared: plain, tryLockShared: plain }, LOCK),
    Semaphore: /* @__PURE__ */ Object.assign(
        { execAsync: section, enterAsync: wait },
        { enter: plain, tryEnter: plain, exec: plain },
        GUARDS,
    ),
    RecursiveMutex: { lock: plain, tryLock: plain, exec: plain, acquire: plain, tryAcquire: plain },
    Condition: { wait: plain, waitFor: plain, waitAsync: conditionWait },
    Event: { wait: plain, waitAsync: phase },
    Latch: { wait: plain, waitAsync: phase },
    Barrier: { arriveAndWait: plain, arriveAndWaitAsync: phase },
    Once: { runAsync: relay, run: plain },
    Guard: { release },
    LockSpace: { free },
};

/** @typedef {keyof typeof METHODS} ClassName */

/**
 * @param {ClassName} kind
 * @param {any} prototype
 * @param {string} name
 * @param {Replace} replace
 * @returns {() => boolean} puts back what was there, unless other code has replaced it meanwhile; whether that is done
 */
function replaceMethod(kind, prototype, name, replace) {
    const descriptor = /** @type {PropertyDescriptor} */ (Object.getOwnPropertyDescriptor(prototype, name));
    const original = descriptor.value;
    const watching = replace(original, { kind, method: `${name}()`, frame: value });
    /** @type {Method} */
    function value(...args) {
        return (listeners.size === 0 ? original : watching).apply(this, args);
    }
    Object.defineProperties(value, { name: { value: name }, length: { value: original.length } });
    Object.defineProperty(prototype, name, { ...descriptor, value });
    return () => {
        const isOurs = Object.getOwnPropertyDescriptor(prototype, name)?.value === value;
        return isOurs && Reflect.defineProperty(prototype, name, descriptor);
    };
}

/** How to put them back, by class and method. @type {Map<string, () => boolean>} */
const replaced = new Map();

/**
 * @param {Record<ClassName, object>} prototypes
 * @throws {HoldfastError} `HF_BAD_OPTION`
 */
export function replaceMethods(prototypes) {
    const classes = /** @type {[ClassName, Record<string, Replace>][]} */ (Object.entries(METHODS));
    const left = classes
        .flatMap(([kind, methods]) =>
            Object.entries(methods).map(([method, replace]) => ({
                ...{ key: `${kind}.${method}`, kind, prototype: prototypes[kind] },
                ...{ method, replace },
            })),
        )
        .filter(({ key }) => !replaced.has(key));
    if (
        left.some(
            ({ prototype, method }) => !Reflect.getOwnPropertyDescriptor(prototype, method)?.configurable,
        )
    ) {
        throw new HoldfastError('HF_BAD_OPTION', 'The classes are frozen. Call debug() before they are.');
    }
    for (const { key, kind, prototype, method, replace } of left) {
        replaced.set(key, replaceMethod(kind, prototype, method, replace));
    }
}

export function putBackMethods() {
    for (const [key, putBack] of replaced) {
        if (putBack()) {
            replaced.delete(key);
        }
    }
}
