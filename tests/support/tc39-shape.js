/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import * as ours from '../../js-glue/tc39.js';

/* Mutexes and conditions of the TC39 proposal as its tests use them: ours, or V8's own with
 * HOLDFAST_TC39=engine and --harmony-struct. V8's methods are older than the proposal's text: they take
 * callbacks instead of returning tokens, and the mutex in place of the token. */

/** @type {any} */
const engine = Atomics;

const isEngine = process.env['HOLDFAST_TC39'] === 'engine';

/**
 * @typedef {object} Shape
 * @property {() => any} makeMutex
 * @property {() => any} makeCondition
 * @property {(object: any) => unknown} toPost
 * @property {(data: any) => any} mutexOf
 * @property {(data: any) => any} conditionOf
 * @property {<T>(mutex: any, callback: (held: any) => T) => T} lock blocks; `held` is for waits
 * @property {<T>(mutex: any, timeout: number, callback: () => T) => { success: boolean, value: T | undefined }} lockIfAvailable
 * @property {(condition: any, held: any) => void} wait
 * @property {(condition: any, held: any, timeout: number) => boolean} waitFor
 * @property {(condition: any, count?: number) => number} notify
 * @property {<T>(mutex: any, callback: () => T | PromiseLike<T>) => Promise<T>} lockAsync
 * @property {(condition: any, mutex: any) => Promise<void>} waitAsync
 * @property {string[]} lacks which of these members it lacks
 */

/** @type {Shape} */
const OURS = {
    makeMutex: () => new ours.Mutex(),
    makeCondition: () => new ours.Condition(),
    toPost: (object) => object.handle,
    mutexOf: (data) => ours.Mutex.from(data),
    conditionOf: (data) => ours.Condition.from(data),
    lock(mutex, callback) {
        const token = ours.Mutex.lock(mutex);
        try {
            return callback(token);
        } finally {
            token.unlock();
        }
    },
    lockIfAvailable(mutex, timeout, callback) {
        const token = ours.Mutex.lockIfAvailable(mutex, timeout);
        if (token === null) {
            return { success: false, value: undefined };
        }
        try {
            return { success: true, value: callback() };
        } finally {
            token.unlock();
        }
    },
    wait: (condition, held) => ours.Condition.wait(condition, held),
    waitFor: (condition, held, timeout) => ours.Condition.waitFor(condition, held, timeout),
    notify: (condition, count) => ours.Condition.notify(condition, count),
    lockAsync: (mutex, callback) => ours.Mutex.lockAsync(mutex, callback),
    waitAsync: (condition, mutex) => ours.Condition.waitAsync(condition, mutex),
    lacks: [],
};

/** Converts what V8's functions with a callback return: an object, or in V8 11 whether the callback ran. @param {any} result */
const resultOf = (result) => (typeof result === 'object' ? result : { success: result, value: undefined });

/** @type {() => Shape} */
const enginesOwn = () => ({
    makeMutex: () => new engine.Mutex(),
    makeCondition: () => new engine.Condition(),
    toPost: (object) => object,
    mutexOf: (data) => data,
    conditionOf: (data) => data,
    lock: (mutex, callback) => engine.Mutex.lock(mutex, () => callback(mutex)),
    lockIfAvailable: (mutex, timeout, callback) =>
        resultOf(
            timeout === 0
                ? engine.Mutex.tryLock(mutex, callback)
                : engine.Mutex.lockWithTimeout(mutex, callback, timeout),
        ),
    wait: (condition, held) => engine.Condition.wait(condition, held),
    waitFor: (condition, held, timeout) => engine.Condition.wait(condition, held, timeout),
    notify: (condition, count) => engine.Condition.notify(condition, count),
    lockAsync: async (mutex, callback) => (await engine.Mutex.lockAsync(mutex, callback)).value,
    waitAsync: async (condition, mutex) => engine.Condition.waitAsync(condition, mutex),
    lacks: [
        ...['lockWithTimeout', 'lockAsync'].filter((name) => !(name in engine.Mutex)),
        ...['waitAsync'].filter((name) => !(name in engine.Condition)),
        ...(parseInt(process.versions.v8) < 13 ? ['a notify of none'] : []), // V8 before 13 releases all waiters then
    ],
});

export const shape = isEngine ? enginesOwn() : OURS;
