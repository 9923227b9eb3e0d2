/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import {
    STEP_KIND_ASYNC,
    STEP_KIND_BLOCKING,
    STEP_KIND_POLLING,
    STEP_TOKEN_IN_LINE,
    STEP_WAIT_MORE,
    THREAD_BITS,
} from '../js-glue/layout.js';
import { describeCall, moduleTrace, specifiedTrace } from './lone-call.js';
import { FREE, LOOKS } from './mutex-specification.js';
import { limitLooksOf } from './shipped-module.js';

/* Holds a module to the specification: every export, on every kind of word that the invariants of c-src/mutex.c
 * allow, for every kind of token, alone and with another thread that changes the word at the worst moment. */

/**
 * @typedef {import('./mutex-specification.js').Word} Word
 * @typedef {import('./lone-call.js').LoneCall} LoneCall
 */

/**
 * Three threads. Each bit of an identity is set in one and clear in another, and there are the smallest, which C
 * threads have.
 * @typedef {{ self: number, other: number, third: number }} Cast
 * @type {Cast[]}
 */
const CASTS = [
    { self: 0x1555_5555, other: 0x0aaa_aaaa, third: 0x1333_3333 },
    { self: 0x0aaa_aaaa, other: 0x1555_5555, third: 1 },
    { self: 2, other: 1, third: 0x1000_0000 },
];

const KINDS = [STEP_KIND_BLOCKING, STEP_KIND_ASYNC, STEP_KIND_POLLING];
const [WOKEN, CHANGED, TIMED_OUT] = [0, 1, 2];
const BOOLEANS = [false, true];
const LOOKS_PER_ROUND = 4;

/** More than any call needs whose spin loops are limited, or not. */
const MOST_BRIEF_ATOMICS = 200;
const MOST_ATOMICS = 30_000;

/** How many of the brief calls one stands for, where they take long. */
const SOME_OF = 200;

/** In microseconds: shorter than every slice, as long as some, longer than all; and the most there is. */
const LIMITS = [0, 100, 200, 999, 1000, 7999, 8000, 50_000, 0xffff_ffff];

/**
 * @template T
 * @param {T[]} list
 * @param {number} at
 * @returns {T} each in turn
 */
function inTurn(list, at) {
    return /** @type {T} */ (list[at % list.length]);
}

/**
 * @param {Cast} cast
 * @returns {Word[]}
 */
function everyWord({ self, other, third }) {
    const states = [self, other, third].flatMap((owner) =>
        BOOLEANS.flatMap((sleepers) => [
            { owner, sleepers, reserved: false, polled: false },
            { owner, sleepers, reserved: true, polled: false },
            { owner, sleepers, reserved: true, polled: true },
        ]),
    );
    const places = [
        { successor: 0, successorKind: STEP_KIND_BLOCKING },
        ...[self, other, third].flatMap((successor) =>
            KINDS.map((successorKind) => ({ successor, successorKind })),
        ),
    ];
    const held = states.flatMap((state) =>
        places.flatMap((place) => BOOLEANS.map((line) => ({ ...state, ...place, line }))),
    );
    return [FREE, ...held];
}

/**
 * @param {Cast} cast
 * @param {number} kind
 */
function tokensOf({ other, third }, kind) {
    const flags =
        kind === STEP_KIND_BLOCKING ? [0, 1, 2, 3].map((n) => n << THREAD_BITS) : [0, STEP_TOKEN_IN_LINE];
    return flags.flatMap((flag) => [0, other, third].map((watched) => flag | watched));
}

/**
 * Every call but those that wait.
 * @param {Cast} cast
 * @returns {{ name: string, parameters: number[] }[]}
 */
function everyCall(cast) {
    const { self, other, third } = cast;
    const plain = ['mutex_trylock', 'mutex_unlock', 'mutex_is_mine'].map((name) => ({
        name,
        parameters: [self],
    }));
    const tries = [0, other, third].map((watched) => ({
        name: 'mutex_try_after',
        parameters: [self, watched],
    }));
    const steps = ['mutex_step', 'mutex_withdraw'].flatMap((name) =>
        KINDS.flatMap((kind) =>
            tokensOf(cast, kind).map((token) => ({ name, parameters: [self, kind, token] })),
        ),
    );
    const ends = tokensOf(cast, STEP_KIND_BLOCKING).map((token) => ({
        name: 'mutex_give_up',
        parameters: [self, token | STEP_WAIT_MORE],
    }));
    return [...plain, ...tries, ...steps, ...ends];
}

/**
 * Which cast makes this call on this word: each does a third of them, spread so that it falls together with nothing
 * else that comes in threes.
 * @param {number} call
 * @param {number} word
 */
function castOf(call, word) {
    return (Math.imul(call * 1009 + word, 0x9e37_79b1) >>> 16) % CASTS.length;
}

/** @returns {LoneCall[]} */
function aloneOrOvertaken() {
    let turn = 0;
    return CASTS.flatMap((cast, at) => {
        const words = everyWord(cast);
        return words.flatMap((word, number) =>
            everyCall(cast)
                .filter((_, place) => castOf(place, number) === at)
                .flatMap((each) => {
                    turn += 1;
                    const other = inTurn(words, turn * 7);
                    const second = inTurn(words, turn * 5);
                    const isLong = each.name === 'mutex_give_up';
                    return [
                        { ...each, word },
                        { ...each, word, interference: { change: 0, word: other, flickers: turn % 3 === 0 } },
                        ...(isLong ? [{ ...each, word, interference: { change: 1, word: second } }] : []),
                    ];
                }),
        );
    });
}

/** @returns {LoneCall[]} */
function waits() {
    let turn = 0;
    return CASTS.flatMap((cast, at) => {
        const words = everyWord(cast);
        return words.flatMap((word, number) =>
            tokensOf(cast, STEP_KIND_BLOCKING)
                .filter((_, place) => castOf(place, number) === at)
                .flatMap((token) => {
                    turn += 1;
                    const interference = {
                        change: 0,
                        word: inTurn(words, turn * 7),
                        flickers: turn % 3 === 0,
                    };
                    const limit = inTurn(LIMITS, turn);
                    return [inTurn([WOKEN, CHANGED], turn), TIMED_OUT].map((result, way) => ({
                        name: 'mutex_wait',
                        word,
                        parameters: [cast.self, token | (way === 0 ? 0 : STEP_WAIT_MORE), limit],
                        waits: [{ result }],
                        ...(way === 0 ? { interference } : {}),
                    }));
                }),
        );
    });
}

/** A successor that looks sees its turn come, at each of the looks of a round. @returns {LoneCall[]} */
function turnsSpotted() {
    return CASTS.flatMap((cast) => {
        const { self, other } = cast;
        const turns = everyWord(cast).filter(
            ({ owner, reserved, successor }) =>
                owner === 0 || (reserved && owner === self && successor !== self),
        );
        const held = { ...FREE, owner: other, successor: self, sleepers: true };
        return turns.flatMap((word, number) =>
            Array.from({ length: LOOKS_PER_ROUND }, (_, look) => ({
                name: 'mutex_wait',
                parameters: [self, (number % 4) << THREAD_BITS, 1000],
                word: { ...held, reserved: number % 3 === 0 },
                spotted: { load: 1 + look, word },
                waits: [],
                loads: 1 + look + 1,
            })),
        );
    });
}

/** @returns {LoneCall[]} */
function locks() {
    const answers = [WOKEN, CHANGED, TIMED_OUT];
    return CASTS.flatMap((cast, place) => {
        const words = everyWord(cast);
        const someWords = words.filter((_, at) => at % CASTS.length === place);
        return someWords.flatMap((word, at) => {
            const base = { name: 'mutex_lock', parameters: [cast.self], word };
            const interference = { change: 0, word: inTurn(words, at * 5) };
            return [
                { ...base, waits: [{ result: inTurn(answers, at), word: FREE }] },
                {
                    ...base,
                    waits: [
                        { result: inTurn(answers, at) },
                        { result: WOKEN, word: inTurn(words, at * 7) },
                        { result: inTurn(answers, at * 2) },
                        { result: TIMED_OUT },
                        { result: TIMED_OUT, word: FREE },
                    ],
                },
                { ...base, waits: [], interference },
            ];
        });
    });
}

/** A lock that becomes free while a thread looks, at each of the looks of a round. @returns {LoneCall[]} */
function locksSpotted() {
    return CASTS.flatMap(({ self, other }) =>
        Array.from({ length: LOOKS_PER_ROUND }, (_, load) => {
            const base = { name: 'mutex_lock', parameters: [self], waits: [] };
            const word = { ...FREE, owner: other };
            const spotted = { load, word: FREE };
            return [
                { ...base, word, spotted, loads: load + 1 },
                { ...base, word, spotted, interference: { change: 0, word } },
            ];
        }).flat(),
    );
}

/** How often a thread looks: with the step's one load, behind the looks or before them. @returns {LoneCall[]} */
function looksInVain() {
    return CASTS.flatMap(({ self, other, third }) => {
        const word = { ...FREE, owner: other, sleepers: true };
        return [
            {
                name: 'mutex_wait',
                parameters: [self, 0, 1000],
                word: { ...word, owner: third, reserved: true, successor: self },
                waits: [{ result: TIMED_OUT }],
            },
            ...[undefined, 0, 1, 2, 3].map((load) => ({
                name: 'mutex_lock',
                parameters: [self],
                word,
                waits: [],
                loads: LOOKS.beforeSleep + 1,
                // A look that comes too late counts, too.
                ...(load === undefined
                    ? {}
                    : { spotted: { load, word: FREE }, interference: { change: 0, word } }),
            })),
            // Reserved for the thread whose identity is what counted the looks.
            {
                name: 'mutex_lock',
                parameters: [self],
                word: { ...word, owner: LOOKS.beforeSleep, reserved: true },
                waits: [],
            },
            {
                name: 'mutex_wait',
                parameters: [self, 0, 1000],
                word: { ...word, successor: self },
                waits: [{ result: WOKEN }],
                loads: LOOKS.asSuccessor + 1,
            },
        ];
    });
}

/** @typedef {{ call: LoneCall, expected: string }} Expectation */

/**
 * @param {LoneCall[]} calls
 * @returns {Expectation[]}
 */
function expectationsOf(calls) {
    return calls.map((each) => ({ call: each, expected: specifiedTrace(each) }));
}

/** What a module has to do. Made once, and used for many modules. */
export class Specification {
    #brief = expectationsOf([...locks(), ...aloneOrOvertaken(), ...waits()]);
    #spins = expectationsOf([...turnsSpotted(), ...locksSpotted()]);
    #wholeSpins = expectationsOf(looksInVain());
    #someBrief = this.#brief.filter((_, at) => at % SOME_OF === 0);
    /** What found a difference in some module is likely to find one in the next. @type {Set<Expectation>} */
    #finders = new Set();

    get size() {
        return this.#brief.length + this.#spins.length + this.#wholeSpins.length;
    }

    /**
     * A call that does not do what it should; '' if there is none.
     * @param {Uint8Array} bytes
     */
    differenceIn(bytes) {
        const { whole, limited } = limitLooksOf(bytes);
        // A loop that cannot be limited is all that is unusual in a module, and all else would take it long.
        return limited
            ? this.#firstDifference(limited, MOST_BRIEF_ATOMICS, [
                  ...this.#finders,
                  ...this.#spins,
                  ...this.#brief,
              ]) || this.#firstDifference(whole, MOST_ATOMICS, this.#wholeSpins)
            : this.#firstDifference(whole, MOST_ATOMICS, [
                  ...this.#wholeSpins,
                  ...this.#spins,
                  ...this.#someBrief,
              ]);
    }

    /**
     * @param {import('./wasm-decoder.js').Module} module
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
