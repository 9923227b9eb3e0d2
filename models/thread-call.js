/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { MUTEX } from '../js-glue/layout.js';
import { call, resume } from './wasm-interpreter.js';

/* A thread's call into the module, as far as it has come. */

/** Where the mutex lies; any aligned address would do. */
export const MUTEX_ADDRESS = 1024;

const NANOSECONDS_PER_MS = 1e6;

/**
 * Whether something will happen if nothing else does: it will; it may never happen, like an abort; or time brings
 * it, like the end of a slice, which the algorithm needs only where wakes may be lost.
 * @typedef {'yes' | 'no' | 'in time'} Due
 */

/**
 * What the machine needs to know of a thread between two of its steps.
 *
 * @typedef {object} View
 * @property {import('./wasm-interpreter.js').Atomic | undefined} atomic what it does next, if that is its only choice
 * @property {'' | 'nap' | 'slice' | 'limit'} sleeps in `memory.atomic.wait32`, and what would end that besides a
 *     wake: the mutex's short nap, a slice, or the time limit of the caller
 * @property {{ input: string, due: Due }[]} choices what else it may do next
 * @property {boolean} owns from the return of the call that locked to the release
 * @property {boolean} isDone
 */

/**
 * One kind of thread: its states, which are plain data, and what they become.
 *
 * @template S
 * @typedef {object} Behaviour
 * @property {() => S} start
 * @property {(state: S) => View} view
 * @property {(state: S, input: import('./wasm-interpreter.js').Value | string) => S} after what it becomes by the
 *     result of its atomic instruction, by a choice, or by something that happens to it. Pure.
 */

/**
 * A call that has begun: it stands before an atomic instruction, or has ended.
 *
 * @typedef {object} Call
 * @property {string} name
 * @property {import('./wasm-interpreter.js').Stop} stop
 * @property {boolean} asleep
 */

/**
 * @param {import('./wasm-decoder.js').Module} module
 * @param {string} name
 * @param {number[]} parameters behind the address
 * @returns {Call}
 */
export function begin(module, name, ...parameters) {
    return { name, stop: call(module, name, [MUTEX_ADDRESS, ...parameters]), asleep: false };
}

/** What the machine says to a thread that now sleeps on a word. */
export const FELL_ASLEEP = 'fell asleep';

/**
 * @param {import('./wasm-decoder.js').Module} module
 * @param {Call} running
 * @param {import('./wasm-interpreter.js').Value | string} input
 * @returns {Call}
 */
export function goOn(module, running, input) {
    const { name, stop } = running;
    if (input === FELL_ASLEEP) {
        return { ...running, asleep: true };
    }
    if (!stop.atomic || typeof input === 'string') {
        throw new Error(`${name} cannot go on by ${input}`);
    }
    return { name, stop: resume(module, stop.frames, input), asleep: false };
}

/**
 * The mutex is released by the compare-exchange of unlock that succeeds.
 * @param {Call} running
 * @param {import('./wasm-interpreter.js').Value | string} result
 */
export function releases({ name, stop }, result) {
    return (
        name === 'mutex_unlock' &&
        stop.atomic?.name === 'i64.atomic.rmw.cmpxchg' &&
        stop.atomic.operands[0] === result
    );
}

/** @param {Call} running */
export function isNap({ stop }) {
    const patience = BigInt(MUTEX.PATIENCE_MS * NANOSECONDS_PER_MS);
    const timeout = stop.atomic?.operands[1];
    return typeof timeout === 'bigint' && timeout >= 0n && timeout < patience;
}
