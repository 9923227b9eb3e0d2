/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { LockSpace, Mutex } from '../js-glue/index.js';
import { TextbookLock } from '../benchmarks/rivals/textbook-lock.js';

/**
 * A lock that can take part.
 * @typedef {object} Contestant
 * @property {() => void} lock
 * @property {() => void} unlock
 * @property {<T>(callback: () => T) => Promise<T>} execAsync
 */

/** @typedef {'holdfast' | 'textbook'} ContestantName */

/** @typedef {{ name: ContestantName, handle: any }} Ticket names a lock in a message to another thread */

const KINDS = {
    holdfast: {
        title: 'holdfast',
        create: () => new Mutex({ space: new LockSpace() }).handle,
        /** @param {any} handle */
        open: (handle) => Mutex.from(handle),
    },
    textbook: {
        title: 'the textbook lock',
        create: () => new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)),
        /** @param {Int32Array} words */
        open: (words) => new TextbookLock(words, 0),
    },
};

export const CONTESTANT_NAMES = /** @type {ContestantName[]} */ (Object.keys(KINDS));

/** @param {ContestantName} name */
export function titleOf(name) {
    return KINDS[name].title;
}

/** A fresh, unlocked lock. The ticket is structured-cloneable. @param {ContestantName} name @returns {Ticket} */
export function createLock(name) {
    return { name, handle: KINDS[name].create() };
}

/** @param {Ticket} ticket @returns {Contestant} */
export function openLock(ticket) {
    return KINDS[ticket.name].open(ticket.handle);
}
