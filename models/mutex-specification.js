/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import {
    GATE_LINE_OFFSET,
    GATE_USE_OFFSET,
    GATE_TURN_OFFSET,
    RESULT_BUSY,
    RESULT_DEADLOCK,
    RESULT_NOT_OWNER,
    RESULT_OK,
    RESULT_TIMEOUT,
    STEP_KIND_ASYNC,
    STEP_KIND_BLOCKING,
    STEP_KIND_POLLING,
    STEP_NEXT_OWN,
    STEP_NEXT_SHIFT,
    STEP_NEXT_DONE,
    STEP_NEXT_WAIT_QUEUE,
    STEP_NEXT_WAIT_TURN,
    STEP_POLLS_SHIFT,
    STEP_TOKEN_IN_LINE,
    STEP_WAIT_MORE,
    STEP_WATCHED_SHIFT,
    THREAD_BITS,
    THREAD_MASK,
} from '../js-glue/layout.js';

/* What one call does to a mutex, by the headers and the STATES and INVARIANTS of c-src/mutex.c: what becomes of
 * the word, whom the call wakes, on what it waits and for how long, and what it returns. Each call is written here
 * as if its changes of the word were indivisible; specification-check.js holds the module to that, also where
 * another thread changes the word in between. What threads make of each other is the explorer's business. */

/**
 * A lock word, taken apart.
 * @typedef {object} Word
 * @property {number} owner who holds it or whom it is reserved for; 0: nobody
 * @property {boolean} reserved
 * @property {boolean} polled with reserved: the owner looks by timer
 * @property {boolean} sleepers
 * @property {number} successor 0: nobody
 * @property {number} successorKind a STEP_KIND
 * @property {boolean} line
 */

/**
 * What a call can do besides computing. `change` gives the word to a function and writes what that returns;
 * `exchange` writes if the word is what is expected.
 * @typedef {object} Surroundings
 * @property {(expected: Word, replacement: Word) => boolean} exchange
 * @property {(decide: (word: Word) => Word) => { before: Word, after: Word }} change
 * @property {() => Word} look
 * @property {(place: number, count: number) => void} wake
 * @property {(place: number, expected: number, nanoseconds: number) => number} wait its result
 *
 * @typedef {{ overtaken: number, inLine: boolean, watched: number }} Token
 */

/** @type {Word} */
export const FREE = Object.freeze({
    owner: 0,
    reserved: false,
    polled: false,
    sleepers: false,
    successor: 0,
    successorKind: STEP_KIND_BLOCKING,
    line: false,
});

const ALL = -1;
const WOKEN_FOR_A_CHANGE = 1;
const TIMED_OUT = 2;

const MICROSECOND_NS = 1000;
const FIRST_NAP_NS = 200_000;
const SECOND_NAP_NS = 800_000;
const PATIENCE_NS = 1_000_000;
const RESERVATION_NS = 1_000_000;
const POLLED_RESERVATION_NS = 8_000_000;
const SLICE_NS = 20_000_000;

/** After so many waits in vain a blocked thread claims the place of the successor. */
const OVERTAKEN_ENOUGH = 3;
const NO_TOKEN = { overtaken: 0, inLine: false, watched: 0 };

/** How often a thread looks before its first sleep, and as the successor before it sleeps again. */
export const LOOKS = { beforeSleep: 100, asSuccessor: 25_000 };

/** @param {number} at */
const bit = (at) => 1n << BigInt(at);

const UPPER = 32;
const FLAGS = { reserved: bit(THREAD_BITS), polled: bit(THREAD_BITS + 1), sleepers: bit(THREAD_BITS + 2) };
const SUCCESSOR_IS_ASYNC = bit(UPPER + THREAD_BITS);
const SUCCESSOR_POLLS = bit(UPPER + THREAD_BITS + 1);
const LINE = bit(UPPER + THREAD_BITS + 2);

/**
 * @param {Word} word
 * @returns {bigint} as a signed i64
 */
export function packed(word) {
    const flags = [
        word.reserved ? FLAGS.reserved : 0n,
        word.polled ? FLAGS.polled : 0n,
        word.sleepers ? FLAGS.sleepers : 0n,
        word.successorKind === STEP_KIND_BLOCKING ? 0n : SUCCESSOR_IS_ASYNC,
        word.successorKind === STEP_KIND_POLLING ? SUCCESSOR_POLLS : 0n,
        word.line ? LINE : 0n,
    ];
    const threads = BigInt(word.owner) | (BigInt(word.successor) << BigInt(UPPER));
    return BigInt.asIntN(
        64,
        flags.reduce((all, flag) => all | flag, threads),
    );
}

/**
 * @param {bigint} bits
 * @returns {Word}
 */
export function unpacked(bits) {
    const has = (/** @type {bigint} */ flag) => (bits & flag) !== 0n;
    const polls = has(SUCCESSOR_POLLS) ? STEP_KIND_POLLING : STEP_KIND_ASYNC;
    return {
        owner: Number(bits & BigInt(THREAD_MASK)),
        reserved: has(FLAGS.reserved),
        polled: has(FLAGS.polled),
        sleepers: has(FLAGS.sleepers),
        successor: Number((bits >> BigInt(UPPER)) & BigInt(THREAD_MASK)),
        successorKind: has(SUCCESSOR_IS_ASYNC) ? polls : STEP_KIND_BLOCKING,
        line: has(LINE),
    };
}

/** @param {Word} word */
function lowerHalf(word) {
    return Number(BigInt.asIntN(UPPER, packed(word)));
}

/** @param {Word} word */
function upperHalf(word) {
    return Number(packed(word) >> BigInt(UPPER));
}

/** @param {Word} word */
function isFree({ owner }) {
    return owner === 0;
}

/**
 * Free, reserved for this thread, or for one that did not come.
 * @param {Word} word
 * @param {number} self
 * @param {number} watched
 */
function isToBeHad(word, self, watched) {
    return isFree(word) || (word.reserved && (word.owner === self || word.owner === watched));
}

/** @param {Word} word */
function withoutSuccessor(word) {
    return { ...word, successor: 0, successorKind: STEP_KIND_BLOCKING };
}

/**
 * @param {Word} word
 * @param {number} self
 * @param {boolean} others whether self answers for other sleepers
 */
function taken(word, self, others) {
    const kept = word.successor === self ? withoutSuccessor(word) : word;
    return { ...kept, owner: self, reserved: false, polled: false, sleepers: word.sleepers || others };
}

/** @param {Word} word */
function released({ successor, successorKind, sleepers }) {
    return successor === 0
        ? FREE
        : {
              ...FREE,
              owner: successor,
              reserved: true,
              polled: successorKind === STEP_KIND_POLLING,
              sleepers,
          };
}

/**
 * @param {Surroundings} around
 * @param {Word} word as it was before its release
 */
function wakeAfterRelease(around, word) {
    if (word.successor !== 0) {
        around.wake(GATE_TURN_OFFSET, ALL);
    }
    // An event loop may be busy: a sleeper is woken to watch its reservation.
    if (word.sleepers && (word.successor === 0 || word.successorKind !== STEP_KIND_BLOCKING)) {
        around.wake(GATE_USE_OFFSET, 1);
    }
    if (word.line) {
        around.wake(GATE_LINE_OFFSET, ALL);
    }
}

/**
 * Takes the lock if that is possible now.
 * @param {Surroundings} around
 * @param {number} self
 * @param {number} watched
 * @param {boolean} others
 * @returns {Word} what was there
 */
function take(around, self, watched, others) {
    return around.change((word) => (isToBeHad(word, self, watched) ? taken(word, self, others) : word))
        .before;
}

/**
 * @param {Word} word
 * @param {number} self
 * @param {number} kind
 * @param {Token} token
 */
function standing(word, self, kind, { overtaken, inLine }) {
    const isLoop = kind !== STEP_KIND_BLOCKING;
    const claims = word.successor === 0 && (isLoop || overtaken >= OVERTAKEN_ENOUGH);
    const placed = claims ? { ...word, successor: self, successorKind: kind } : word;
    if (isLoop) {
        return { ...placed, line: word.line || inLine };
    }
    const isBetweenNaps = overtaken > 0 && overtaken < OVERTAKEN_ENOUGH;
    const naps = isBetweenNaps && placed.successor !== self && !word.reserved;
    return { ...placed, sleepers: word.sleepers || !naps };
}

/**
 * @param {Surroundings} around
 * @param {number} self
 * @param {number} kind
 * @param {Token} token
 */
function step(around, self, kind, token) {
    const isBlocking = kind === STEP_KIND_BLOCKING;
    const others = isBlocking && token.overtaken > 0;
    const { before, after } = around.change((word) => {
        if (isToBeHad(word, self, token.watched)) {
            return taken(word, self, others);
        }
        return isBlocking && word.owner === self ? word : standing(word, self, kind, token);
    });
    if (isToBeHad(before, self, token.watched)) {
        return { next: STEP_NEXT_DONE, expected: 0, watched: 0, polls: false };
    }
    if (isBlocking && before.owner === self) {
        return { next: STEP_NEXT_OWN, expected: 0, watched: 0, polls: false };
    }
    const isSuccessor = after.successor === self;
    return {
        next: isSuccessor ? STEP_NEXT_WAIT_TURN : STEP_NEXT_WAIT_QUEUE,
        expected: isSuccessor ? upperHalf(after) : lowerHalf(after),
        watched: after.reserved ? after.owner : 0,
        polls: after.polled,
    };
}

/**
 * @param {{ watched: number, polls: boolean }} outcome
 * @param {number} overtaken
 */
function sliceOf({ watched, polls }, overtaken) {
    if (watched !== 0) {
        return polls ? POLLED_RESERVATION_NS : RESERVATION_NS;
    }
    return [PATIENCE_NS, FIRST_NAP_NS, SECOND_NAP_NS][overtaken] ?? SLICE_NS;
}

/**
 * @param {Surroundings} around
 * @param {number} self
 */
function turnComesSoon(around, self) {
    for (let looks = 0; looks < LOOKS.asSuccessor; looks += 1) {
        const word = around.look();
        if (isFree(word) || (word.reserved && word.owner === self)) {
            return true;
        }
    }
    return false;
}

/**
 * @param {Surroundings} around
 * @param {number} self
 * @param {Token} token
 * @param {number} limit nanoseconds
 * @returns {number | Token} a result, or the token for the next wait
 */
function wait(around, self, token, limit) {
    const outcome = step(around, self, STEP_KIND_BLOCKING, token);
    if (outcome.next === STEP_NEXT_DONE) {
        return RESULT_OK;
    }
    if (outcome.next === STEP_NEXT_OWN) {
        return RESULT_DEADLOCK;
    }
    const slice = sliceOf(outcome, token.overtaken);
    const isTurn = outcome.next === STEP_NEXT_WAIT_TURN;
    const woken =
        isTurn && turnComesSoon(around, self)
            ? WOKEN_FOR_A_CHANGE
            : around.wait(
                  isTurn ? GATE_TURN_OFFSET : GATE_USE_OFFSET,
                  outcome.expected,
                  Math.min(slice, limit),
              );
    const outlasted = woken === TIMED_OUT && slice <= limit;
    return {
        overtaken: overtakenAfter(token.overtaken, woken),
        inLine: false,
        watched: outlasted ? outcome.watched : 0,
    };
}

/**
 * @param {number} overtaken
 * @param {number} woken
 */
function overtakenAfter(overtaken, woken) {
    if (woken === WOKEN_FOR_A_CHANGE) {
        return overtaken;
    }
    const isPatienceOver = woken === TIMED_OUT && overtaken === 0;
    return isPatienceOver ? OVERTAKEN_ENOUGH : Math.min(overtaken + 1, OVERTAKEN_ENOUGH);
}

/**
 * @param {Surroundings} around
 * @param {number} self
 * @param {number} kind
 * @param {Token} token
 */
function withdraw(around, self, kind, { overtaken }) {
    const isBlocking = kind === STEP_KIND_BLOCKING;
    const others = isBlocking && overtaken > 0;
    /** @param {Word} word */
    const parting = (word) => {
        const isOwnPlace =
            word.successor === self && (word.successorKind === STEP_KIND_BLOCKING) === isBlocking;
        const kept = isOwnPlace ? withoutSuccessor(word) : word;
        const returns = word.reserved && word.owner === self;
        const left = returns ? released(kept) : { ...kept, line: kept.line && !isOwnPlace };
        return { kept, returns, left: isFree(left) ? left : { ...left, sleepers: left.sleepers || others } };
    };
    const { before, after } = around.change((word) => parting(word).left);
    const { kept, returns } = parting(before);
    if (returns) {
        wakeAfterRelease(around, kept);
        return;
    }
    if (others && (isFree(after) || after.reserved)) {
        around.wake(GATE_USE_OFFSET, 1);
    }
    if (before.line && !after.line) {
        around.wake(GATE_LINE_OFFSET, ALL);
    }
}

/**
 * @param {Surroundings} around
 * @param {number} self
 */
function lock(around, self) {
    const held = { ...FREE, owner: self };
    if (around.exchange(FREE, held)) {
        return RESULT_OK;
    }
    for (let looks = 0; looks < LOOKS.beforeSleep; looks += 1) {
        if (isFree(around.look()) && around.exchange(FREE, held)) {
            return RESULT_OK;
        }
    }
    /** @type {number | Token} */
    let result = NO_TOKEN;
    while (typeof result !== 'number') {
        result = wait(around, self, result, Infinity);
    }
    return result;
}

/**
 * @param {Surroundings} around
 * @param {number} self
 */
function unlock(around, self) {
    if (around.exchange({ ...FREE, owner: self }, FREE)) {
        return RESULT_OK;
    }
    const { before } = around.change((word) => (isHeldBy(word, self) ? released(word) : word));
    if (!isHeldBy(before, self)) {
        return RESULT_NOT_OWNER;
    }
    wakeAfterRelease(around, before);
    return RESULT_OK;
}

/**
 * @param {Word} word
 * @param {number} self
 */
function isHeldBy({ owner, reserved }, self) {
    return owner === self && !reserved;
}

/**
 * @param {Surroundings} around
 * @param {number} self
 * @param {Token} token
 */
function giveUp(around, self, token) {
    if (isToBeHad(take(around, self, 0, token.overtaken > 0), self, 0)) {
        return RESULT_OK;
    }
    withdraw(around, self, STEP_KIND_BLOCKING, token);
    return isHeldBy(around.look(), self) ? RESULT_DEADLOCK : RESULT_TIMEOUT;
}

/**
 * @param {Surroundings} around
 * @param {number} self
 * @param {number} watched
 */
function tryAfter(around, self, watched) {
    const before = take(around, self, watched, false);
    if (isToBeHad(before, self, watched)) {
        return RESULT_OK;
    }
    return STEP_WAIT_MORE | (before.reserved ? before.owner : 0) | 0;
}

/**
 * @param {number} kind
 * @param {number} token
 * @returns {Token}
 */
function tokenOf(kind, token) {
    const isLoop = kind !== STEP_KIND_BLOCKING;
    return {
        overtaken: isLoop ? 0 : (token >>> THREAD_BITS) & OVERTAKEN_ENOUGH,
        inLine: isLoop && (token & STEP_TOKEN_IN_LINE) !== 0,
        watched: token & THREAD_MASK,
    };
}

/** @param {number | Token} result of a wait */
function resultOf(result) {
    return typeof result === 'number'
        ? result
        : STEP_WAIT_MORE | (result.overtaken << THREAD_BITS) | result.watched;
}

/** @param {ReturnType<typeof step>} outcome */
function outcomeOf({ next, expected, watched, polls }) {
    const bits =
        BigInt(expected >>> 0) |
        (BigInt(next) << BigInt(STEP_NEXT_SHIFT)) |
        (polls ? bit(STEP_POLLS_SHIFT) : 0n) |
        (BigInt(watched) << BigInt(STEP_WATCHED_SHIFT));
    return BigInt.asIntN(64, bits);
}

/**
 * The exports of the module.
 * @type {Record<string, (around: Surroundings, self: number, ...more: number[]) => number | bigint | undefined>}
 */
export const SPECIFIED = {
    mutex_lock: lock,
    mutex_trylock: (around, self) =>
        around.exchange(FREE, { ...FREE, owner: self }) || isToBeHad(take(around, self, 0, false), self, 0)
            ? RESULT_OK
            : RESULT_BUSY,
    mutex_unlock: unlock,
    mutex_is_mine: (around, self) => Number(isHeldBy(around.look(), self)),
    mutex_wait: (around, self, token = 0, microseconds = 0) =>
        resultOf(
            wait(around, self, tokenOf(STEP_KIND_BLOCKING, token), (microseconds >>> 0) * MICROSECOND_NS),
        ),
    mutex_try_after: (around, self, watched = 0) => tryAfter(around, self, watched),
    mutex_give_up: (around, self, token = 0) => giveUp(around, self, tokenOf(STEP_KIND_BLOCKING, token)),
    mutex_step: (around, self, kind = STEP_KIND_ASYNC, token = 0) =>
        outcomeOf(step(around, self, kind, tokenOf(kind, token))),
    mutex_withdraw: (around, self, kind = STEP_KIND_ASYNC, token = 0) => {
        withdraw(around, self, kind, tokenOf(kind, token));
        return undefined;
    },
};
