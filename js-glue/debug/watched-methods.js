/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { HoldfastError } from '../errors.js';
import { attachmentFor, offsetFor } from '../memory/placed.js';
import { Call, valueIn } from './call.js';
import { explainPromise, explained, explainRejected, giveOrigin } from './explain.js';
import { listeners } from './listeners.js';
import { guardLost, lookIfUsed } from './misuse.js';
import { affordsStack, calls } from './origin.js';
import { siteOf } from './sites.js';
import { lookFromTimeToTime, lookSoon } from './watch.js';

/* The methods that take a lock, replaced in the classes: for all objects, and subclasses too. */

/**
 * @typedef {import('./call.js').Asked} Asked
 * @typedef {import('./call.js').Lock} Lock
 * @typedef {import('../waiting/section.js').Guard} Guard
 * @typedef {(this: any, ...args: any[]) => any} Method
 * @typedef {(original: Method, ask: (lock: Lock, options?: unknown) => Call, asked: (lock: Lock) => Asked) => Method} Replace
 */

/** @param {Lock} one @param {Lock} other */
function isSamePlace(one, other) {
    return offsetFor(one) === offsetFor(other) && attachmentFor(one) === attachmentFor(other);
}

/** The call of the user, until the first of the calls that it makes in turn. @type {Asked | undefined} */
let outer;

/** @param {Asked} asked @returns {Asked} that, or what it is made for */
function outermost(asked) {
    if (outer === undefined || !isSamePlace(outer.lock, asked.lock)) {
        return asked;
    }
    const { lock, kind, method, origin, isOwn } = outer;
    outer = undefined;
    return { lock, kind, method, origin, isOwn };
}

/** @type {Replace} */
const section = (original, ask) =>
    function (callback, ...rest) {
        const call = ask(this, rest[0]);
        const promise = original.call(this, call.around(callback), ...rest);
        return follow(call, promise);
    };

/** @type {Replace} */
const wait = (original, ask) =>
    function (options) {
        return follow(ask(this, options), original.call(this, options));
    };

/** The promise is replaced: handlers of our own would make an error of it a handled one. @type {Replace} */
const guardAsync = (original, ask) =>
    function (options) {
        const call = ask(this, options);
        const promise = original.call(this, options);
        const followed = promise.then((/** @type {Guard} */ guard) => watched(guard, call));
        return follow(call, promise, followed);
    };

/**
 * @param {number} at which argument has the options, or says how many permits
 * @returns {Replace}
 */
const guardNow = (at) => (original, ask) =>
    function (...args) {
        const given = args[at];
        const call = ask(this, typeof given === 'number' ? { permits: given } : given); // first: what fails here must not keep the lock
        try {
            const guard = original.apply(this, args);
            return guard === null ? null : watched(guard, call);
        } catch (error) {
            throw explained(error, call);
        }
    };

/** A class gives its fields to the object that its constructor returns: a cheaper link than a WeakMap. */
const Same = /** @type {any} */ (
    function (/** @type {object} */ object) {
        return object;
    }
);

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
        if (affordsStack()) {
            dropped.register(guard, call); // which takes as long as a stack
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
            // Also if the lock was lost: else it would count as held for ever.
            if (this.released) {
                Watched.of(this)?.end();
            }
        }
    };

/**
 * Reports the next call for the same lock as this one.
 *
 * @template T
 * @param {Asked | undefined} asked
 * @param {() => T} make
 */
function calledBy(asked, make) {
    const before = outer;
    outer = asked;
    try {
        return make();
    } finally {
        outer = before;
    }
}

/** @type {Replace} */
const relay = (original, _ask, asked) =>
    function (...args) {
        return calledBy(asked(this), () => original.apply(this, args));
    };

/** @type {Replace} */
const repair = (original, ask) =>
    function (callback, options) {
        const call = ask(this, options);
        const own = typeof callback === 'function' ? () => calledBy(undefined, callback) : callback;
        const promise = calledBy(call, () => original.call(this, call.around(own), options));
        return follow(call, promise);
    };

/** Leaves only a stack: the words of the lock say if it is held. @type {Replace} */
const plain = (original, _ask, asked) =>
    function (...args) {
        const call = asked(this);
        try {
            return original.apply(this, args);
        } catch (error) {
            throw explained(error, call);
        }
    };

/** @type {Replace} */
const conditionWait = (original, _ask, asked) =>
    function (...args) {
        const call = asked(this);
        if (valueIn(args[1], 'timeout') !== undefined) {
            giveOrigin(call);
        }
        return explainRejected(original.apply(this, args), call);
    };

/** Nothing is held afterwards. @type {Replace} */
const phase = (original, _ask, asked) =>
    function (options) {
        const call = asked(this);
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

/**
 * @template T
 * @param {Call} call
 * @param {Promise<any>} original of the method
 * @param {Promise<T>} [result] of it for the caller, if that is another one
 */
function follow(call, original, result = original) {
    return call.asked(original, result, lookFromTimeToTime, lookSoon);
}

const GUARDS = {
    acquireAsync: guardAsync,
    acquire: /* @__PURE__ */ guardNow(0),
    tryAcquire: /* @__PURE__ */ guardNow(1),
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
    const by = `${name}()`;
    const asked = (/** @type {Lock} */ lock) => {
        calls(by, value);
        const { origin, isOwn } = siteOf(lock, by, value);
        return { lock, kind, method: by, origin, isOwn };
    };
    const ask = (/** @type {Lock} */ lock, /** @type {unknown} */ options) => {
        lookFromTimeToTime();
        return new Call(outermost(asked(lock)), options);
    };
    const watching = replace(original, ask, asked);
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
        throw new HoldfastError('HF_BAD_OPTION', 'The classes are frozen. Call debug() before that is done.');
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
