/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { environment } from '../thread/environment.js';
import { forgetSections } from './awaiters.js';

/** @typedef {import('./call.js').Call} Call */

/** Calls that wait, in the order made. @type {Set<Call>} */
export const waiting = new Set();

/** Sections that are not over, and guards that are not released. No Set, which takes long to add to and to delete from. */
class Holding {
    /** @type {Call[]} */
    #calls = [];

    get isEmpty() {
        return this.#calls.length === 0;
    }

    [Symbol.iterator]() {
        return this.#calls.slice().values();
    }

    /** @param {Call} call */
    has(call) {
        return this.#calls[call.place] === call;
    }

    /** @param {Call} call */
    add(call) {
        call.place = this.#calls.length;
        this.#calls.push(call);
    }

    /** @param {Call} call */
    delete(call) {
        if (this.has(call)) {
            const last = /** @type {Call} */ (this.#calls.pop());
            if (last !== call) {
                this.#calls[call.place] = last;
                last.place = call.place;
            }
        }
    }

    clear() {
        this.#calls = [];
    }
}

export const holding = new Holding();

/** Notes when they were seen for the first time. A clock for each call would take as long as a section. @param {Iterable<Call>} calls */
export function noteTime(calls) {
    const now = environment.now();
    for (const call of calls) {
        call.since ||= now;
    }
}

export function forgetCalls() {
    waiting.clear();
    holding.clear();
    forgetSections();
}

/**
 * True if a section that holds so many permits waits for itself by a request there; other threads may give other
 * permits back.
 *
 * @param {{ gate?: { mayNotAwait?: (amount: number) => boolean } }} queue
 * @param {number} permits
 */
export function mayNotAwait(queue, permits) {
    return queue.gate?.mayNotAwait?.(permits) ?? true;
}
