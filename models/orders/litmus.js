/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import {
    CONDITION_ALL,
    EVENT_CAPACITY,
    MUTEX_BYTES,
    RESULT_OK,
    RWLOCK_CAPACITY,
    RWLOCK_SHARED,
    STEP_NEXT_MASK,
    STEP_NEXT_SHIFT,
} from '../../js-glue/memory/layout.js';
import { FIRST_ADDRESS as LOCK } from '../explorer/memory.js';
import { identityOf } from '../explorer/symmetry.js';
import { WHOLE } from '../explorer/whole.js';
import { tryLitmus } from './litmus-machine.js';

/* The visibility promises of each primitive, as in tests/native/litmus.c, here with every behaviour that C11
 * allows. Recursive mutexes are covered by mutexes: only the owner uses the depth. */

/**
 * @typedef {import('./litmus-machine.js').Step} Step
 * @typedef {import('./litmus-machine.js').Notes} Notes
 * @typedef {import('./litmus-machine.js').Litmus} Litmus
 */

const CONDITION = LOCK + MUTEX_BYTES;
const [T0, T1] = [identityOf(0), identityOf(1)];

/** @type {Step} */
const WRITE = { data: 'write' };
/** @type {Step} */
const READ = { data: 'read' };

/** @param {string} name @param {number[]} parameters @returns {Step} */
const does = (name, ...parameters) => ({ call: name, parameters: () => [LOCK, ...parameters] });

/** @param {import('../wasm/interpreter.js').Value} result */
const isOk = (result) => result === RESULT_OK;

/** @param {string} name @param {number[]} parameters @returns {Step} */
const passes = (name, ...parameters) => ({ ...does(name, ...parameters), until: isOk });

/** @param {import('../wasm/interpreter.js').Value} outcome */
const isDone = (outcome) => ((BigInt(outcome) >> BigInt(STEP_NEXT_SHIFT)) & BigInt(STEP_NEXT_MASK)) === 0n;

/** @param {string} name @param {number[]} parameters @returns {Step} */
const awaits = (name, ...parameters) => ({ ...does(name, ...parameters), until: isDone });

/** @param {[Notes, Notes]} notes */
const neitherHasSeen = ([{ seen: one }, { seen: other }]) => !one && !other;

/** @param {[Notes, Notes]} notes */
const oneHasNotSeen = ([{ seen: one }, { seen: other }]) => !one || !other;

/** @param {[Notes, Notes]} notes */
const isUnseen = ([, { seen }]) => !seen;

/** @param {Step} enter @param {Step} leave */
const section = (enter, leave) => [enter, WRITE, READ, leave];

/** @param {number} self */
const inMutex = (self) => section(passes('mutex_trylock', self), does('mutex_unlock', self));

/** @param {number} self @param {number} amount */
const inRwlock = (self, amount) =>
    section(passes('gate_try_after', self, 0, amount, RWLOCK_CAPACITY), does('rwlock_unlock', amount));

/** @param {number} self */
const entersSemaphore = (self) => passes('gate_try_after', self, 0, 1, 1);
const LEAVES_SEMAPHORE = does('semaphore_leave', 1);

/** @param {number} self */
const inSemaphore = (self) => section(entersSemaphore(self), LEAVES_SEMAPHORE);

const PASSES_EVENT = passes('gate_try_after', T1, 0, EVENT_CAPACITY, EVENT_CAPACITY);
const AWAITS_EVENT = awaits('event_step', 0);
const SETS = does('event_set');
const RESETS = does('event_reset');

/** @param {0 | 1} isAutomatic @returns {[string, ...number[]][]} */
const event = (isAutomatic) => [['event_init', LOCK, isAutomatic]];

/** @param {0 | 1} isAutomatic @returns {[string, ...number[]][]} */
const setEvent = (isAutomatic) => [...event(isAutomatic), ['event_set', LOCK]];

/** @type {Litmus['fails']} */
const setIsLost = (notes, alone) => isUnseen(notes) && !alone('event_is_set', LOCK);

const COUNTS_DOWN = does('latch_count_down', 1);

/** @type {Step} */
const ARRIVES = { ...does('barrier_arrive'), note: 'arrival' };
const LAST_AT = 32n;
/** @param {Notes} notes */
const arrivalOf = ({ arrival = 0 }) => BigInt(arrival);
/** @type {Step} */
const AWAITS_ROUND = {
    call: 'barrier_step',
    parameters: (notes) => [LOCK, Number(BigInt.asIntN(32, arrivalOf(notes)))],
    until: isDone,
    unless: (notes) => arrivalOf(notes) >> LAST_AT !== 0n,
};
const AT_BARRIER = [WRITE, ARRIVES, AWAITS_ROUND, READ];

const NOTIFIES = { call: 'condition_notify', parameters: () => [CONDITION, 1] };
const NOTIFIES_ALL = { call: 'condition_notify', parameters: () => [CONDITION, CONDITION_ALL] };
/** @type {Step} */
const BEGINS_TO_WAIT = {
    call: 'condition_begin',
    parameters: () => [CONDITION],
    note: 'token',
    unless: ({ seen }) => Boolean(seen),
};
const WAITS_FOR_NOTIFY = [passes('mutex_trylock', T1), READ, BEGINS_TO_WAIT, does('mutex_unlock', T1)];

/** @type {Litmus['fails']} */
const notifyIsLost = ([, { seen, token = 0 }], alone) =>
    !seen && !isDone(alone('condition_step', CONDITION, Number(token)));

/**
 * The first test that fails, or ''.
 * @param {import('../wasm/decoder.js').Module} module with orders in its addresses
 * @param {number} [relaxed] a site
 */
export function failingLitmus(module, relaxed) {
    return LITMUS.find((litmus) => tryLitmus(module, { ...litmus, relaxed }).fails)?.name ?? '';
}

/** @type {Litmus[]} */
export const LITMUS = [
    { name: 'mutex', threads: [inMutex(T0), inMutex(T1)], fails: neitherHasSeen },
    { name: 'rwlock, exclusive', threads: [inRwlock(T0, WHOLE), inRwlock(T1, WHOLE)], fails: neitherHasSeen },
    {
        name: 'rwlock, exclusive and shared',
        threads: [inRwlock(T0, WHOLE), inRwlock(T1, RWLOCK_SHARED)],
        fails: neitherHasSeen,
    },
    {
        name: 'semaphore of 1',
        first: [['semaphore_init', LOCK, 1, 1]],
        threads: [inSemaphore(T0), inSemaphore(T1)],
        fails: neitherHasSeen,
    },
    {
        name: 'semaphore, leave and enter',
        first: [['semaphore_init', LOCK, 0, 1]],
        threads: [
            [WRITE, LEAVES_SEMAPHORE],
            [entersSemaphore(T1), READ],
        ],
        fails: isUnseen,
    },
    {
        name: 'semaphore, leave of a free permit',
        first: [['semaphore_init', LOCK, 1, 1]],
        threads: [
            [WRITE, LEAVES_SEMAPHORE],
            [entersSemaphore(T1), READ],
        ],
        fails: (notes, alone) => isUnseen(notes) && !alone('semaphore_value', LOCK),
    },
    {
        name: 'condition, notify',
        threads: [[passes('mutex_trylock', T0), WRITE, does('mutex_unlock', T0), NOTIFIES], WAITS_FOR_NOTIFY],
        fails: notifyIsLost,
    },
    {
        name: 'condition, notify of all with the mutex held',
        threads: [
            [passes('mutex_trylock', T0), WRITE, NOTIFIES_ALL, does('mutex_unlock', T0)],
            WAITS_FOR_NOTIFY,
        ],
        fails: notifyIsLost,
    },
    {
        name: 'event, automatic, set and wait',
        first: event(1),
        threads: [
            [WRITE, SETS],
            [PASSES_EVENT, READ],
        ],
        fails: isUnseen,
    },
    {
        name: 'event, automatic, set of a set one and wait',
        first: setEvent(1),
        threads: [
            [WRITE, SETS],
            [PASSES_EVENT, READ],
        ],
        fails: setIsLost,
    },
    {
        name: 'event, automatic, set of a set one and reset',
        first: setEvent(1),
        threads: [
            [WRITE, SETS],
            [RESETS, READ],
        ],
        fails: setIsLost,
    },
    {
        name: 'event, manual, set and wait',
        first: event(0),
        threads: [
            [WRITE, SETS],
            [AWAITS_EVENT, READ],
        ],
        fails: isUnseen,
    },
    {
        name: 'event, manual, set and look',
        first: event(0),
        threads: [
            [WRITE, SETS],
            [{ ...does('event_is_set'), until: Boolean }, READ],
        ],
        fails: isUnseen,
    },
    {
        name: 'event, manual, set of a set one and reset',
        first: setEvent(0),
        threads: [
            [WRITE, SETS],
            [RESETS, READ],
        ],
        fails: setIsLost,
    },
    {
        name: 'latch, wait',
        first: [['latch_init', LOCK, 2]],
        threads: [
            [WRITE, COUNTS_DOWN],
            [COUNTS_DOWN, awaits('latch_step'), READ],
        ],
        fails: isUnseen,
    },
    {
        name: 'latch, look at the count',
        first: [['latch_init', LOCK, 2]],
        threads: [
            [WRITE, COUNTS_DOWN],
            [COUNTS_DOWN, { ...does('latch_count'), until: (count) => count === 0 }, READ],
        ],
        fails: isUnseen,
    },
    {
        name: 'barrier',
        first: [['barrier_init', LOCK, 2]],
        threads: [AT_BARRIER, AT_BARRIER],
        fails: oneHasNotSeen,
    },
    {
        name: 'once',
        threads: [
            [passes('mutex_trylock', T0), WRITE, does('once_set_done'), does('mutex_unlock', T0)],
            [{ ...does('once_is_done'), until: Boolean }, READ],
        ],
        fails: isUnseen,
    },
];
