/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import {
    AGENTS_MOST,
    GATE_FOR_ONE,
    GATE_MOST,
    RWLOCK_CAPACITY,
    RWLOCK_MOST,
    RWLOCK_SHARED,
    RWLOCK_UPGRADABLE,
    STEP_KIND_ASYNC,
    STEP_KIND_BLOCKING,
    STEP_KIND_POLLING,
    STEP_TOKEN_AGE_SHIFT,
    STEP_TOKEN_LISTED,
    STEP_WAIT_MORE,
    THREAD_BITS,
    THREAD_JS,
    THREAD_MARK,
} from '../../js-glue/memory/layout.js';
import { LOOKS, NUMBER_MASK, numberOf, WAS_HEIR } from './gate-specification.js';
import { FREE } from './specified-word.js';

/* The calls in which a module is compared with the specification. */

/**
 * @typedef {import('./specified-word.js').Word} Word
 * @typedef {import('./lone-call.js').LoneCall} LoneCall
 * @typedef {{ name: string, parameters: number[], own?: number, waits?: { result: number }[] }} Call
 */

/**
 * Three threads, and the age of the first one's event loop. Each bit of an identity is set in one and clear
 * in another. C threads have the smallest identities. The reservation number of 1 << 14 would be 0 while 1 is
 * in use.
 * @typedef {{ self: number, other: number, third: number, age: number }} Cast
 * @type {Cast[]}
 */
const CASTS = [
    { self: 0x1d55_5555, other: 0x02aa_aaaa, third: 0x1333_3333, age: 1 },
    { self: 0x02aa_aaaa, other: 0x1d55_5555, third: 1 << 14, age: 2 },
    { self: 1, other: 2, third: 0x1000_0000, age: 3 },
];

/** The amount that a writer takes: a C thread's identity is below the amounts of writers. @param {number} self */
function writer(self) {
    return self > RWLOCK_MOST ? self : self | (RWLOCK_MOST + 1);
}

/** The amount in use after the death of the last thread in the second or fifth slot. @param {Cast} cast */
function abandonedIn({ self }) {
    return (THREAD_JS | THREAD_MARK | (THREAD_MARK - AGENTS_MOST - 1)) + (self % 2 === 0 ? 5 : 2);
}

/** The capacities of a mutex, of semaphores, and of a reader-writer lock. */
const CAPACITIES = [GATE_FOR_ONE, 1, 2, 5, GATE_MOST, RWLOCK_CAPACITY];

const KINDS = [STEP_KIND_BLOCKING, STEP_KIND_ASYNC, STEP_KIND_POLLING];
const [WOKEN, CHANGED, TIMED_OUT] = [0, 1, 2];
const BOOLEANS = [false, true];

/** The most reads of the compiled loop in one round. */
export const SOME_LOOKS = 4;

/** Limits in microseconds: shorter than a slice, as long, longer than all slices, and the most possible. */
const LIMITS = [100, 200, 999, 1000, 7999, 8000, 50_000, 400_000, 0xffff_ffff];
const NO_TIME = 0;

/** The count of one slice in a token. */
const SLICE = 1;

/** One in this many of the calls with amounts is made: all would take too long. */
const SHARE_OF_AMOUNTS = 7;

/** @template T @param {T[]} list @param {number} at @returns {T} the items in turn, from the first again */
function inTurn(list, at) {
    return /** @type {T} */ (list[at % list.length]);
}

/** @param {number[]} numbers */
function distinct(numbers) {
    return [...new Set(numbers)].filter((number) => number >= 0);
}

/** @param {Cast} cast @param {number} capacity */
function amountsOf({ self }, capacity) {
    if (capacity === RWLOCK_CAPACITY) {
        return [RWLOCK_SHARED, RWLOCK_UPGRADABLE, writer(self)];
    }
    return capacity === GATE_FOR_ONE ? [self] : distinct([1, Math.min(2, capacity), capacity]);
}

/** @param {Cast} cast @param {number} capacity */
function usesOf(cast, capacity) {
    if (capacity === RWLOCK_CAPACITY) {
        const writers = [writer(cast.self), writer(cast.other), abandonedIn(cast)];
        const upgrading = 2 * RWLOCK_UPGRADABLE;
        return [
            ...[1, 2, RWLOCK_UPGRADABLE - 1, RWLOCK_UPGRADABLE, RWLOCK_UPGRADABLE + 1, RWLOCK_CAPACITY],
            ...[upgrading, upgrading + 1, upgrading + 2, ...writers],
        ];
    }
    return capacity === GATE_FOR_ONE
        ? [cast.self, cast.other, cast.third, abandonedIn(cast)]
        : distinct([1, capacity - 2, capacity - 1, capacity]).filter((used) => used > 0);
}

/** @param {Cast} cast @param {number} capacity @returns {Word[]} */
function everyWord(cast, capacity) {
    const { self, other, third } = cast;
    const hasLarge = capacity === 1 ? [false] : BOOLEANS;
    const flags = BOOLEANS.flatMap((sleepers) =>
        BOOLEANS.flatMap((line) => hasLarge.map((large) => ({ sleepers, line, large }))),
    );
    const places = [self, other, third].flatMap((heir) =>
        [STEP_KIND_BLOCKING, STEP_KIND_ASYNC].flatMap((heirKind) =>
            BOOLEANS.flatMap((late) => BOOLEANS.map((reserved) => ({ heir, heirKind, late, reserved }))),
        ),
    );
    const used = usesOf(cast, capacity).flatMap((each) =>
        [{}, { late: true }, ...places].flatMap((place) =>
            flags.map((flag) => ({ ...FREE, used: each, ...flag, ...place })),
        ),
    );
    const open = places.flatMap((place) =>
        flags.map((flag) => ({ ...FREE, ...flag, ...place, reserved: true })),
    );
    return [FREE, ...open, ...used];
}

/** @param {Cast} cast @param {number} kind @param {Word} word */
function tokensOf({ other, age }, kind, word) {
    if (kind !== STEP_KIND_BLOCKING) {
        const flags = [0, STEP_TOKEN_LISTED, STEP_TOKEN_LISTED | (age << STEP_TOKEN_AGE_SHIFT)];
        return flags.flatMap((flag) =>
            distinct([0, numberOf(word), word.heir || other, ~other & NUMBER_MASK]).map((id) => flag | id),
        );
    }
    const ids = [0, numberOf(word), word.heir || other];
    const more = [[], [], [SLICE], [SLICE, WAS_HEIR]];
    return more.flatMap((also, stage) =>
        distinct([...ids, ...also]).map((id) => (stage << THREAD_BITS) | id),
    );
}

/**
 * All calls except waits.
 * @param {Cast} cast
 * @param {number} capacity
 * @param {Word} word
 * @returns {Call[]}
 */
export function gateCalls(cast, capacity, word) {
    const { self, other } = cast;
    const amounts = amountsOf(cast, capacity);
    const tokens = KINDS.flatMap((kind) => tokensOf(cast, kind, word).map((token) => ({ kind, token })));
    const blocking = tokensOf(cast, STEP_KIND_BLOCKING, word);
    return [
        ...tokens.map(({ kind, token }) => ({
            name: 'gate_withdraw',
            parameters: [self, kind, token, capacity],
        })),
        ...amounts.flatMap((amount) => [
            ...tokens.map(({ kind, token }) => ({
                name: 'gate_step',
                parameters: [self, kind, token, amount, capacity],
            })),
            ...distinct([0, numberOf(word), word.heir || other]).map((watched) => ({
                name: 'gate_try_after',
                parameters: [self, watched, amount, capacity],
            })),
            ...blocking.map((token) => ({
                name: 'gate_wait',
                parameters: [self, token | STEP_WAIT_MORE, NO_TIME, amount, capacity],
            })),
        ]),
    ];
}

/** @param {number} own the value of `own`: the upgradable reader @returns {Call[]} */
function upgradableCalls(own) {
    const parameters = [own];
    return [
        { name: 'rwlock_note_upgradable', parameters },
        ...[own, own + 1].map((asked) => ({ name: 'rwlock_downgrade', parameters: [asked], own })),
        { name: 'rwlock_probe_reader', parameters: [0, 1, 0], own },
        { name: 'rwlock_unlock', parameters: [RWLOCK_UPGRADABLE], own },
        ...['rwlock_try_upgrade', 'rwlock_upgrade_step'].map((name) => ({ name, parameters, own })),
        ...[0, 1].flatMap((slices) =>
            [NO_TIME, ...LIMITS].map((limit, at) => ({
                ...{ name: 'rwlock_upgrade_wait', own },
                parameters: [own, slices ? STEP_WAIT_MORE | slices : 0, limit],
                waits: [{ result: inTurn([WOKEN, CHANGED, TIMED_OUT], at + slices) }],
            })),
        ),
    ];
}

/** @param {Cast} cast @param {number} capacity @returns {Call[]} */
function primitivesCalls(cast, capacity) {
    const { self, other } = cast;
    const abandoned = abandonedIn(cast);
    const ofSelf = (/** @type {string} */ name) => ({ name, parameters: [self] });
    switch (capacity) {
        case GATE_FOR_ONE:
            return [
                ...['mutex_trylock', 'mutex_unlock', 'owned_is_by', 'owned_take_over'].map(ofSelf),
                { name: 'owner_probe', parameters: [0, 1, 0] },
                ...[
                    [self, abandoned],
                    [other, abandoned],
                    [abandoned, other],
                ].map((parameters) => ({ name: 'gate_abandon', parameters })),
            ];
        case RWLOCK_CAPACITY:
            return [
                ...[self, writer(self)].flatMap((one) =>
                    ['owned_is_by', 'rwlock_unlock', 'rwlock_downgrade'].map((name) => ({
                        name,
                        parameters: [one],
                    })),
                ),
                ...[RWLOCK_SHARED, RWLOCK_UPGRADABLE].map((amount) => ({
                    name: 'rwlock_unlock',
                    parameters: [amount],
                })),
                ...upgradableCalls(writer(self)),
            ];
        default:
            return [
                ...['semaphore_max', 'semaphore_value'].map((name) => ({
                    name,
                    parameters: [],
                    own: capacity - 1,
                })),
                ...distinct([0, 1, capacity]).map((initial) => ({
                    name: 'semaphore_init',
                    parameters: [initial, capacity],
                })),
                ...distinct([0, 1, 2, capacity, capacity + 1]).map((permits) => ({
                    name: 'semaphore_leave',
                    parameters: [permits],
                })),
            ];
    }
}

/**
 * A number that spreads the calls, independent of cycles of 3 or 7.
 * @param {number} call
 * @param {number} word
 */
function spread(call, word) {
    return Math.imul(call * 1009 + word, 0x9e37_79b1) >>> 16;
}

/**
 * Makes the calls of each cast, capacity and word.
 * @param {(cast: Cast, capacity: number, word: Word) => Call[]} callsOf
 * @param {(call: Call, words: Word[], word: Word, turn: number) => LoneCall[]} variantsOf
 */
function forEachWord(callsOf, variantsOf) {
    let turn = 0;
    return CASTS.flatMap((cast, at) =>
        CAPACITIES.flatMap((capacity) => {
            const share = capacity > 1 ? SHARE_OF_AMOUNTS : 1;
            const words = everyWord(cast, capacity);
            return words.flatMap((word, number) =>
                callsOf(cast, capacity, word)
                    .filter((_, place) => spread(place, number) % (CASTS.length * share) === at)
                    .flatMap((call) => {
                        turn += 1;
                        return variantsOf(call, words, word, turn);
                    }),
            );
        }),
    );
}

/**
 * The oldest waiter: none, the thread, or another one that is younger, as old or older.
 * @param {Call} call
 * @param {number} turn
 */
function lineOf({ parameters: [self = 0] }, turn) {
    const other = CASTS.find((cast) => cast.self === self)?.other ?? 1;
    const ages = [0, 1, 2, 3].map((age) => age << STEP_TOKEN_AGE_SHIFT);
    return inTurn([0, ...ages.flatMap((age) => [other | age, self | age]), 3 << STEP_TOKEN_AGE_SHIFT], turn);
}

/** Brief calls, alone and with interference. @returns {LoneCall[]} */
function briefCalls() {
    return forEachWord(
        (cast, capacity, word) => [...gateCalls(cast, capacity, word), ...primitivesCalls(cast, capacity)],
        (call, words, word, turn) => {
            const [other, second] = [inTurn(words, turn * 7), inTurn(words, turn * 5)];
            const isLong = call.name === 'gate_wait';
            const line = lineOf(call, turn);
            return [
                { ...call, word, line },
                { ...call, word, line, interference: { change: 0, word: other, flickers: turn % 3 === 0 } },
                ...(isLong ? [{ ...call, word, line, interference: { change: 1, word: second } }] : []),
            ];
        },
    );
}

/** @returns {LoneCall[]} */
function waits() {
    return forEachWord(
        (cast, capacity, word) =>
            amountsOf(cast, capacity).flatMap((amount) =>
                tokensOf(cast, STEP_KIND_BLOCKING, word).map((token) => ({
                    name: 'gate_wait',
                    parameters: [cast.self, token, NO_TIME, amount, capacity],
                })),
            ),
        (call, words, word, turn) => {
            const { name, parameters } = call;
            const [self = 0, token = 0, , ...more] = parameters;
            const line = lineOf(call, turn);
            const interference = { change: 0, word: inTurn(words, turn * 7), flickers: turn % 3 === 0 };
            const limit = inTurn(LIMITS, turn);
            return [inTurn([WOKEN, CHANGED], turn), TIMED_OUT].map((result, way) => ({
                name,
                word,
                line,
                parameters: [self, token | (way === 0 ? 0 : STEP_WAIT_MORE), limit, ...more],
                waits: [{ result }],
                ...(way === 0 ? { interference } : {}),
            }));
        },
    );
}

/** @returns {LoneCall[]} */
function locks() {
    const answers = [WOKEN, CHANGED, TIMED_OUT];
    return CASTS.flatMap((cast, place) => {
        const words = everyWord(cast, GATE_FOR_ONE);
        const someWords = words.filter((_, at) => at % CASTS.length === place);
        return someWords.flatMap((word, at) => {
            const base = { name: 'mutex_lock_for_a_time', parameters: [cast.self], word };
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

/** Calls for which the number of a thread's reads does not matter. */
export function everyBriefCall() {
    return [...locks(), ...briefCalls(), ...waits()];
}

/** An heir sees its turn come, or its slot lost, at one of its first reads. @returns {LoneCall[]} */
export function turnsSpotted() {
    return CASTS.flatMap(({ self, other, third }) => {
        const held = { ...FREE, used: other, heir: self, sleepers: true };
        const turns = [FREE, { ...held, reserved: true }, { ...held, heir: third }, { ...FREE, used: self }];
        return turns.flatMap((word, number) =>
            Array.from({ length: SOME_LOOKS }, (_, look) => ({
                name: 'gate_wait',
                parameters: [self, STEP_WAIT_MORE | (number << THREAD_BITS), 1000, self, GATE_FOR_ONE],
                word: held,
                spotted: { load: 1 + look, word },
                waits: [],
                loads: 1 + look + 1,
            })),
        );
    });
}

/** A lock becomes free at one of the first reads. @returns {LoneCall[]} */
export function locksSpotted() {
    return CASTS.flatMap(({ self, other }) =>
        Array.from({ length: SOME_LOOKS }, (_, look) => {
            const base = { name: 'mutex_lock_for_a_time', parameters: [self], waits: [] };
            const word = { ...FREE, used: other };
            const spotted = { load: 1 + look, word: FREE };
            return [
                { ...base, word, spotted, loads: look + 2 },
                { ...base, word, spotted, interference: { change: 0, word } },
            ];
        }).flat(),
    );
}

/** A writer's amount, and the most readers. */
const [WRITES, READERS] = [7, 5];

/** A writer sees the one reader leave, or another come, at one of its first reads. @returns {LoneCall[]} */
export function readersSpotted() {
    const likeOne = 1 + 2 ** (THREAD_BITS - 1);
    return CASTS.flatMap(({ self, other }) =>
        [0, 2, other, likeOne].flatMap((used) =>
            Array.from({ length: SOME_LOOKS }, (_, look) => ({
                name: 'gate_wait',
                parameters: [self, STEP_WAIT_MORE, 1000, WRITES, READERS],
                word: { ...FREE, used: 1 },
                spotted: { load: 1 + look, word: { ...FREE, used } },
                waits: [],
                loads: 1 + look + 1,
            })),
        ),
    );
}

/**
 * A writer with at least a millisecond left reads as often as an heir; no other waiter does.
 * @returns {LoneCall[]}
 */
export function readersInVain() {
    const one = { ...FREE, used: 1 };
    const step = [STEP_WAIT_MORE, 1000];
    /** @type {[parameters: number[], word: LoneCall['word'], looks: number][]} */
    const calls = [
        [[...step, WRITES, READERS], one, LOOKS.asHeir],
        [[...step, WRITES, READERS], { ...one, sleepers: true, large: true }, LOOKS.asHeir],
        [[STEP_WAIT_MORE, 999, WRITES, READERS], one, 0],
        [[...step, WRITES, READERS], { ...one, line: true }, 0],
        [[...step, WRITES, READERS], { ...one, used: 2 }, 0],
        [[...step, WRITES, READERS], { ...one, used: WRITES }, 0],
        [[...step, READERS, READERS], one, 0],
        [[...step, WRITES, GATE_FOR_ONE], one, 0],
        [
            [STEP_WAIT_MORE | (1 << THREAD_BITS), 1000, WRITES, READERS],
            { ...one, sleepers: true, large: true },
            0,
        ],
    ];
    return CASTS.flatMap(({ self }) =>
        calls.map(([parameters, word, looks]) => ({
            name: 'gate_wait',
            parameters: [self, ...parameters],
            word,
            waits: [{ result: WOKEN }],
            loads: looks + 1,
        })),
    );
}

/** Waits whose reads are counted, besides the load of the step. @returns {LoneCall[]} */
export function looksInVain() {
    return CASTS.flatMap(({ self, other }) => {
        const word = { ...FREE, used: other, sleepers: true };
        return [
            ...[undefined, 1, 2, 3, 4].map((load) => ({
                name: 'mutex_lock_for_a_time',
                parameters: [self],
                word,
                waits: [],
                loads: 1 + LOOKS.beforeSleep + 1,
                // A read that comes too late counts, too.
                ...(load === undefined
                    ? {}
                    : { spotted: { load, word: FREE }, interference: { change: 0, word } }),
            })),
            {
                name: 'gate_wait',
                parameters: [self, 0, 1000, 2, 2],
                word: { ...word, used: 1 },
                waits: [{ result: WOKEN }],
                loads: LOOKS.beforeSleep + 1,
            },
            {
                name: 'gate_wait',
                parameters: [self, 0, 1000, 1, 2],
                word: { ...word, used: 2 },
                waits: [{ result: WOKEN }],
                loads: LOOKS.beforeSleep + 1,
            },
            {
                name: 'gate_wait',
                parameters: [self, STEP_WAIT_MORE, 1000, self, GATE_FOR_ONE],
                word: { ...word, heir: self },
                waits: [{ result: WOKEN }],
                loads: LOOKS.asHeir + 1,
            },
            ...[1, 2, 1023, 1024].map((capacity) => ({
                name: 'gate_wait',
                parameters: [self, STEP_WAIT_MORE, 1000, 1, capacity],
                word: { ...word, used: capacity, heir: self },
                waits: [{ result: WOKEN }],
                loads: (capacity === 2 || capacity === 1023 ? 0 : LOOKS.asHeir) + 1,
            })),
        ];
    });
}
