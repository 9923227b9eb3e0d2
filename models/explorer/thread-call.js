/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import {
    GATE_LINE_OFFSET,
    GATE_PATIENCE_MS,
    GATE_POLLED_RESERVATION_MS,
} from '../../js-glue/memory/layout.js';
import { usedIn } from './gate-word.js';

/* A thread's call into the module, up to its present step. */

/**
 * @typedef {import('../wasm/interpreter.js').Atomic} Atomic
 * @typedef {import('../wasm/interpreter.js').Stop} Stop
 * @typedef {import('../wasm/interpreter.js').Value} Value
 */

/** The token among the parameters of a step, behind the address. */
const TOKEN = 2;

const NANOSECONDS_PER_MS = 1e6;

/**
 * Is the event sure to happen if nothing else does? `no`: an abort may never come. `soon`: the end of a reservation, needed only
 * if a thread may be busy. `late`: the end of a slice, needed only if wakes may be lost. `not yet`: due only if a later time
 * limit is not due.
 * @typedef {'yes' | 'no' | 'soon' | 'late' | 'not yet'} Due
 *
 * @typedef {object} Runner of calls, up to the next atomic instruction: the interpreter, or engine/
 * @property {(name: string, parameters: number[]) => Stop} call
 * @property {(frames: any, result: Value) => Stop} resume
 *
 * @typedef {object} View of a thread, between two steps
 * @property {Atomic | undefined} atomic its next instruction
 * @property {'' | Length | 'limit'} sleeps the event that would end its sleep besides a wake; '': it does not
 *     sleep; `limit`: the caller's time limit
 * @property {{ input: string, due: Due }[]} choices
 * @property {number} has the amount that it has in use, by the word
 * @property {boolean} [isRunning] a job
 * @property {boolean} isDone
 */

/** @param {string} input @param {Due} [due] */
export function choice(input, due = 'yes') {
    return { input, due };
}

/**
 * @template S
 * @typedef {object} Behaviour of a kind of thread, whose states are plain data
 * @property {number} [self] its identity, the same of all copies of the package in one thread
 * @property {boolean} [isBusy] whether no thread may depend on its end
 * @property {boolean} [blocks] it may block while its event loop is the heir, so no thread may depend on that event loop
 * @property {boolean} [outlasts] whether any reservation that it watches may have run out
 * @property {(state: S) => string} [leftBehind] what is wrong when all are done, or ''
 * @property {() => S} start
 * @property {(state: S) => View} view
 * @property {(state: S, input: Value | string) => S} after the state after a result, a choice or another event. A pure function.
 */

/**
 * @typedef {object} Call that stands before an atomic instruction, or has ended
 * @property {string} name
 * @property {number} address
 * @property {Stop} stop
 * @property {boolean} asleep
 * @property {number} [token] of a step of an event loop
 * @property {number} [line] the value of `line` that it has read
 */

/** @param {Runner} runner @param {string} name @param {number} address @param {number[]} parameters @returns {Call} */
export function begin(runner, name, address, parameters) {
    const call = { name, address, stop: runner.call(name, [address, ...parameters]), asleep: false };
    return name === 'gate_step' ? { ...call, token: parameters[TOKEN] ?? 0 } : call;
}

/** The machine's input that puts a thread to sleep. */
export const FELL_ASLEEP = 'fell asleep';

/** The call of waitAsync, which a thread makes like an atomic instruction, and its immediate results. */
export const WAIT_ASYNC = 'waitAsync';
export const ARMED = 'armed';
export const NOT_EQUAL = 'not-equal';

const RESOLVED = 'resolved: ';

/** The input of a thread whose entry was woken or timed out; the thread handles it in a later job. @param {number} address */
export function resolved(address) {
    return `${RESOLVED}${address}`;
}

/** @param {Value | string} input */
export function whatResolved(input) {
    return typeof input === 'string' && input.startsWith(RESOLVED) ? input.slice(RESOLVED.length) : undefined;
}

/** @param {Runner} runner @param {Call} running @param {Value | string} input @returns {Call} */
export function goOn(runner, running, input) {
    const { name, stop } = running;
    if (input === FELL_ASLEEP) {
        return { ...running, asleep: true };
    }
    if (!stop.atomic || typeof input === 'string') {
        throw new Error(`${name} does not continue with the input ${input}`);
    }
    const reads =
        running.token !== undefined &&
        stop.atomic.name === 'i32.atomic.load' &&
        stop.atomic.address === running.address + GATE_LINE_OFFSET;
    const seen = reads ? { line: Number(input) } : {};
    return { ...running, ...seen, stop: runner.resume(stop.frames, input), asleep: false };
}

/**
 * The change in the amount in use by an atomic instruction.
 * @param {Call} running
 * @param {Value | string} result
 */
export function gained({ stop }, result) {
    const { name = '', operands: [expected, replacement] = [] } = stop.atomic ?? {};
    return name === 'i64.atomic.rmw.cmpxchg' && expected === result
        ? usedIn(BigInt(replacement ?? 0)) - usedIn(BigInt(expected))
        : 0;
}

/**
 * The longest time of a `memory.atomic.wait32`. `watch`: as long as a patience or a reservation.
 * @typedef {'nap' | 'watch' | 'slice'} Length
 */

/** @param {Call} running @returns {Length} */
function lengthOf({ stop }) {
    const milliseconds = Number(stop.atomic?.operands[1]) / NANOSECONDS_PER_MS;
    if (milliseconds < 0 || milliseconds > GATE_POLLED_RESERVATION_MS) {
        return 'slice';
    }
    return milliseconds < GATE_PATIENCE_MS ? 'nap' : 'watch';
}

/**
 * The event that would end a thread's sleep, besides a wake.
 * @param {Call | undefined} running
 * @param {boolean} isLimited the caller's time ends with this wait
 * @returns {View['sleeps']}
 */
export function sleepOf(running, isLimited) {
    if (!running?.asleep) {
        return '';
    }
    const length = lengthOf(running);
    return isLimited && length !== 'nap' ? 'limit' : length;
}
