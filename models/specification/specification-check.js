/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { extremeCalls, lastTurnSpotted, roomAtOnce, sleepsOn } from './extreme-calls.js';
import { describeCall, moduleTrace, specifiedTrace } from './lone-call.js';
import { limitLooksOf } from '../wasm/shipped-module.js';
import {
    everyBriefCall,
    looksInVain,
    locksSpotted,
    readersInVain,
    readersSpotted,
    turnsSpotted,
} from './specified-calls.js';

/* Compares a module with the specification: every export on a gate, on every kind of word that the invariants
 * of c-src/gate.c allow, for every kind of token, alone and with interference. */

/** @typedef {import('./lone-call.js').LoneCall} LoneCall */

/** More atomics than any call needs, with limited spin loops or not. */
const MOST_BRIEF_ATOMICS = 200;
const MOST_ATOMICS = 30_000;

/** Of calls that take long, one in this many is tried. */
const SOME_OF = 200;

/** @typedef {{ call: LoneCall, expected: string }} Expectation */

/** @param {LoneCall[]} calls @returns {Expectation[]} */
function expectationsOf(calls) {
    return calls.map((each) => ({ call: each, expected: specifiedTrace(each) }));
}

/**
 * A thread that passes a mutex with sleepers depends on whether its wake finds one.
 * @param {LoneCall} call
 * @returns {LoneCall[]}
 */
function foundOrNot(call) {
    const mayHandOver = call.word.sleepers || call.waits?.some(({ word }) => word?.sleepers);
    return mayHandOver ? [call, { ...call, found: 1 }] : [call];
}

/**
 * Mixes the order of calls: a wrong module often fails in neighbouring calls of one kind.
 *
 * @template T
 * @param {T[]} list
 */
function mixed(list) {
    const parts = Array.from({ length: SOME_OF }, () => /** @type {T[]} */ ([]));
    list.forEach((each, at) => parts[at % SOME_OF]?.push(each));
    return parts.flat();
}

/** Made once for many modules. */
export class Specification {
    #brief;
    #spins = expectationsOf([
        ...turnsSpotted(),
        ...locksSpotted(),
        ...looksInVain(),
        ...readersSpotted(),
        ...readersInVain(),
        ...roomAtOnce(),
        ...lastTurnSpotted(),
        ...sleepsOn(),
    ]);
    #someBrief;
    /** Expectations that are likely to find a difference in the next module too. @type {Set<Expectation>} */
    #finders = new Set();

    /** @param {number} [oneIn] compares one in this many brief calls */
    constructor(oneIn = 1) {
        const brief = mixed([...everyBriefCall(), ...extremeCalls()].flatMap(foundOrNot));
        this.#brief = expectationsOf(brief.slice(0, Math.ceil(brief.length / oneIn)));
        this.#someBrief = this.#brief.slice(0, Math.ceil(brief.length / SOME_OF));
    }

    get size() {
        return this.#brief.length + this.#spins.length;
    }

    /** A call that differs from the specification; '' if none. @param {Uint8Array} bytes */
    differenceIn(bytes) {
        const { whole, limited } = limitLooksOf(bytes);
        // With a loop that cannot be limited, all calls would take long.
        return limited
            ? this.#firstDifference(limited, MOST_BRIEF_ATOMICS, [...this.#finders, ...this.#brief]) ||
                  this.#firstDifference(whole, MOST_ATOMICS, this.#spins)
            : this.#firstDifference(whole, MOST_ATOMICS, [...this.#spins, ...this.#someBrief]);
    }

    /**
     * @param {import('../wasm/decoder.js').Module} module
     * @param {number} most atomic instructions
     * @param {Expectation[]} expectations
     */
    #firstDifference(module, most, expectations) {
        for (const expectation of expectations) {
            const { call, expected } = expectation;
            const actual = moduleTrace(module, call, most);
            if (actual !== expected) {
                if (most === MOST_BRIEF_ATOMICS) {
                    this.#finders.add(expectation);
                }
                return `${describeCall(call)}: ${actual}, but specified is: ${expected}`;
            }
        }
        return '';
    }
}
