/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { EVENT_CAPACITY, GATE_FOR_ONE, GATE_MOST, RWLOCK_CAPACITY } from '../../js-glue/memory/layout.js';
import {
    BARRIER_ARRIVED_SHIFT,
    BARRIER_PARTIES_SHIFT,
    CONDITION_EPOCH_BITS,
    CONDITION_EPOCH_SHIFT,
    CONDITION_LOOPS_SHIFT,
    EVENT_EPOCH,
} from '../c/numbers.js';
import { isSettled } from './gate-word.js';
import { WHOLE } from './whole.js';
import { renamedIdentity, renamedWord } from './symmetry.js';

/* The objects that programs use: their words, the first values, and what may be left in them at the end. */

/**
 * @typedef {import('../wasm/interpreter.js').Value} Value
 * @typedef {import('./symmetry.js').Renaming} Renaming
 *
 * @typedef {{ is: 'mutex' } | { is: 'recursive mutex', depth?: number } | { is: 'rwlock' } | { is:
 *     'semaphore', max: number, initial?: number } | { is: 'condition', epoch?: number } | { is: 'event',
 *     epoch?: number } | { is: 'auto event' } | { is: 'latch', count: number } | { is: 'barrier', parties:
 *     number, round?: number } | { is: 'c barrier', parties: number, left?: number, completions?: number,
 *     again?: number } | { is: 'once' } | { is: 'data', value?: number, end?: number }} Described an object
 *     as plain data; epochs and rounds may begin anywhere; `depth` is what a dead owner has left, `end` the
 *     expected last value of a number. A `c barrier` is used by C threads alone, with all calls of C: `left`
 *     is its number of threads at the end, `again` how many completions there may be beyond `completions`
 *
 * @typedef {object} Word
 * @property {string} name
 * @property {4 | 8} bytes
 * @property {boolean} [isConstant] after the init
 * @property {boolean} [isQuiet] whether no thread waits on it
 * @property {boolean} [isOwned] whether only the holder of its object's gate uses it, not atomically
 *
 * @typedef {object} Kind
 * @property {Word[]} words
 * @property {[name: string, ...parameters: number[]]} [init] the call that makes it
 * @property {number} [unwritten] the number of its last words that the init does not write
 * @property {Value[]} [first] added to its words after the init
 * @property {import('./gate-word.js').GateUse} [gate]
 * @property {(words: Value[], first: Value[]) => boolean} isLeftClean whether no thread is left in the words
 * @property {(words: readonly Value[], renaming: Renaming) => Value[]} [renamed] for words with identities
 */

/** @type {Word} */
const GATE = { name: '', bytes: 8 };
/** @type {Word} */
const LINE = { name: 'line', bytes: 4 };
/** @type {Word} */
const OWN = { name: 'own', bytes: 4, isQuiet: true };
/** @type {Word} */
const RESERVED = { name: 'reserved', bytes: 4, isQuiet: true };

/** The word of a barrier that counts rounds without spins. @type {Word} */
const PAUSE = { name: 'pause', bytes: 4, isQuiet: true };

/** @type {Word} */
const DEPTH = { name: 'depth', bytes: 4, isQuiet: true, isOwned: true };

/** A gate whose last word is constant: a maximum, or the kind of an event. */
const GATE_OF_A_KIND = [GATE, LINE, { ...OWN, isConstant: true }];

/**
 * Two parts of a condition's word between the waiters and the grants (c-src/condition.c): a flag that may
 * stay set, and the epoch.
 */
const LOOPS = 1n << BigInt(CONDITION_LOOPS_SHIFT);
const EPOCH_SHIFT = BigInt(CONDITION_EPOCH_SHIFT);
const EPOCH = BigInt(2 ** CONDITION_EPOCH_BITS - 1) << EPOCH_SHIFT;

const BARRIER_PARTIES_AT = BigInt(BARRIER_PARTIES_SHIFT);
const BARRIER_ARRIVED_AT = BigInt(BARRIER_ARRIVED_SHIFT);

/** @param {Value | undefined} word */
const unsigned = (word) => BigInt.asUintN(64, BigInt(word ?? 0));

/** @param {import('./gate-word.js').GateUse} gate @returns {Kind} */
function gateFor(gate) {
    return {
        words: [GATE, LINE, OWN],
        gate,
        isLeftClean: ([word, ...others], [, ...first]) =>
            isSettled(BigInt(word ?? 0)) && others.every((other, at) => other === first[at]),
        renamed: ([word, line, own, ...others], renaming) => [
            renamedWord(BigInt(word ?? 0), renaming),
            renamedIdentity(Number(line), renaming),
            renamedIdentity(Number(own), renaming),
            ...others,
        ],
    };
}

/** A gate that opens when nothing is in use. @param {number} capacity */
const oneByOne = (capacity) => gateFor({ capacity, opensAt: 0 });

/** @param {Described} described @returns {Kind} */
export function kindOf(described) {
    switch (described.is) {
        case 'mutex':
            return oneByOne(GATE_FOR_ONE);
        case 'recursive mutex':
            return {
                ...oneByOne(GATE_FOR_ONE),
                words: [GATE, LINE, OWN, DEPTH, RESERVED],
                first: [0n, 0, 0, described.depth ?? 0],
                isLeftClean: ([word, ...others]) =>
                    isSettled(BigInt(word ?? 0)) && others.every((other) => other === 0),
            };
        case 'rwlock':
            return { ...oneByOne(RWLOCK_CAPACITY), words: [GATE, LINE, { ...OWN, isQuiet: false }] };
        case 'semaphore': {
            const { max, initial = max } = described;
            return {
                ...gateFor({ capacity: max, opensAt: GATE_MOST }),
                words: GATE_OF_A_KIND,
                init: ['semaphore_init', initial, max],
            };
        }
        case 'once':
            return {
                ...oneByOne(GATE_FOR_ONE),
                words: [GATE, LINE, OWN, { name: 'done', bytes: 4 }],
                isLeftClean: ([word, line]) => isSettled(BigInt(word ?? 0)) && line === 0,
            };
        case 'auto event':
            return {
                ...oneByOne(EVENT_CAPACITY),
                words: GATE_OF_A_KIND,
                init: ['event_init', Number(true)],
            };
        case 'event':
            return {
                words: [GATE, LINE, { name: 'state', bytes: 4 }],
                init: ['event_init', Number(false)],
                first: [0n, 0, (described.epoch ?? 0) * EVENT_EPOCH],
                isLeftClean: ([word]) => word === 0n,
            };
        case 'condition':
            return {
                words: [GATE, LINE, RESERVED],
                first: [BigInt.asIntN(64, BigInt(described.epoch ?? 0) << EPOCH_SHIFT)],
                isLeftClean: ([word, line]) => (unsigned(word) & ~(EPOCH | LOOPS)) === 0n && line === 0,
            };
        case 'latch':
            return {
                words: [{ name: '', bytes: 4 }, RESERVED],
                init: ['latch_init', described.count],
                isLeftClean: ([word]) => word === 0,
            };
        case 'barrier':
            return {
                words: [GATE, { name: 'inside', bytes: 4 }, PAUSE],
                init: ['barrier_init', described.parties],
                first: [BigInt(described.round ?? 0)],
                isLeftClean: ([word]) => unsigned(word) >> BARRIER_ARRIVED_AT === 0n,
            };
        case 'c barrier': {
            const { parties, left = parties, completions = 0, again = 0 } = described;
            return {
                words: [
                    GATE,
                    { name: 'inside', bytes: 4 },
                    PAUSE,
                    { name: 'completions', bytes: 4, isQuiet: true },
                ],
                init: ['barrier_init', parties],
                unwritten: 1,
                isLeftClean: ([word, inside, , completed]) =>
                    unsigned(word) >> BARRIER_PARTIES_AT === BigInt(left - 1) &&
                    inside === 0 &&
                    Number(completed) >= completions &&
                    Number(completed) <= completions + again,
            };
        }
        case 'data': {
            const { value = 0, end } = described;
            return {
                words: [{ name: '', bytes: 4 }],
                first: [value],
                isLeftClean: ([word]) => end === undefined || word === end,
            };
        }
    }
}

/**
 * The amount in use of a thread that holds the lock at the start.
 * @param {Described} described
 * @param {number} self
 * @param {number} amount
 */
export function heldBy({ is }, self, amount) {
    const isAlone =
        is === 'mutex' || is === 'recursive mutex' || is === 'once' || (is === 'rwlock' && amount === WHOLE);
    return BigInt(isAlone ? self : amount);
}
