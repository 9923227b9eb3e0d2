/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { KINDS } from '../memory/names.js';
import { environment } from '../thread/environment.js';
import { Span } from './span.js';

/** Names of methods, which mean the same in each class. */
const METHODS =
    'lock tryLock unlock downgrade lockShared tryLockShared unlockShared lockUpgradable tryLockUpgradable unlockUpgradable upgrade tryUpgrade exec execAsync executeLocked acquire tryAcquire acquireAsync ' +
    'enter tryEnter enterAsync wait waitFor waitAsync arriveAndWait arriveAndWaitAsync run runAsync';

/**
 * The methods that release what another method took. Any thread may give a permit back, so for permits only callbacks
 * and guards count as holds.
 * @type {Record<string, 'unlock' | 'unlockShared' | 'unlockUpgradable' | undefined>}
 */
const ENDS = {
    ...{ lock: 'unlock', tryLock: 'unlock', lockShared: 'unlockShared', tryLockShared: 'unlockShared' },
    ...{ lockUpgradable: 'unlockUpgradable', tryLockUpgradable: 'unlockUpgradable' },
};

const UPGRADES = ['upgrade', 'tryUpgrade'];

/** The package's class of a lock: a program's subclass may have its own KIND, or inherit it. @param {any} lock */
function classOf(lock) {
    let Class = lock.constructor;
    while (!(Object.hasOwn(Class, 'KIND') && KINDS.includes(Class.KIND))) {
        Class = Object.getPrototypeOf(Class);
    }
    return Class;
}

/**
 * @param {any} lock
 * @param {import('./lock-timeline.js').LockTimeline} timeline
 * @returns {PropertyDescriptorMap} of its methods, traced
 */
export function tracedMethods(lock, timeline) {
    const Class = classOf(lock);
    // Methods run on another object of the same lock: if their code met a traced object's shape, it would
    // become slower for all objects. A program's own class may have state, so it runs on the object itself.
    const twin = lock.constructor === Class ? Class.at(lock.memory, lock.byteOffset) : lock;
    const prototype = Object.getPrototypeOf(twin); // the class's: also if the twin is the lock, which is traced only later
    // The method is looked up at each call, since `holdfast/debug` replaces some methods of a class.
    const call = (/** @type {string} */ method, /** @type {any[]} */ args) =>
        prototype[method].apply(twin, args);
    /** Spans by the method that ends them. @type {Record<string, Span[]>} */
    const held = { unlock: [], unlockShared: [], unlockUpgradable: [] };

    /** The index of the callback: behind the key, if the class has keys. */
    const first = Class.KIND === 'KeyedMutex' ? 1 : 0;
    /** @param {any[]} args @returns {string | undefined} */
    const keyOf = (args) => (first === 0 ? undefined : args[0]);

    /** @param {string} method whose options come last, a callback first @param {any[]} args */
    const use = (method, args) => {
        const end = ENDS[method];
        const span = new Span(timeline, method, args.at(-1), keyOf(args));
        try {
            const result = call(
                method,
                args.map((arg, at) => (at === first && typeof arg === 'function' ? span.around(arg) : arg)),
            );
            if (result instanceof Promise) {
                return span.follow(result);
            }
            if (end === undefined || result === false) {
                return span.done(result);
            }
            span.begin();
            // A span still held here was ended through another object.
            const isOther = (/** @type {Span} */ { key }) =>
                end === 'unlockShared' || Class.KIND === 'RecursiveMutex' || key !== span.key;
            held[end] = [...(held[end]?.filter(isOther) ?? []), span];
            return result;
        } catch (error) {
            span.failed(error);
            throw error;
        }
    };

    /** @param {string} method @param {any[]} args */
    const release = (method, args) => {
        const end = environment.now();
        const key = keyOf(args);
        call(method, first === 0 ? [] : [key]);
        const spans = held[method] ?? [];
        const [span] = spans.filter((one) => one.key === key).slice(-1);
        held[method] = spans.filter((one) => one !== span);
        span?.end(end);
        span?.write();
    };

    /**
     * One span shows the whole hold, under the name of the call that began it.
     * @param {string} from @param {string} to the methods that would have ended the hold, and that will
     */
    const move = (from, to) => held[to]?.push(...(held[from]?.splice(-1) ?? []));

    const downgrade = () => {
        call('downgrade', []);
        move(held.unlock?.length ? 'unlock' : 'unlockUpgradable', 'unlockShared');
    };

    /** @param {string} method @param {any[]} args */
    const upgrade = (method, args) => {
        const result = call(method, args);
        if (result !== false) {
            move('unlockUpgradable', 'unlock');
        }
        return result;
    };

    // executeLocked() of a lock that is its own twin runs its traced execAsync(), which records the call.
    const isSeen = (/** @type {string} */ method) =>
        method in Class.prototype && (twin !== lock || method !== 'executeLocked');
    // Short, so that V8 inlines it; calls the class's method for other objects (npm run bench -- trace).
    const replaced = (/** @type {string} */ method) =>
        method === 'downgrade'
            ? downgrade
            : UPGRADES.includes(method)
              ? (/** @type {any[]} */ ...args) => upgrade(method, args)
              : method in held
                ? (/** @type {any[]} */ ...args) => release(method, args)
                : (/** @type {any[]} */ ...args) => use(method, args);
    return Object.fromEntries(
        METHODS.split(' ')
            .filter(isSeen)
            .map((method) => [method, { value: replaced(method) }]),
    );
}
