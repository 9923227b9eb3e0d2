/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { HoldfastError } from '../errors.js';
import { foundFor } from '../memory/placed.js';
import { peek } from '../options.js';
import { requestOf } from '../waiting/request.js';
import { Call } from './call.js';
import { holding } from './calls.js';
import { explained, explainRejected, explainRequest, giveOrigin } from './explain.js';
import { listeners } from './listeners.js';
import { guardLost, lookIfUsed } from './misuse.js';
import { Same } from './same.js';
import { isOwnOrigin, originFor } from './sites.js';

/* Replaces the classes' methods that take a lock, for all objects and subclasses. */

/**
 * @typedef {import('./sites.js').By} By
 * @typedef {import('./call.js').Lock} Lock
 * @typedef {import('../waiting/section.js').Guard} Guard
 * @typedef {(this: any, ...args: any[]) => any} Method
 * @typedef {(original: Method, by: By) => Method} Replace
 */

/**
 * The call by the program; calls that the method makes in turn count as this one.
 * @type {{ lock: Lock, by: By } | undefined}
 */
let outer;

/** @param {Lock} lock @param {By} by @param {unknown} [options] of the method */
function callOf(lock, by, options) {
    const made = outer;
    outer = undefined;
    return made ? new Call(made.lock, made.by, options) : new Call(lock, by, options);
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

/**
 * Returns another promise: a handler of ours on the caller's own promise would hide an unhandled rejection.
 * @type {Replace}
 */
const guardAsync = (original, by) =>
    function (options) {
        const call = callOf(this, by, options);
        const promise = original.call(this, options);
        return call.asked(
            promise,
            promise.then((/** @type {Guard} */ guard) => watched(guard, call)),
        );
    };

/** @type {Replace} */
const guardNow = (original, by) =>
    function (options) {
        // Makes the call record first: a failure here must not keep the lock.
        const call = callOf(this, by, options);
        let guard;
        try {
            guard = original.call(this, options);
        } catch (error) {
            throw explained(error, call);
        }
        return guard === null ? null : watched(guard, call);
    };

/** Separate from the class in sites.js: sharing one made acquire() and release() a sixth slower. */
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

/** @param {Guard} guard @param {Call} call that has made it */
function watched(guard, call) {
    // A guard made after the end of debug() is released unseen, and would count as held for ever.
    if (listeners.size > 0) {
        call.hold('guard');
        new Watched(guard, call);
        if (call.isOwn) {
            dropped.register(guard, call); // costs as much as a stack, so only for calls that have a stack of their own
        }
    }
    return guard;
}

/** @type {Replace} */
const release = (original) =>
    function () {
        try {
            original.call(this);
        } finally {
            if (this.released) {
                Watched.of(this)?.end(); // even if the lock was lost, or it would count as held for ever
            }
        }
    };

/**
 * For semaphores: permits that are given back may belong to guards, and then the holds of these guards end.
 * @type {Replace}
 */
const releasePermits = (original) =>
    function (permits = 1) {
        original.call(this, permits);
        let left = permits;
        for (const call of [...holding].filter((each) => each.holdsBy === 'guard').reverse()) {
            if (left > 0 && isSameLock(call.lock, this)) {
                left -= call.permits;
                call.end();
            }
        }
    };

/** @param {Lock} one @param {Lock} other */
function isSameLock(one, other) {
    const [found, there] = [foundFor(one), foundFor(other)];
    return found.byteOffset === there.byteOffset && found.attachment === there.attachment;
}

/** @type {Replace} */
const downgrade = (original) =>
    function () {
        original.call(this);
        const call = Watched.of(this);
        if (call) {
            call.isDowngraded = true;
        }
    };

/** The upgrade of a guard, or of a lock. @type {Replace} */
const upgrade = (original) =>
    function (...args) {
        const end = (/** @type {unknown} */ result) => {
            const call = Watched.of(this);
            if (call) {
                call.isUpgraded = result !== false;
            }
            return result;
        };
        const result = original.apply(this, args);
        return result instanceof Promise ? result.then(end) : end(result);
    };

/** Reports the first watched call inside the method as a call of the method. @type {Replace} */
const relay = (original, by) =>
    function (...args) {
        outer = { lock: this, by };
        try {
            return original.apply(this, args);
        } finally {
            outer = undefined;
        }
    };

/** Records only a stack: the words of the lock say if it is held. @type {Replace} */
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

/** Watches a wait that holds nothing afterwards. @type {Replace} */
const phase = (original, by) =>
    function (...args) {
        const call = callOf(this, by);
        const isOfCondition = by.kind === 'Condition';
        if (isOfCondition && (peek(args[1], 'timeout') ?? peek(args[1], 'deadline')) !== undefined) {
            giveOrigin(call);
        }
        const promise = original.apply(this, args);
        explainRequest(requestOf(promise), call);
        return isOfCondition ? explainRejected(promise, call) : promise;
    };

/** Watches LockSpace.free(). @type {Replace} */
const free = (original) =>
    function (block) {
        lookIfUsed(this, block);
        return original.call(this, block);
    };

/** The methods to replace, by name: a name means the same in each class that has it. @type {Record<string, Replace>} */
const METHODS = /* @__PURE__ */ Object.assign(
    { lock: plain, tryLock: plain, lockShared: plain, tryLockShared: plain },
    { lockUpgradable: plain, tryLockUpgradable: plain, upgrade, tryUpgrade: upgrade, upgradeAsync: upgrade },
    { enter: plain, tryEnter: plain, exec: plain, run: plain, wait: plain, waitFor: plain },
    { arriveAndWait: plain, waitAsync: phase, arriveAndWaitAsync: phase, enterAsync: wait },
    { execAsync: section, executeLocked: relay, runAsync: relay, recoverAsync: section },
    { acquire: guardNow, tryAcquire: guardNow, acquireAsync: guardAsync, release, downgrade, free },
);

/** Methods that differ from METHODS, by class. @type {Record<string, Record<string, Replace>>} */
const OTHERS = {
    Semaphore: { release: releasePermits },
    RecursiveMutex: { acquire: plain, tryAcquire: plain },
};

/** Functions that put methods back, by class and method. @type {Map<string, () => boolean>} */
const replaced = new Map();

/** @param {string} kind of the class @param {any} prototype @param {string} name */
function replaceMethod(kind, prototype, name) {
    const descriptor = /** @type {PropertyDescriptor} */ (Object.getOwnPropertyDescriptor(prototype, name));
    const original = descriptor.value;
    const replace = /** @type {Replace} */ (OTHERS[kind]?.[name] ?? METHODS[name]);
    /** @type {By} */
    const by = { kind, method: `${name}()`, frame: original };
    const value = (by.frame = replace(original, by));
    Object.defineProperties(value, { name: { value: name }, length: { value: original.length } });
    Object.defineProperty(prototype, name, { ...descriptor, value });
    replaced.set(`${kind}.${name}`, () => {
        const isOurs = Object.getOwnPropertyDescriptor(prototype, name)?.value === value;
        return isOurs && Reflect.defineProperty(prototype, name, descriptor);
    });
}

/** @param {Record<string, { prototype: object }>} classes @throws {HoldfastError} `HF_BAD_OPTION` */
export function replaceMethods(classes) {
    const left = Object.entries(classes).flatMap(([kind, { prototype }]) =>
        Object.getOwnPropertyNames(prototype)
            .filter((name) => Object.hasOwn(METHODS, name) && !replaced.has(`${kind}.${name}`))
            .map((name) => ({ kind, prototype, name })),
    );
    if (
        !left.every(({ prototype, name }) => Object.getOwnPropertyDescriptor(prototype, name)?.configurable)
    ) {
        throw new HoldfastError(
            'HF_BAD_OPTION',
            'The classes are frozen. Call debug() before you freeze them.',
        );
    }
    left.forEach(({ kind, prototype, name }) => replaceMethod(kind, prototype, name));
}

/** Puts methods back, except those that other code has replaced meanwhile. */
export function putBackMethods() {
    for (const [key, putBack] of replaced) {
        if (putBack()) {
            replaced.delete(key);
        }
    }
}
