/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { isDead } from './locals.js';
import { NOBODY_IN_PARTICULAR, threadOf, wordOf } from './queue-entry.js';
import { GATE_ADDRESS } from './thread-call.js';

/* Worlds and moves as a person reads them. */

/**
 * @typedef {import('./locals.js').Local} Local
 * @typedef {import('./machine.js').Move} Move
 * @typedef {import('./machine.js').World} World
 */

export const WORD_NAMES = ['state', 'turn', 'line', 'own'];
export const WORD_BYTES = 4;
const WORD_BITS = 64;

/**
 * @param {World} world
 * @param {Move} move
 */
export function describeMove({ locals }, { thread, kind, input, entry }) {
    const atomic = locals[thread]?.view.atomic;
    const call = locals[thread]?.state.call?.name ?? '';
    switch (kind) {
        case 'atomic': {
            const whom = entry === NOBODY_IN_PARTICULAR ? '' : ` wakes T${threadOf(entry)}`;
            return `T${thread} ${[call, atomic && atomicText(atomic)].filter(Boolean).join(': ')}${whom}`;
        }
        case 'choice':
            return `T${thread} ${input}`;
        case 'entry ends':
            return `T${thread} has its waitAsync on ${WORD_NAMES[wordOf(entry)]} time out`;
        case 'wait ends':
            return `T${thread} ${call}: its wait times out`;
        default:
            return `T${thread} ${kind}`;
    }
}

/**
 * The words, the waiting and the threads, as a person reads them.
 * @param {World} world
 */
export function describeWorld({ word, locals, queue }) {
    const waiting = queue.map((entry) => `T${threadOf(entry)} on ${WORD_NAMES[wordOf(entry)]}`);
    return [
        `word: ${hex(word)}; waiting: ${waiting.join(', ') || 'nobody'}`,
        ...locals.map((local, thread) => `T${thread} ${standing(local)}`),
    ];
}

/** @param {Local} local */
function standing(local) {
    const { view, state } = local;
    if (view.sleeps) {
        return `sleeps in ${state.call?.name ?? ''}`;
    }
    const next = view.atomic ? [atomicText(view.atomic)] : view.choices.map(({ input }) => input);
    const outcome = isDead(local)
        ? 'is dead'
        : view.isDone
          ? 'is done'
          : `is next: ${next.join(' or ') || 'nothing'}`;
    return `${outcome}${view.owns.length > 0 ? ', has the lock' : ''}`;
}

/** @param {import('./wasm-interpreter.js').Atomic} atomic */
function atomicText({ name, address, operands }) {
    const place = WORD_NAMES[(address - GATE_ADDRESS) / WORD_BYTES];
    return `${name} ${place} ${operands.map(hex).join(' ')}`.trimEnd();
}

/** @param {import('./wasm-interpreter.js').Value} value */
function hex(value) {
    return typeof value === 'bigint'
        ? `0x${BigInt.asUintN(WORD_BITS, value).toString(16)}`
        : `0x${(value >>> 0).toString(16)}`;
}
