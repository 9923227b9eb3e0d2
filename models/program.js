/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import {
    CONDITION_ALL,
    EVENT_CAPACITY,
    RESULT_OK,
    RESULT_OVERFLOW,
    RESULT_TIMEOUT,
} from '../js-glue/memory/layout.js';

/* What threads do, as short programs: the calls that the methods of js-glue/ make, in their order. A program is a list
 * of operations; those that the methods consist of are put together here. */

/**
 * What a task of a thread knows.
 * @typedef {object} Registers
 * @property {number} result of its last operation
 * @property {number} token of its wait
 * @property {number} outcome of its last wait, but for the mutex that it had let go
 * @property {number} self
 *
 * @typedef {{ is: 'call', name: string, on: string, parameters: (registers: Registers) => number[],
 *     keeps: boolean, expects: readonly number[] }} CallOp a call into the module; `keeps`: its result is the token of a
 *     wait; without anything that it expects, any result will do
 * @typedef {{ is: 'wait', name: string, on: string,
 *     parameters: (registers: Registers, token: number, limit: number) => number[], limited: boolean }} WaitOp calls
 *     that step and wait once, until the wait is over (js-glue/waiting/blocking.js); a limited one may be given up
 * @typedef {{ is: 'ask', on: string, aborts: boolean, again: boolean }} AskOp waits through the event loop; `again`:
 *     for the mutex that it has let go while it waited for something else
 * @typedef {{ is: 'data', on: string, adds: number }} DataOp adds to a number that the locks guard
 * @typedef {{ is: 'until', on: string, least: number }} UntilOp waits until such a number has come to that, by the
 *     hand of whoever made the program
 * @typedef {{ is: 'jump', by: number, unless: (registers: Registers) => boolean }} JumpOp
 * @typedef {{ is: 'check', holds: (registers: Registers) => boolean, words: string }} CheckOp
 *
 * @typedef {CallOp | WaitOp | AskOp | DataOp | UntilOp | JumpOp | CheckOp} Op
 * @typedef {Op[]} Program
 */

/**
 * @param {string} name
 * @param {string} on
 * @param {(registers: Registers) => number[]} [parameters]
 * @param {{ keeps?: boolean, expects?: readonly number[] }} [options]
 * @returns {CallOp}
 */
export function call(name, on, parameters = () => [], { keeps = false, expects = [] } = {}) {
    return { is: 'call', name, on, parameters, keeps, expects };
}

/**
 * @param {string} name
 * @param {string} on
 * @param {boolean} limited
 * @param {WaitOp['parameters']} parameters
 * @returns {WaitOp}
 */
function wait(name, on, limited, parameters) {
    return { is: 'wait', name, on, parameters, limited };
}

/**
 * @param {string} on
 * @param {{ aborts?: boolean, again?: boolean }} [options]
 * @returns {AskOp}
 */
function ask(on, { aborts = false, again = false } = {}) {
    return { is: 'ask', on, aborts, again };
}

/**
 * @param {string} on
 * @param {number} [adds]
 * @returns {DataOp}
 */
export function data(on, adds = 0) {
    return { is: 'data', on, adds };
}

/**
 * @param {string} on
 * @param {number} least
 * @returns {UntilOp}
 */
export function until(on, least) {
    return { is: 'until', on, least };
}

/**
 * @param {CheckOp['holds']} holds
 * @param {string} words
 * @returns {CheckOp}
 */
export function check(holds, words) {
    return { is: 'check', holds, words };
}

/**
 * @param {(registers: Registers) => boolean} isSo
 * @param {Program} body
 * @returns {Program}
 */
export function when(isSo, body) {
    return [{ is: 'jump', by: body.length + 1, unless: isSo }, ...body];
}

/**
 * @param {(registers: Registers) => boolean} isSo
 * @param {Program} body
 * @param {Program} otherwise
 * @returns {Program}
 */
export function either(isSo, body, otherwise) {
    const skips = { is: /** @type {const} */ ('jump'), by: otherwise.length + 1, unless: () => false };
    return [...when(isSo, [...body, skips]), ...otherwise];
}

/**
 * @param {Program} condition leaves its result
 * @param {(registers: Registers) => boolean} isSo
 * @param {Program} body
 * @returns {Program}
 */
export function whileSo(condition, isSo, body) {
    const length = condition.length + body.length + 1;
    return [...condition, ...when(isSo, [...body, { is: 'jump', by: -length, unless: () => false }])];
}

/**
 * @param {number} times
 * @param {Program} program
 * @returns {Program}
 */
export function repeated(times, program) {
    return Array.from({ length: times }, () => program).flat();
}

/** @param {Registers} registers */
const self = ({ self }) => [self];

/** @param {Registers} registers */
const wasOk = ({ result }) => result === RESULT_OK;

/* ---- Mutex ---- */

/** @param {string} mutex */
export function lock(mutex) {
    return [call('mutex_lock', mutex, self, { expects: [RESULT_OK] })];
}

/** @param {string} mutex */
export function unlock(mutex) {
    return [call('mutex_unlock', mutex, self, { expects: [RESULT_OK] })];
}

/** @param {string} mutex what an event loop waits for */
export function lockAsync(mutex) {
    return [ask(mutex), check(wasOk, 'the lock was not got')];
}

/* ---- Condition ---- */

/**
 * @param {string} condition
 * @param {string} mutex
 * @returns {Program}
 */
function beginWait(condition, mutex) {
    return [call('condition_begin', condition, () => [], { keeps: true }), ...unlock(mutex)];
}

/** @typedef {(condition: string, mutex: string) => Program} ConditionWait */

/** @type {ConditionWait} wait() */
export function conditionWait(condition, mutex) {
    return [
        ...beginWait(condition, mutex),
        wait('condition_wait', condition, false, (registers, before, limit) => [
            registers.token,
            before,
            limit,
        ]),
        ...lock(mutex),
        call('condition_pass_on', condition),
    ];
}

/** @type {ConditionWait} waitFor() */
export function conditionWaitFor(condition, mutex) {
    return [
        ...beginWait(condition, mutex),
        wait('condition_wait', condition, true, (registers, before, limit) => [
            registers.token,
            before,
            limit,
        ]),
        ...lock(mutex),
        call('condition_pass_on', condition),
    ];
}

/** @type {ConditionWait} waitAsync(), with a signal that may abort */
export function conditionWaitAborting(condition, mutex) {
    return [...beginWait(condition, mutex), ask(condition, { aborts: true }), ask(mutex, { again: true })];
}

/** @type {ConditionWait} waitAsync() */
export function conditionWaitAsync(condition, mutex) {
    return [...beginWait(condition, mutex), ask(condition), ask(mutex, { again: true })];
}

/**
 * @param {string} condition
 * @param {number} [count]
 */
export function notify(condition, count = CONDITION_ALL) {
    return [call('condition_notify', condition, () => [count | 0])];
}

/* ---- Event ---- */

/** @param {string} event */
export function set(event) {
    return [call('event_set', event)];
}

/** @param {string} event */
export function reset(event) {
    return [call('event_reset', event)];
}

/** @param {string} event */
const beginEvent = (event) => call('event_begin', event, () => [], { keeps: true });

/**
 * @param {string} event
 * @param {boolean} [limited]
 * @returns {Program}
 */
export function eventWait(event, limited = false) {
    return [
        beginEvent(event),
        wait('event_wait', event, limited, (registers, before, limit) => [registers.token, before, limit]),
    ];
}

/**
 * @param {string} event
 * @param {boolean} [aborts]
 * @returns {Program}
 */
export function eventWaitAsync(event, aborts = false) {
    return [beginEvent(event), ask(event, { aborts })];
}

/**
 * @param {string} event that resets by itself
 * @param {boolean} [limited]
 * @returns {Program}
 */
export function autoEventWait(event, limited = false) {
    return [
        wait('gate_wait', event, limited, (registers, token, limit) => [
            ...[registers.self, token, limit],
            ...[EVENT_CAPACITY, EVENT_CAPACITY],
        ]),
    ];
}

/**
 * @param {string} event that resets by itself
 * @param {boolean} [aborts]
 * @returns {Program}
 */
export function autoEventWaitAsync(event, aborts = false) {
    return [ask(event, { aborts })];
}

/* ---- Latch ---- */

/**
 * @param {string} latch
 * @param {number} [by]
 */
export function countDown(latch, by = 1) {
    return [call('latch_count_down', latch, () => [by], { expects: [RESULT_OK] })];
}

/**
 * @param {string} latch
 * @param {number} by
 */
export function countDownTooFar(latch, by) {
    return [call('latch_count_down', latch, () => [by], { expects: [RESULT_OVERFLOW] })];
}

/**
 * @param {string} latch
 * @param {boolean} [limited]
 * @returns {Program}
 */
export function latchWait(latch, limited = false) {
    return [wait('latch_wait', latch, limited, (_, before, limit) => [before, limit])];
}

/**
 * @param {string} latch
 * @param {boolean} [aborts]
 * @returns {Program}
 */
export function latchWaitAsync(latch, aborts = false) {
    return [ask(latch, { aborts })];
}

/* ---- Barrier ---- */

const LAST = 2 ** 32;

/** @param {Registers} registers of one who has arrived */
const hasToWait = ({ result }) => result < LAST;

/** @param {string} barrier */
const arrive = (barrier) => call('barrier_arrive', barrier, () => [], { keeps: true });

/**
 * @param {string} barrier
 * @param {boolean} [limited]
 * @returns {Program}
 */
export function arriveAndWait(barrier, limited = false) {
    return [
        arrive(barrier),
        ...when(hasToWait, [
            wait('barrier_wait', barrier, limited, (registers, before, limit) => [
                registers.token,
                before,
                limit,
            ]),
        ]),
    ];
}

/**
 * Arrives until it is let through: a wait that is given up is made good.
 * @param {Program} arrival
 * @returns {Program}
 */
export function untilThrough(arrival) {
    const length = arrival.length;
    return [...arrival, { is: 'jump', by: -length, unless: ({ result }) => result !== RESULT_TIMEOUT }];
}

/**
 * @param {string} barrier
 * @param {boolean} [aborts]
 * @returns {Program}
 */
export function arriveAndWaitAsync(barrier, aborts = false) {
    return [arrive(barrier), ...when(hasToWait, [ask(barrier, { aborts })])];
}

/* ---- Once ---- */

/** @param {Registers} registers */
const isDone = ({ result }) => result !== 0;

/**
 * What runs with the mutex of a once held; `ran` counts how often it ran to its end.
 *
 * @param {string} once
 * @param {{ ran: string, fails?: boolean }} options
 * @returns {Program}
 */
function runHeld(once, { ran, fails = false }) {
    const runs = [
        data(ran, fails ? 0 : 1),
        check(({ result }) => result === 0, 'it ran although it was done'),
    ];
    const ends = fails ? [] : [call('once_set_done', once)];
    return [
        call('once_is_done', once),
        ...when((registers) => !isDone(registers), [...runs, ...ends]),
        ...unlock(once),
        ...(fails ? [] : hasRun(ran)),
    ];
}

/** @param {string} ran */
const hasRun = (ran) => [data(ran), check(({ result }) => result === 1, 'it is not done, or was done again')];

/**
 * @param {string} once
 * @param {{ ran: string, fails?: boolean }} options
 * @returns {Program}
 */
export function runOnce(once, options) {
    const body = [...lock(once), ...runHeld(once, options)];
    return [
        call('once_is_done', once),
        ...when((registers) => !isDone(registers), body),
        ...(options.fails ? [] : hasRun(options.ran)),
    ];
}

/**
 * @param {string} once
 * @param {{ ran: string, fails?: boolean, aborts?: boolean }} options
 * @returns {Program}
 */
export function runOnceAsync(once, options) {
    const held = runHeld(once, options);
    const asks = [ask(once, { aborts: options.aborts ?? false }), ...when(wasOk, held)];
    return [call('once_is_done', once), ...when((registers) => !isDone(registers), asks)];
}
