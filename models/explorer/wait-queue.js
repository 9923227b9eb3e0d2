/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { isAsync, NOBODY_IN_PARTICULAR, wordOf } from './queue-entry.js';
import { Violation } from './violation.js';

/* The engine's queue of waiters, first in, first out for each word. */

/** The results of `memory.atomic.wait32`. */
export const WOKEN = 0;
export const CHANGED = 1;
export const TIMED_OUT = 2;

/** @param {readonly number[]} queue @param {number} entry */
export function withEntry(queue, entry) {
    if (isAsync(entry) && queue.includes(entry)) {
        throw new Violation('a thread has two entries on one word');
    }
    return [...queue, entry];
}

/**
 * Takes the first waiters on a word, or the chosen one, out of the queue.
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
 * @param {{ reservationEndsAreDue: boolean, wakesGetLost: boolean }} circumstances
 */
export function isDue(due, { reservationEndsAreDue, wakesGetLost }) {
    switch (due) {
        case 'soon':
            return reservationEndsAreDue || wakesGetLost;
        case 'not yet':
            return !reservationEndsAreDue;
        case 'late':
            return wakesGetLost;
        default:
            return due === 'yes';
    }
}
