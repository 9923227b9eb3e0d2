/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import {
    GATE_FOR_ONE,
    GATE_MOST,
    RWLOCK_SHARED,
    STEP_KIND_ASYNC,
    STEP_KIND_BLOCKING,
    STEP_WAIT_MORE,
    THREAD_BITS,
    THREAD_JS,
    THREAD_MARK,
} from '../../js-glue/memory/layout.js';
import { FIRST_ADDRESS as GATE_ADDRESS } from '../explorer/memory.js';
import { NUMBER_MASK, numberOf, WAS_HEIR } from './gate-specification.js';
import { gateCalls, SOME_LOOKS } from './specified-calls.js';
import { FREE } from './specified-word.js';

/* Calls with extreme numbers: everything in use, the last identity, a token of ones, just enough room. */

/**
 * @typedef {import('./lone-call.js').LoneCall} LoneCall
 * @typedef {import('./specified-calls.js').Cast} Cast
 */

const [WOKEN, CHANGED, TIMED_OUT] = [0, 1, 2];
const LIMIT_US = 1000;
const NO_LIMIT_US = 0xffff_ffff;

/** The highest bit that an amount in use may have. */
const HALF = (GATE_MOST + 1) / 2;
const CROWDS = [2, HALF, HALF + 1, GATE_MOST - 1, GATE_MOST];

/** Amounts to give back; the last three are more than there can be. */
const SHARES = [1, HALF, GATE_MOST, GATE_MOST + 1, 0x8000_0000, 0xffff_ffff];

/** The second capacity: of a semaphore whose `own` was overwritten. */
const FEW = 5;
const STRAY_CAPACITY = 0xffff_ffff;

/** Identities: of any thread, and of the last thread of a memory. */
const SOMEBODY = 2;
const LAST = GATE_MOST;

/**
 * The identity of a thread whose reservation number has all bits set, if it holds the mutex itself or if 1 is
 * in use.
 */
const RESERVED_IN_ONES = 0x3fff;
const RESERVED_IN_ONES_BY_1 = 0x0fff_bfff;

/**
 * Identities with a single bit, the first or the last, and the gate's address as an identity.
 * @type {Cast[]}
 */
const CASTS = [1, 3].flatMap((age) => [
    { self: HALF, other: 1, third: LAST, age },
    { self: 1, other: GATE_ADDRESS, third: LAST, age },
]);

const ALL_FLAGS = { sleepers: true, large: true, line: true };
const ALL_ONES = {
    ...ALL_FLAGS,
    used: GATE_MOST,
    heir: LAST,
    heirKind: STEP_KIND_ASYNC,
    late: true,
    reserved: true,
};

/** Calls with two threads inside, up to the most. @returns {LoneCall[]} */
function crowds() {
    const states = [{}, ALL_FLAGS, { ...ALL_FLAGS, heir: SOMEBODY, heirKind: STEP_KIND_ASYNC }];
    return CROWDS.flatMap((used) =>
        states.flatMap((state) => {
            const word = { ...FREE, ...state, used };
            return [
                { name: 'semaphore_value', parameters: [], own: GATE_MOST - 1, word },
                ...SHARES.map((permits) => ({ name: 'semaphore_leave', parameters: [permits], word })),
                { name: 'rwlock_unlock', parameters: [RWLOCK_SHARED], word },
                { name: 'rwlock_unlock', parameters: [used], word },
                { name: 'rwlock_downgrade', parameters: [used], word },
            ];
        }),
    );
}

/** Calls in which the last thread is the heir behind a writer. @returns {LoneCall[]} */
function lastThread() {
    const cast = { self: SOMEBODY, other: SOMEBODY + 1, third: LAST, age: 3 };
    const isReserved = { ...ALL_ONES, late: false };
    const blocks = { ...isReserved, heirKind: STEP_KIND_BLOCKING, reserved: false };
    return [ALL_ONES, isReserved, blocks].flatMap((word) =>
        gateCalls(cast, GATE_MOST, word).map((call) => ({ ...call, word })),
    );
}

/**
 * Words that a stray write may leave: an unreserved slot in an empty gate, a reservation without an heir.
 * @param {Cast} cast
 * @returns {LoneCall[]}
 */
function strayWords(cast) {
    const kinds = [STEP_KIND_BLOCKING, STEP_KIND_ASYNC];
    const heirs = [0, cast.self, cast.other];
    const words = [0, 1, cast.self].flatMap((used) =>
        [{}, ALL_FLAGS].flatMap((flags) =>
            heirs.flatMap((heir) =>
                kinds.flatMap((heirKind) =>
                    [false, true].map((reserved) => ({
                        ...FREE,
                        ...flags,
                        used,
                        heir,
                        heirKind,
                        reserved,
                    })),
                ),
            ),
        ),
    );
    return words.flatMap((word) => [
        ...[GATE_FOR_ONE, FEW].flatMap((capacity) =>
            gateCalls(cast, capacity, word).map((call) => ({ ...call, word })),
        ),
        ...[word.used, 1].map((permits) => ({ name: 'semaphore_leave', parameters: [permits], word })),
        { name: 'mutex_unlock', parameters: [cast.self], word },
    ]);
}

/**
 * Calls on an amount in use that equals an abandoned lock's; within the capacity it is permits.
 * @returns {LoneCall[]}
 */
function usedLikeMarks() {
    const cast = { self: SOMEBODY, other: SOMEBODY + 1, third: LAST, age: 1 };
    const used = (THREAD_JS | THREAD_MARK) + 5;
    return [1, FEW, used, GATE_MOST].flatMap((capacity) =>
        [{}, { heir: cast.other, reserved: true }].flatMap((place) => {
            const word = { ...FREE, used, ...place };
            return gateCalls(cast, capacity, word).map((call) => ({ ...call, word }));
        }),
    );
}

/** Larger capacities than amounts can have. @returns {LoneCall[]} */
function strayCapacities() {
    const cast = { self: SOMEBODY, other: SOMEBODY + 1, third: LAST, age: 1 };
    const place = { heir: LAST, heirKind: STEP_KIND_ASYNC };
    const words = [
        { ...FREE, used: 1 },
        { ...FREE, used: 1, ...place },
        { ...FREE, used: 1, ...place, reserved: true },
        { ...FREE, used: 1, ...place, heir: cast.self, reserved: true },
        ALL_ONES,
    ];
    return words.flatMap((word) => {
        const isNumber = (/** @type {import('./specified-calls.js').Call} */ { name, parameters }) =>
            name === 'gate_withdraw' || word.used + (parameters.at(-2) ?? 0) <= GATE_MOST;
        return gateCalls(cast, GATE_MOST, word)
            .filter(isNumber)
            .map(({ name, parameters }) => ({
                name,
                parameters: [...parameters.slice(0, -1), STRAY_CAPACITY],
                word,
            }));
    });
}

/**
 * Calls with the token of a waiter that has watched such a reservation: the token is not a result.
 *
 * @returns {LoneCall[]}
 */
function tokenOfOnes() {
    const word = {
        ...FREE,
        used: RESERVED_IN_ONES,
        heir: RESERVED_IN_ONES,
        heirKind: STEP_KIND_ASYNC,
        reserved: true,
    };
    const tokenButNumber = STEP_WAIT_MORE | (OUT_OF_PATIENCE << THREAD_BITS) | WAS_HEIR;
    const isNext = { result: WOKEN, word };
    return [
        { name: 'mutex_lock_for_a_time', parameters: [SOMEBODY], word, waits: [{ result: TIMED_OUT }] },
        {
            name: 'mutex_lock_for_a_time',
            parameters: [SOMEBODY],
            word: { ...FREE, used: LAST },
            waits: [{ result: TIMED_OUT }, isNext, { result: TIMED_OUT }],
        },
        {
            name: 'gate_wait',
            parameters: [SOMEBODY, tokenButNumber, NO_LIMIT_US, 1, FEW],
            word: { ...word, used: 1, heir: RESERVED_IN_ONES_BY_1 },
            waits: [{ result: TIMED_OUT }],
        },
    ];
}

/** Numbers in a token: all counts of slices, and the first number of a reservation. */
const SLICES = [0, 1, 2, 3, 4, 5, 6, 7];

/** A reservation number with the bits of a count, and the first bit of a number. */
const CALL_LIKE_A_COUNT = (NUMBER_MASK + 1) / 2 + 3;
const OUT_OF_PATIENCE = 3;

/**
 * The next wait of a waiter that has slept for some slices, as the heir or behind it.
 * @returns {LoneCall[]}
 */
function slices() {
    const words = [
        { ...FREE, used: LAST, sleepers: true, heir: SOMEBODY + 1 },
        { ...FREE, used: LAST, sleepers: true, heir: SOMEBODY },
    ];
    return [...SLICES, CALL_LIKE_A_COUNT].flatMap((count) =>
        [0, 1, 2, OUT_OF_PATIENCE].flatMap((stage) =>
            words.flatMap((word) =>
                [WOKEN, CHANGED, TIMED_OUT].flatMap((result) =>
                    [LIMIT_US, 999_999, 1_000_000, NO_LIMIT_US].map((limit) => ({
                        name: 'gate_wait',
                        parameters: [
                            SOMEBODY,
                            STEP_WAIT_MORE | (stage << THREAD_BITS) | count,
                            ...[limit, SOMEBODY, GATE_FOR_ONE],
                        ],
                        word,
                        waits: [{ result }],
                    })),
                ),
            ),
        ),
    );
}

/** Sleeps through all slices, is woken spuriously, and begins again. @returns {LoneCall[]} */
function longSleep() {
    const [patience, ...all] = Array.from({ length: 9 }, () => ({ result: TIMED_OUT }));
    const sleeps = [...(patience ? [patience] : []), ...all, { result: WOKEN }, ...all];
    const word = { ...FREE, used: LAST, sleepers: true, heir: SOMEBODY + 1 };
    return [{ name: 'mutex_lock_for_a_time', parameters: [SOMEBODY], word, waits: sleeps }];
}

/** Reservations of the first C threads, whose numbers resemble counts of slices. @returns {LoneCall[]} */
function callsOfTheFirst() {
    return SLICES.slice(1).flatMap((heir) => {
        const word = { ...FREE, heir, reserved: true };
        const ask = [LAST, GATE_FOR_ONE];
        return [
            { name: 'gate_try_after', parameters: [LAST, 0, ...ask], word },
            ...[heir, numberOf(word)].map((watched) => ({
                name: 'gate_step',
                parameters: [LAST, 0, watched | (OUT_OF_PATIENCE << THREAD_BITS), ...ask],
                word,
            })),
        ];
    });
}

/** An heir that has slept for a slice does not spin before the next. @returns {LoneCall[]} */
export function sleepsOn() {
    return SLICES.filter((count) => count > 0 && count < SLICES.length - 1).map((count) => ({
        name: 'gate_wait',
        parameters: [
            SOMEBODY,
            STEP_WAIT_MORE | (OUT_OF_PATIENCE << THREAD_BITS) | count,
            ...[NO_LIMIT_US, SOMEBODY, GATE_FOR_ONE],
        ],
        word: { ...FREE, used: LAST, heir: SOMEBODY },
        waits: [{ result: TIMED_OUT }],
        loads: 1,
    }));
}

/** Calls for which the number of a thread's reads does not matter. */
export function extremeCalls() {
    return [
        ...[
            ...crowds(),
            ...lastThread(),
            ...CASTS.flatMap(strayWords),
            ...strayCapacities(),
            ...usedLikeMarks(),
        ],
        ...[...tokenOfOnes(), ...slices(), ...longSleep(), ...callsOfTheFirst()],
    ];
}

/** Calls with room, down to just enough: one read suffices. @returns {LoneCall[]} */
export function roomAtOnce() {
    const rooms = [
        { used: 0, amount: SOMEBODY, capacity: GATE_FOR_ONE },
        { used: 1, amount: 1, capacity: STRAY_CAPACITY },
        ...[1, 2, 5, GATE_MOST].flatMap((capacity) => [
            { used: 0, amount: 1, capacity },
            { used: 0, amount: capacity, capacity },
            ...(capacity > 1
                ? [
                      { used: 1, amount: 1, capacity },
                      { used: capacity - 1, amount: 1, capacity },
                      { used: 1, amount: capacity - 1, capacity },
                  ]
                : []),
        ]),
    ];
    return rooms.flatMap(({ used, amount, capacity }) =>
        [false, used > 0].map((late) => ({
            name: 'gate_wait',
            parameters: [SOMEBODY, 0, LIMIT_US, amount, capacity],
            word: { ...FREE, used, late },
            loads: 1,
        })),
    );
}

/** The last thread, blocking, sees its turn in a word of ones, or in a stray one. @returns {LoneCall[]} */
export function lastTurnSpotted() {
    const own = { ...ALL_ONES, heirKind: STEP_KIND_BLOCKING };
    return [own, ALL_ONES].flatMap((word) =>
        Array.from({ length: SOME_LOOKS }, (_, look) => ({
            name: 'gate_wait',
            parameters: [LAST, STEP_WAIT_MORE | (look << THREAD_BITS), LIMIT_US, 1, GATE_MOST],
            word: { ...own, reserved: false },
            spotted: { load: 1 + look, word },
            waits: [],
            loads: 1 + look + 1,
        })),
    );
}
