/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import {
    BARRIER_ROUND_OFFSET,
    CONDITION_LINE_OFFSET,
    EVENT_CAPACITY,
    EVENT_STATE_OFFSET,
    GATE_FOR_ONE,
    LATCH_COUNT_OFFSET,
} from '../js-glue/memory/layout.js';
import { isSettled } from './gate-word.js';

/* The objects that programs use: their words, how they begin, and what an event loop needs to wait for one. */

/**
 * @typedef {import('./wasm-interpreter.js').Value} Value
 *
 * What a request queue of the glue asks a gate for, or where it waits for a phase: the same as the classes of js-glue/
 * give to their queues.
 * @typedef {{ is: 'gate', amountOf: (self: number) => number, capacity: number, holdsUp: boolean }} GateWaitable
 * @typedef {{ is: 'phase', offset: number, step: string, wait: string, hasToken: boolean,
 *     mustEnd: boolean }} PhaseWaitable
 *
 * @typedef {{ is: 'mutex' } | { is: 'condition', epoch?: number } | { is: 'event', epoch?: number } | { is: 'auto event' }
 *     | { is: 'latch', count: number } | { is: 'barrier', parties: number, round?: number } | { is: 'once' }
 *     | { is: 'data', value?: number }} Described an object as plain data; epochs and rounds may begin anywhere
 *
 * @typedef {object} Kind
 * @property {{ name: string, bytes: 4 | 8 }[]} words
 * @property {[name: string, ...parameters: number[]] | undefined} init the call that makes it
 * @property {Value[]} first what is added to its words then
 * @property {GateWaitable | PhaseWaitable | undefined} waitable
 * @property {(words: Value[]) => boolean} isLeftClean whether nobody is in the words when nobody is left
 */

/** @type {Kind['words']} */
const GATE_WORDS = [
    { name: '', bytes: 8 },
    { name: 'line', bytes: 4 },
    { name: 'own', bytes: 4 },
];
/** @type {Kind['words']} */
const CONDITION_WORDS = [
    { name: '', bytes: 8 },
    { name: 'line', bytes: 4 },
    { name: 'reserved', bytes: 4 },
];
/** @type {Kind['words']} */
const BARRIER_WORDS = [
    { name: '', bytes: 8 },
    { name: 'more', bytes: 4 },
    { name: 'reserved', bytes: 4 },
];

/** @type {Kind['words']} */
const LATCH_WORDS = [
    { name: '', bytes: 4 },
    { name: 'reserved', bytes: 4 },
];

/** Of a condition, what counts waiters and grants; between the two is the epoch (c-src/condition.c). */
const EPOCH_SHIFT = 18n;
const EPOCH_BITS = 28n;
const EPOCH = ((1n << EPOCH_BITS) - 1n) << EPOCH_SHIFT;

/** Of an event that stays set (c-src/event.c). */
const EVENT_EPOCH = 4;

const HALF_BITS = 32n;

/** @param {Value | undefined} word */
const unsigned = (word) => BigInt.asUintN(64, BigInt(word ?? 0));

/** @type {Omit<PhaseWaitable, 'step' | 'wait' | 'offset'>} */
const PHASE = { is: 'phase', hasToken: true, mustEnd: false };

/**
 * @param {Described} described
 * @returns {Kind}
 */
export function kindOf(described) {
    switch (described.is) {
        case 'mutex':
            return gateFor((self) => self, GATE_FOR_ONE, true);
        case 'once': {
            const mutex = gateFor((self) => self, GATE_FOR_ONE, true);
            return { ...mutex, words: [...GATE_WORDS, { name: 'done', bytes: 4 }] };
        }
        case 'auto event':
            return {
                ...gateFor(() => EVENT_CAPACITY, EVENT_CAPACITY, false),
                init: ['event_init', Number(true)],
            };
        case 'event':
            return {
                words: GATE_WORDS,
                init: ['event_init', Number(false)],
                first: [0n, 0, (described.epoch ?? 0) * EVENT_EPOCH],
                waitable: { ...PHASE, offset: EVENT_STATE_OFFSET, step: 'event_step', wait: 'event_wait' },
                isLeftClean: ([word]) => word === 0n,
            };
        case 'condition':
            return {
                words: CONDITION_WORDS,
                init: undefined,
                first: [BigInt.asIntN(64, BigInt(described.epoch ?? 0) << EPOCH_SHIFT)],
                waitable: {
                    ...PHASE,
                    offset: CONDITION_LINE_OFFSET,
                    step: 'condition_step',
                    wait: 'condition_wait',
                    mustEnd: true,
                },
                isLeftClean: ([word, line]) => (unsigned(word) & ~EPOCH) === 0n && line === 0,
            };
        case 'latch':
            return {
                words: LATCH_WORDS,
                init: ['latch_init', described.count],
                first: [],
                waitable: {
                    ...PHASE,
                    offset: LATCH_COUNT_OFFSET,
                    step: 'latch_step',
                    wait: 'latch_wait',
                    hasToken: false,
                },
                isLeftClean: ([word]) => word === 0,
            };
        case 'barrier':
            return {
                words: BARRIER_WORDS,
                init: ['barrier_init', described.parties],
                first: [BigInt(described.round ?? 0)],
                waitable: {
                    ...PHASE,
                    offset: BARRIER_ROUND_OFFSET,
                    step: 'barrier_step',
                    wait: 'barrier_wait',
                    mustEnd: true,
                },
                isLeftClean: ([word]) => unsigned(word) >> HALF_BITS === 0n,
            };
        case 'data':
            return {
                words: [{ name: '', bytes: 4 }],
                init: undefined,
                first: [described.value ?? 0],
                waitable: undefined,
                isLeftClean: () => true,
            };
    }
}

/**
 * @param {GateWaitable['amountOf']} amountOf
 * @param {number} capacity
 * @param {boolean} holdsUp whether the section of one request lets the thread's others wait
 * @returns {Kind}
 */
function gateFor(amountOf, capacity, holdsUp) {
    return {
        words: GATE_WORDS,
        init: undefined,
        first: [],
        waitable: { is: 'gate', amountOf, capacity, holdsUp },
        isLeftClean: ([word]) => isSettled(BigInt(word ?? 0)),
    };
}
