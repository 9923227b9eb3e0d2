/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { environment } from '../thread/environment.js';

/** @typedef {import('./call.js').Call} Call */

/** Calls that wait, in the order made. @type {Set<Call>} */
export const waiting = new Set();

/**
 * Sections and guards that have not ended, by numbers that do not change. A Set would be slower to add to and to
 * delete from.
 */
class Holding {
    /** @type {(Call | undefined)[]} */
    #calls = [];
    /** @type {number[]} */
    #free = [];

    get isEmpty() {
        return [...this].length === 0;
    }

    /** @returns {IterableIterator<Call>} */
    [Symbol.iterator]() {
        return this.#calls.flatMap((call) => call ?? []).values();
    }

    /** @param {number} number */
    at(number) {
        return this.#calls[number];
    }

    /** @param {Call} call */
    has(call) {
        return this.#calls[call.number] === call;
    }

    /** @param {Call} call */
    add(call) {
        call.number = this.#free.pop() ?? this.#calls.length;
        this.#calls[call.number] = call;
    }

    /** @param {Call} call */
    delete(call) {
        if (this.has(call)) {
            this.#calls[call.number] = undefined;
            this.#free.push(call.number);
        }
    }

    /** Frees no number: functions with these numbers in their names still await sections (awaiters.js). */
    clear() {
        this.#calls.fill(undefined);
    }
}

export const holding = /* @__PURE__ */ new Holding();

/**
 * Notes when each call was first seen: reading the clock at each call would take as long as a section.
 * @param {Iterable<Call>} calls
 */
export function noteTime(calls) {
    const now = environment.now();
    for (const call of calls) {
        call.since ||= now;
    }
}

export function forgetCalls() {
    waiting.clear();
    holding.clear();
}

/**
 * True if a section that holds that many permits would wait for itself by awaiting a request there. With fewer, other
 * threads may give permits back.
 * @param {{ gate?: { mayNotAwait?: (amount: number) => boolean } }} queue
 * @param {number} permits
 */
export function mayNotAwait(queue, permits) {
    return queue.gate?.mayNotAwait?.(permits) ?? true;
}
