/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { isDead } from './locals.js';
import { hex } from './memory.js';
import { NOBODY_IN_PARTICULAR, threadOf, wordOf } from './queue-entry.js';

/* Moves and threads as a person reads them. */

/**
 * @typedef {import('./locals.js').Local} Local
 * @typedef {import('./waiting-threads.js').Move} Move
 * @typedef {import('./waiting-threads.js').Threads} Threads
 *
 * @typedef {object} Names what a machine calls things
 * @property {(address: number) => string} wordAt
 * @property {(place: number) => string} placeAt of one that is waited on
 * @property {(local: Local) => string} callOf what a thread is in; '' if it is in none
 */

/** @param {Threads} world @param {Move} move @param {Names} names */
export function describeMove({ locals }, { thread, kind, input, entry }, names) {
    const local = /** @type {Local} */ (locals[thread]);
    const { atomic } = local.view;
    const call = names.callOf(local);
    switch (kind) {
        case 'atomic': {
            const whom = entry === NOBODY_IN_PARTICULAR ? '' : ` wakes T${threadOf(entry)}`;
            const what = [call, atomic && atomicText(atomic, names)].filter(Boolean).join(': ');
            return `T${thread} ${what}${whom}`;
        }
        case 'choice':
            return `T${thread} ${input}`;
        case 'wait ends':
            return `T${thread} ${call}: its wait times out`;
        default:
            return `T${thread} ${kind}`;
    }
}

/** @param {Threads} world @param {Names} names */
export function describeWaiting({ queue }, names) {
    const waiting = queue.map((entry) => `T${threadOf(entry)} on ${names.placeAt(wordOf(entry))}`);
    return `waiting: ${waiting.join(', ') || 'nobody'}`;
}

/** @param {Threads} world @param {Names} names @returns {string[]} one a thread */
export function describeThreads({ locals }, names) {
    return locals.map((local, thread) => `T${thread} ${standing(local, names)}`);
}

/** @param {Local} local @param {Names} names */
function standing(local, names) {
    const { view } = local;
    if (isDead(local)) {
        return 'is dead';
    }
    if (view.sleeps) {
        return `sleeps in ${names.callOf(local)}`;
    }
    const next = view.atomic ? [atomicText(view.atomic, names)] : view.choices.map(({ input }) => input);
    const outcome = view.isDone ? 'is done' : `is next: ${next.join(' or ') || 'nothing'}`;
    return `${outcome}${view.has > 0 ? ', has the lock' : ''}`;
}

/** @param {import('../wasm/interpreter.js').Atomic} atomic @param {Names} names */
function atomicText({ name, address, operands }, names) {
    return `${name} ${names.wordAt(address)} ${operands.map(hex).join(' ')}`.trimEnd();
}
