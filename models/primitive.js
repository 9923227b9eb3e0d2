/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import {
    GATE_FOR_ONE,
    GATE_MOST,
    RESULT_NOT_OWNER,
    RESULT_OK,
    RESULT_OVERFLOW,
    RWLOCK_EXCLUSIVE,
} from '../js-glue/memory/layout.js';

/* The primitives that stand on a gate, as the calls that the classes of js-glue/ make. */

/**
 * A call into the module, without the address.
 * @typedef {[name: string, ...parameters: number[]]} Planned
 *
 * What is explored, as plain data. Of a semaphore `initial` permits are there at the start, all by default.
 * @typedef {{ is: 'mutex' } | { is: 'rwlock' } | { is: 'semaphore', max: number, initial?: number }} Locked
 *
 * @typedef {object} Primitive
 * @property {number} capacity how much may be in use by several
 * @property {number} opensAt how much may still be in use when one who waits may pass
 * @property {number} firstUsed how much is in use before any thread has done anything
 * @property {boolean} holdsUp whether the section of a request lets the other requests of its thread wait
 * @property {(self: number, ask: number) => number} amountOf
 * @property {(self: number, ask: number) => Planned} lock
 * @property {(self: number, ask: number) => Planned} tryLock
 * @property {(self: number, ask: number) => Planned | undefined} note what comes after one has passed
 * @property {(self: number, ask: number) => Planned} unlock
 * @property {(ask: number, isStray: boolean) => number} unlocked what that returns; stray: the thread has not locked
 * @property {(self: number, ask: number) => number} ownWord what the gate's own word is while that is had
 */

/** The longest wait of one call, so that no slice is cut short by it (js-glue/waiting/blocking.js). */
export const LONGEST_WAIT_US = 60_000_000;

const NO_TOKEN = 0;
const NOBODY = 0;

/** @type {Primitive} */
const MUTEX = {
    capacity: GATE_FOR_ONE,
    opensAt: 0,
    firstUsed: 0,
    holdsUp: true,
    amountOf: (self) => self,
    lock: (self) => ['mutex_lock', self],
    tryLock: (self) => ['mutex_trylock', self],
    note: () => undefined,
    unlock: (self) => ['mutex_unlock', self],
    unlocked: (_, isStray) => (isStray ? RESULT_NOT_OWNER : RESULT_OK),
    ownWord: () => 0,
};

/**
 * What waits for an amount.
 * @param {number} capacity
 * @returns {Pick<Primitive, 'capacity' | 'holdsUp' | 'amountOf' | 'lock' | 'tryLock'>}
 */
function byAmounts(capacity) {
    return {
        capacity,
        holdsUp: false,
        amountOf: (_, ask) => ask,
        lock: (self, ask) => ['gate_wait', self, NO_TOKEN, LONGEST_WAIT_US, ask, capacity],
        tryLock: (self, ask) => ['gate_try_after', self, NOBODY, ask, capacity],
    };
}

/** @type {Primitive} */
const RWLOCK = {
    ...byAmounts(GATE_MOST),
    opensAt: 0,
    firstUsed: 0,
    note: (self, ask) => ['rwlock_note', self, ask],
    unlock: (self, ask) => ['rwlock_unlock', self, ask],
    unlocked: (_, isStray) => (isStray ? RESULT_NOT_OWNER : RESULT_OK),
    ownWord: (self, ask) => (ask === RWLOCK_EXCLUSIVE ? self : NOBODY),
};

/**
 * @param {number} max
 * @param {number} initial
 * @returns {Primitive}
 */
function semaphoreOf(max, initial) {
    return {
        ...byAmounts(max),
        opensAt: GATE_MOST,
        firstUsed: max - initial,
        note: () => undefined,
        unlock: (_, ask) => ['semaphore_leave', ask],
        unlocked: (ask) => (ask > max ? RESULT_OVERFLOW : RESULT_OK),
        ownWord: () => max - 1,
    };
}

/**
 * @param {Locked} [locked]
 * @returns {Primitive}
 */
export function primitiveOf(locked = { is: 'mutex' }) {
    switch (locked.is) {
        case 'mutex':
            return MUTEX;
        case 'rwlock':
            return RWLOCK;
        case 'semaphore':
            return semaphoreOf(locked.max, locked.initial ?? locked.max);
    }
}
