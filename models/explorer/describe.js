/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { isDead } from './locals.js';
import { addressOfHalf, hex } from './memory.js';
import { NOBODY_IN_PARTICULAR, threadOf, wordOf } from './queue-entry.js';

/* Describes moves and threads in words. */

/**
 * @typedef {import('./locals.js').Local} Local
 * @typedef {import('./machine.js').World} World
 * @typedef {import('./memory.js').Memory} Memory
 */

/** @param {World} world @param {import('./waiting-threads.js').Move} move @param {Memory} memory */
export function describeMove({ locals }, { thread, kind, input, entry }, memory) {
    const local = /** @type {Local} */ (locals[thread]);
    const { atomic } = local.view;
    const call = callText(local);
    switch (kind) {
        case 'atomic': {
            const whom = entry === NOBODY_IN_PARTICULAR ? '' : ` wakes T${threadOf(entry)}`;
            const what = [call, atomic && atomicText(atomic, memory)].filter(Boolean).join(': ');
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

/** @param {World} world @param {Memory} memory */
export function describeWaiting({ queue }, memory) {
    const waiting = queue.map(
        (entry) => `T${threadOf(entry)} on ${memory.nameOf(addressOfHalf(wordOf(entry)))}`,
    );
    return `waiting: ${waiting.join(', ') || 'nobody'}`;
}

/** @param {World} world @param {Memory} memory @returns {string[]} one a thread */
export function describeThreads({ locals }, memory) {
    return locals.map((local, thread) => `T${thread} ${standing(local, memory)}`);
}

/** @param {Local} local @param {Memory} memory */
function standing(local, memory) {
    const { view } = local;
    if (isDead(local)) {
        return 'is dead';
    }
    if (view.sleeps) {
        return `sleeps in ${callText(local)}`;
    }
    const next = view.atomic ? [atomicText(view.atomic, memory)] : view.choices.map(({ input }) => input);
    const outcome = view.isDone ? 'is done' : `is next: ${next.join(' or ') || 'nothing'}`;
    return `${outcome}${view.has > 0 ? ', has the lock' : ''}`;
}

/** @param {Local} local @returns {string} '' if it is in no call */
function callText({ state: { call } }) {
    return call ? `${call.name}(${[call.on, ...call.parameters].join(', ')})` : '';
}

/** @param {import('../wasm/interpreter.js').Atomic} atomic @param {Memory} memory */
function atomicText({ name, address, operands }, memory) {
    return `${name} ${memory.nameOf(address)} ${operands.map(hex).join(' ')}`.trimEnd();
}
