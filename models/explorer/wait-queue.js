/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { NOBODY_IN_PARTICULAR, wordOf } from './queue-entry.js';
import { Violation } from './violation.js';

/* The queue of the engine, first in, first out for each word, and what is due of those who wait in it. */

/** What `memory.atomic.wait32` gives. */
export const WOKEN = 0;
export const CHANGED = 1;
export const TIMED_OUT = 2;

/** The queue with one more waitAsync. @param {readonly number[]} queue @param {number} entry */
export function withAsync(queue, entry) {
    if (queue.includes(entry)) {
        throw new Violation('a thread has two entries on one word');
    }
    return [...queue, entry];
}

/** Whom a move wakes where that is not open. */
export const NOBODY = [NOBODY_IN_PARTICULAR];

/**
 * Where it is open whom a wake for one goes to, the entries that it may be; else nothing in particular.
 * @param {readonly number[]} queue
 * @param {import('../wasm/interpreter.js').Atomic} atomic what a thread does next
 * @param {(atomic: import('../wasm/interpreter.js').Atomic) => number} wordAt which word it is about
 */
export function whoMayBeWoken(queue, atomic, wordAt) {
    if (atomic.name !== 'memory.atomic.notify' || atomic.operands[0] !== 1) {
        return NOBODY;
    }
    const word = wordAt(atomic);
    const entries = queue.filter((entry) => wordOf(entry) === word);
    return entries.length > 1 ? entries : NOBODY;
}

/**
 * Takes the first that wait on a word out of the queue, or that one.
 * @param {readonly number[]} queue @param {number} word @param {number} most @param {number} chosen
 */
export function takenFrom(queue, word, most, chosen) {
    /** @type {number[]} */
    const taken = [];
    const left = queue.filter((entry) => {
        const isIt = chosen === NOBODY_IN_PARTICULAR ? wordOf(entry) === word : entry === chosen;
        if (!isIt || taken.length >= most) {
            return true;
        }
        taken.push(entry);
        return false;
    });
    return { left, taken };
}

/** @type {Record<Exclude<import('./thread-call.js').View['sleeps'], ''>, import('./thread-call.js').Due>} */
export const DUE_END_OF = { nap: 'yes', watch: 'soon', limit: 'soon', slice: 'late' };

/**
 * @param {import('./thread-call.js').Due} due
 * @param {{ reservationsEnd: boolean, wakesGetLost: boolean }} circumstances
 */
export function isDue(due, { reservationsEnd, wakesGetLost }) {
    switch (due) {
        case 'soon':
            return reservationsEnd || wakesGetLost;
        case 'not yet':
            return !reservationsEnd;
        case 'late':
            return wakesGetLost;
        default:
            return due === 'yes';
    }
}
