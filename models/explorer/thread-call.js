/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import {
    GATE_LINE_OFFSET,
    GATE_PATIENCE_MS,
    GATE_POLLED_RESERVATION_MS,
} from '../../js-glue/memory/layout.js';
import { usedIn } from './gate-word.js';

/* A thread's call into the module, as far as it has come. */

/** The place of the token among the parameters of a step, behind the address. */
const TOKEN = 2;

const NANOSECONDS_PER_MS = 1e6;

/**
 * Whether something will happen if nothing else does: it will; it may never happen, like an abort; or time brings it:
 * soon, like the end of a reservation, which the algorithm needs only where a thread may be busy; or late, like the end
 * of a slice, which it needs only where wakes may be lost. What happens before a time limit is over is due only where
 * that end is not: a limit does end.
 * @typedef {'yes' | 'no' | 'soon' | 'late' | 'not yet'} Due
 */

/**
 * What runs a thread's calls into the module, up to the next atomic instruction: the interpreter, or a thread of the
 * engine (engine/).
 * @typedef {object} Runner
 * @property {(name: string, parameters: number[]) => import('../wasm/interpreter.js').Stop} call
 * @property {(frames: any, result: import('../wasm/interpreter.js').Value) => import('../wasm/interpreter.js').Stop}
 *     resume goes on after the atomic instruction at which a call with these frames stopped
 */

/**
 * What the machine needs to know of a thread between two of its steps.
 * @typedef {object} View
 * @property {import('../wasm/interpreter.js').Atomic | undefined} atomic what it does next, if that is its only choice
 * @property {'' | Length | 'limit'} sleeps in `memory.atomic.wait32`, and what would end that besides a wake: the
 *     gate's own limit, or that of the caller
 * @property {{ input: string, due: Due }[]} choices what else it may do next
 * @property {number} has how much it has taken by the word, from the compare-exchange that took it
 * @property {boolean} [isRunning] a job of it has begun and not ended
 * @property {boolean} isDone
 */

/** @param {string} input @param {Due} [due] */
export function choice(input, due = 'yes') {
    return { input, due };
}

/**
 * One kind of thread: its states, which are plain data, and what they become.
 * @template S
 * @typedef {object} Behaviour
 * @property {number} [self] its identity, which copies of the package in one thread have in common
 * @property {boolean} [isBusy] nobody may depend on its coming to an end
 * @property {boolean} [blocks] it may block while its event loop is next, which nobody may depend on then
 * @property {boolean} [outlasts] whenever it watches a reservation, it may find that it has lasted too long
 * @property {(state: S) => string} [leftBehind] what is wrong with it when all are done; '' if nothing is
 * @property {() => S} start
 * @property {(state: S) => View} view
 * @property {(state: S, input: import('../wasm/interpreter.js').Value | string) => S} after what it becomes by the
 *     result of its atomic instruction, by a choice, or by something that happens to it. Pure.
 */

/**
 * A call that has begun: it stands before an atomic instruction, or has ended.
 * @typedef {object} Call
 * @property {string} name
 * @property {number} address of the object
 * @property {import('../wasm/interpreter.js').Stop} stop
 * @property {boolean} asleep
 * @property {number} [token] of a step of an event loop
 * @property {number} [line] what it has read there
 */

/**
 * @param {Runner} runner
 * @param {string} name
 * @param {number} address
 * @param {number[]} parameters behind it
 * @returns {Call}
 */
export function begin(runner, name, address, parameters) {
    const call = { name, address, stop: runner.call(name, [address, ...parameters]), asleep: false };
    return name === 'gate_step' ? { ...call, token: parameters[TOKEN] ?? 0 } : call;
}

/** What the machine says to a thread that now sleeps on a word. */
export const FELL_ASLEEP = 'fell asleep';

/** The name of a waitAsync among the atomic instructions, and what it comes to at once. */
export const WAIT_ASYNC = 'waitAsync';
export const ARMED = 'armed';
export const NOT_EQUAL = 'not-equal';

const RESOLVED = 'resolved: ';

/**
 * What the machine says when an entry was woken or its time was up: its promise resolves, of which the thread hears in
 * a later job.
 * @param {string | number} word as the thread calls it
 */
export function resolved(word) {
    return `${RESOLVED}${word}`;
}

/**
 * The word of the entry that has resolved, if the machine says that.
 * @param {import('../wasm/interpreter.js').Value | string} input
 */
export function whatResolved(input) {
    return typeof input === 'string' && input.startsWith(RESOLVED) ? input.slice(RESOLVED.length) : undefined;
}

/**
 * @param {Runner} runner
 * @param {Call} running
 * @param {import('../wasm/interpreter.js').Value | string} input
 * @returns {Call}
 */
export function goOn(runner, running, input) {
    const { name, stop } = running;
    if (input === FELL_ASLEEP) {
        return { ...running, asleep: true };
    }
    if (!stop.atomic || typeof input === 'string') {
        throw new Error(`${name} cannot go on by ${input}`);
    }
    const reads =
        running.token !== undefined &&
        stop.atomic.name === 'i32.atomic.load' &&
        stop.atomic.address === running.address + GATE_LINE_OFFSET;
    const seen = reads ? { line: Number(input) } : {};
    return { ...running, ...seen, stop: runner.resume(stop.frames, input), asleep: false };
}

/**
 * How much more is in use by what an atomic instruction did: less than 0 if it released something.
 * @param {Call} running @param {import('../wasm/interpreter.js').Value | string} result
 */
export function gained({ stop }, result) {
    const { name = '', operands: [expected, replacement] = [] } = stop.atomic ?? {};
    return name === 'i64.atomic.rmw.cmpxchg' && expected === result
        ? usedIn(BigInt(replacement ?? 0)) - usedIn(BigInt(expected))
        : 0;
}

/**
 * How long a wait in `memory.atomic.wait32` lasts at most: a nap; a patience or a reservation, which are about as long
 * as each other; or a slice.
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
 * What would end the wait besides a wake, if a thread sleeps in its call.
 * @param {Call | undefined} running
 * @param {boolean} isLimited the caller's time ends with this wait, if that is no nap
 * @returns {View['sleeps']}
 */
export function sleepOf(running, isLimited) {
    if (!running?.asleep) {
        return '';
    }
    const length = lengthOf(running);
    return isLimited && length !== 'nap' ? 'limit' : length;
}
