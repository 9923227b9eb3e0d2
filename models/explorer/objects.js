/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { EVENT_CAPACITY, GATE_FOR_ONE, GATE_MOST, RWLOCK_EXCLUSIVE } from '../../js-glue/memory/layout.js';
import { isSettled } from './gate-word.js';
import { renamedIdentity, renamedWord } from './symmetry.js';

/* The objects that programs use: their words, how they begin, and what may be in them at the end. */

/**
 * @typedef {import('../wasm/interpreter.js').Value} Value
 * @typedef {import('./symmetry.js').Renaming} Renaming
 *
 * @typedef {{ is: 'mutex' } | { is: 'rwlock' } | { is: 'semaphore', max: number, initial?: number } | { is:
 *     'condition', epoch?: number } | { is: 'event', epoch?: number } | { is: 'auto event' } | { is: 'latch', count:
 *     number } | { is: 'barrier', parties: number, round?: number } | { is: 'once' } | { is: 'data', value?: number }}
 *     Described an object as plain data; epochs and rounds may begin anywhere
 *
 * @typedef {object} Word
 * @property {string} name
 * @property {4 | 8} bytes
 * @property {boolean} [isConstant] nobody changes it after the init
 * @property {boolean} [isQuiet] nobody waits on it
 *
 * @typedef {object} Kind
 * @property {Word[]} words
 * @property {[name: string, ...parameters: number[]] | undefined} init the call that makes it
 * @property {Value[]} first what is added to its words then
 * @property {import('./gate-word.js').GateUse | undefined} gate of those that stand on one
 * @property {(words: Value[], first: Value[]) => boolean} isLeftClean whether nobody is in the words when nobody is
 *     left
 * @property {(words: readonly Value[], renaming: Renaming) => Value[]} renamed with the identities exchanged
 */

const LINE = { name: 'line', bytes: /** @type {const} */ (4) };
const OWN = { name: 'own', bytes: /** @type {const} */ (4), isQuiet: true };
const RESERVED = { name: 'reserved', bytes: /** @type {const} */ (4), isQuiet: true };

/** @type {Word[]} */
const GATE_WORDS = [{ name: '', bytes: 8 }, LINE, OWN];
/** @type {Word[]} of which the last says how many there may be, or what it is */
const GATE_OF_A_KIND_WORDS = [{ name: '', bytes: 8 }, LINE, { ...OWN, isConstant: true }];
/** @type {Word[]} */
const EVENT_WORDS = [{ name: '', bytes: 8 }, LINE, { name: 'state', bytes: 4 }];
/** @type {Word[]} */
const CONDITION_WORDS = [{ name: '', bytes: 8 }, LINE, RESERVED];
/** @type {Word[]} */
const BARRIER_WORDS = [{ name: '', bytes: 8 }, { name: 'more', bytes: 4 }, RESERVED];
/** @type {Word[]} */
const LATCH_WORDS = [{ name: '', bytes: 4 }, RESERVED];

/** Of a condition, what counts waiters and grants; between the two is the epoch (c-src/condition.c). */
const EPOCH_SHIFT = 18n;
const EPOCH_BITS = 28n;
const EPOCH = ((1n << EPOCH_BITS) - 1n) << EPOCH_SHIFT;

/** Of an event that stays set (c-src/event.c). */
const EVENT_EPOCH = 4;

const HALF_BITS = 32n;

/** @param {Value | undefined} word */
const unsigned = (word) => BigInt.asUintN(64, BigInt(word ?? 0));

/** @type {Pick<Kind, 'init' | 'first' | 'gate' | 'renamed'>} */
const PHASE = { init: undefined, first: [], gate: undefined, renamed: (words) => [...words] };

/** What stands on a gate. @param {import('./gate-word.js').GateUse} gate @returns {Kind} */
function gateFor(gate) {
    return {
        words: GATE_WORDS,
        init: undefined,
        first: [],
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

/** Of which one is enough to pass. @param {number} capacity */
const oneByOne = (capacity) => gateFor({ capacity, opensAt: 0 });

/** @param {Described} described @returns {Kind} */
export function kindOf(described) {
    switch (described.is) {
        case 'mutex':
            return oneByOne(GATE_FOR_ONE);
        case 'rwlock':
            return oneByOne(GATE_MOST);
        case 'semaphore': {
            const { max, initial = max } = described;
            return {
                ...gateFor({ capacity: max, opensAt: GATE_MOST }),
                words: GATE_OF_A_KIND_WORDS,
                init: ['semaphore_init', initial, max],
            };
        }
        case 'once':
            return {
                ...oneByOne(GATE_FOR_ONE),
                words: [...GATE_WORDS, { name: 'done', bytes: 4 }],
                isLeftClean: ([word, line]) => isSettled(BigInt(word ?? 0)) && line === 0,
            };
        case 'auto event':
            return {
                ...oneByOne(EVENT_CAPACITY),
                words: GATE_OF_A_KIND_WORDS,
                init: ['event_init', Number(true)],
            };
        case 'event':
            return {
                ...PHASE,
                words: EVENT_WORDS,
                init: ['event_init', Number(false)],
                first: [0n, 0, (described.epoch ?? 0) * EVENT_EPOCH],
                isLeftClean: ([word]) => word === 0n,
            };
        case 'condition':
            return {
                ...PHASE,
                words: CONDITION_WORDS,
                first: [BigInt.asIntN(64, BigInt(described.epoch ?? 0) << EPOCH_SHIFT)],
                isLeftClean: ([word, line]) => (unsigned(word) & ~EPOCH) === 0n && line === 0,
            };
        case 'latch':
            return {
                ...PHASE,
                words: LATCH_WORDS,
                init: ['latch_init', described.count],
                isLeftClean: ([word]) => word === 0,
            };
        case 'barrier':
            return {
                ...PHASE,
                words: BARRIER_WORDS,
                init: ['barrier_init', described.parties],
                first: [BigInt(described.round ?? 0)],
                isLeftClean: ([word]) => unsigned(word) >> HALF_BITS === 0n,
            };
        case 'data':
            return {
                ...PHASE,
                words: [{ name: '', bytes: 4 }],
                first: [described.value ?? 0],
                isLeftClean: () => true,
            };
    }
}

/**
 * What one who begins with a lock held has made of its words.
 * @param {Described} described @param {number} self @param {number} amount @returns {[used: bigint, own: number]}
 */
export function heldBy({ is }, self, amount) {
    const own = is === 'rwlock' && amount === RWLOCK_EXCLUSIVE ? self : 0;
    return [BigInt(is === 'mutex' || is === 'once' ? self : amount), own];
}
