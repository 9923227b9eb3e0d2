/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import {
    GATE_FOR_ONE,
    GATE_LINE_OFFSET,
    GATE_TURN_OFFSET,
    GATE_USE_OFFSET,
    RESULT_ABANDONED,
    RESULT_OK,
    RESULT_TIMEOUT,
    STEP_KIND_ASYNC,
    STEP_KIND_BLOCKING,
    STEP_KIND_POLLING,
    STEP_NEXT_DONE,
    STEP_NEXT_WAIT_BESIDE,
    STEP_NEXT_WAIT_LINE,
    STEP_NEXT_WAIT_TURN,
    STEP_TOKEN_AGE_SHIFT,
    STEP_TOKEN_LISTED,
    STEP_WAIT_MORE,
    THREAD_BITS,
    THREAD_JS,
    THREAD_MARK,
    THREAD_MASK,
    THREAD_RANDOM,
} from '../../js-glue/memory/layout.js';
import {
    GATE_AGE_DISPLACES as AGE_DISPLACES,
    GATE_BEHIND_NS as BEHIND_NS,
    GATE_BESIDE_NS as BESIDE_NS,
    GATE_FIRST_NAP_NS as FIRST_NAP_NS,
    GATE_HAS_NAPPED as HAS_NAPPED,
    GATE_LEAST_SLEEPS_IN_A_LIMIT as LEAST_SLEEPS_IN_A_LIMIT,
    GATE_NAPS as NAPS,
    GATE_NAPS_ONCE as NAPS_ONCE,
    GATE_ONLY_NAP_NS as ONLY_NAP_NS,
    GATE_OPENS_TO_ONE as OPENS_TO_ONE,
    GATE_OUT_OF_PATIENCE as OUT_OF_PATIENCE,
    GATE_PATIENCE_NS as PATIENCE_NS,
    GATE_PATIENT as PATIENT,
    GATE_PERMITS_BY_CORES as PERMITS_BY_CORES,
    GATE_POLLED_RESERVATION_NS as POLLED_RESERVATION_NS,
    GATE_RESERVATION_NS as RESERVATION_NS,
    GATE_SLICES_BEFORE_PROBE as SLICES_BEFORE_LOOK,
    GATE_SLICES_TIMES_FOUR as SLICES_TIMES_FOUR,
    GATE_SPINS_BEFORE_SLEEP as beforeSleep,
    GATE_WOKEN_IN_VAIN as WOKEN_IN_VAIN,
    GATE_WOKEN_SLEEPS_LESS as WOKEN_SLEEPS_LESS,
    WAITING_LONGEST_SLICE_NS as LONGEST_SLICE_NS,
    WAITING_SLICE_NS as SLICE_NS,
    WAITING_SLICES_MOST as SLICES_MOST,
    WAITING_SPINS_FOR_A_CHANGE as asHeir,
} from '../c/numbers.js';
import { FREE, lowerHalf, upperHalf } from './specified-word.js';

/* One call's effect on a gate, by the headers and the head of c-src/gate.c: the word after it, wakes, waits,
 * result. Here the call changes the word in one step; the module is also compared while another thread
 * interferes. */

/**
 * @typedef {import('./specified-word.js').Word} Word
 *
 * A call's operations besides computing. `exchange` and `exchangeLine` write if the expected value is there.
 * @typedef {object} Surroundings
 * @property {(expected: Word, replacement: Word) => boolean} exchange
 * @property {(decide: (word: Word) => Word, always?: boolean) => { before: Word, after: Word }} change
 *     `always`: writes the word even if it stays the same
 * @property {() => Word} look
 * @property {(word: Word) => void} store
 * @property {() => number} readOwn
 * @property {(value: number) => void} writeOwn
 * @property {(expected: number, replacement: number) => boolean} exchangeOwn
 * @property {(value: number) => void} writeLine
 * @property {() => number} readLine
 * @property {(expected: number, replacement: number) => boolean} exchangeLine
 * @property {(offset: number, count: number) => number} wake how many were woken
 * @property {(offset: number, expected: number, nanoseconds: number) => number} wait the result of the wait
 *
 * @typedef {object} Token
 * @property {boolean} isFirst
 * @property {number} stage
 * @property {boolean} wasHeir whether the blocking thread was the heir earlier in this wait
 * @property {number} slices
 * @property {boolean} isListed
 * @property {number} age
 * @property {number} watched
 *
 * @typedef {{ self: number, kind: number, token: Token, amount: number, capacity: number }} Ask
 */

export const ALL = -1;
const WOKEN = 0;
const WOKEN_FOR_A_CHANGE = 1;
export const TIMED_OUT = 2;

const SECOND_NAP_NS = PATIENCE_NS - FIRST_NAP_NS;
const BEHIND_WOKEN_NS = BEHIND_NS / WOKEN_SLEEPS_LESS;

/** The number of reads of the word before a sleep. */
export const LOOKS = { beforeSleep, asHeir };

export { LEAST_SLEEPS_IN_A_LIMIT, OPENS_TO_ONE, PATIENCE_NS, SLICES_MOST };

/** The number of a reservation has the amount in use at this bit. */
const USED_SHIFT = THREAD_BITS >> 1;

/** A number has one bit less than an identity, whose first bit is folded in here. */
const FIRST_BIT_SHIFT = USED_SHIFT - 1;
export const NUMBER_MASK = THREAD_MASK >> 1;

/** The token's bit of a thread that has been the heir. */
export const WAS_HEIR = NUMBER_MASK + 1;

/** The bits in which the number of a slot differs from that of its reservation. */
const SLOT = NUMBER_MASK >> 1;

/** @type {Token} */
export const NO_TOKEN = {
    isFirst: true,
    stage: PATIENT,
    wasHeir: false,
    slices: 0,
    isListed: false,
    age: 0,
    watched: 0,
};

/** @param {number} kind @param {number} token @returns {Token} */
export function tokenOf(kind, token) {
    const isLoop = kind !== STEP_KIND_BLOCKING;
    const number = token & NUMBER_MASK;
    const isCount = number <= SLICES_MOST;
    return {
        isFirst: token === 0,
        stage: isLoop ? PATIENT : (token >>> THREAD_BITS) & OUT_OF_PATIENCE,
        wasHeir: !isLoop && (token & WAS_HEIR) !== 0,
        slices: isCount ? number : 0,
        isListed: isLoop && (token & STEP_TOKEN_LISTED) !== 0,
        age: isLoop ? token >>> STEP_TOKEN_AGE_SHIFT : 0,
        watched: isCount ? 0 : number,
    };
}

/** @param {number | Token} result of a wait */
export function resultOf(result) {
    return typeof result === 'number'
        ? result
        : STEP_WAIT_MORE |
              (result.stage << THREAD_BITS) |
              (result.wasHeir ? WAS_HEIR : 0) |
              result.slices |
              result.watched;
}

/** @param {Word} word @param {number} amount @param {number} capacity */
function hasRoom({ used }, amount, capacity) {
    return used === 0 || used + amount <= capacity;
}

/** True if the word has the identity of a dead owner, with the mark. @param {Word} word */
export function isAbandoned({ used }) {
    return (used & (THREAD_RANDOM | THREAD_MARK)) === (THREAD_JS | THREAD_MARK);
}

/** @param {Word} word @param {Ask} ask */
function isLost(word, { capacity }) {
    return word.used > capacity && isAbandoned(word);
}

/** The number of a reservation, or of an unreserved slot. @param {Word} word */
export function numberOf({ reserved, heir, used }) {
    const whole = (heir ^ (used << USED_SHIFT)) & THREAD_MASK;
    const firstBit = whole > NUMBER_MASK ? 1 << FIRST_BIT_SHIFT : 0;
    const number = (whole & NUMBER_MASK) ^ firstBit ^ (reserved ? 0 : SLOT);
    return number > SLICES_MOST ? number : NUMBER_MASK - number;
}

/**
 * True if only an heir without a reservation is in the way.
 * @param {Word} word
 * @param {{ amount: number, capacity: number }} ask
 */
function isBeside(word, { amount, capacity }) {
    return word.heir !== 0 && !word.reserved && hasRoom(word, amount, capacity);
}

/** @param {Word} word @param {{ amount: number, capacity: number }} ask */
function toWatch(word, ask) {
    return word.reserved || isBeside(word, ask) ? numberOf(word) : 0;
}

/** @param {{ kind: number }} ask */
function isLoop({ kind }) {
    return kind !== STEP_KIND_BLOCKING;
}

/** @param {Word} word */
function isForLoop({ heirKind }) {
    return heirKind !== STEP_KIND_BLOCKING;
}

/** A blocking thread does not own its event loop's slot. @param {Word} word @param {Ask} ask */
function isSlotOf(word, ask) {
    return word.heir === ask.self && isForLoop(word) === isLoop(ask);
}

/** @param {Word} word @param {Ask} ask */
function mayPass(word, ask) {
    const isOver = word.reserved && numberOf(word) === ask.token.watched;
    return word.heir === 0 || isSlotOf(word, ask) || isOver;
}

/** @param {Word} word @param {Ask} ask */
function passesAt(word, ask) {
    return mayPass(word, ask) && hasRoom(word, ask.amount, ask.capacity);
}

/**
 * In a gate for one `large` says that a thread naps, and with `sleepers` that it was woken to. No release takes that back.
 * @param {Word} word
 * @param {number} [capacity]
 */
function withoutFlags(word, capacity) {
    const large = capacity === GATE_FOR_ONE && word.large;
    return { ...word, sleepers: large && word.sleepers, large, line: false };
}

/** @param {Word} word */
function withoutHeir(word) {
    return { ...word, heir: 0, heirKind: STEP_KIND_BLOCKING, late: false, reserved: false };
}

/** @param {Token} token */
function isOutOfPatience({ stage, slices }) {
    return stage === OUT_OF_PATIENCE || (stage === HAS_NAPPED && slices > 0);
}

/** True if a thread was woken to nap, and has not stepped. @param {Word} word @param {Ask} ask */
function isHandedOver(word, { capacity }) {
    return capacity === GATE_FOR_ONE && word.large && word.sleepers;
}

/** True if another thread naps, or was woken to: this one may be it, unless it is patient. @param {Word} word @param {Token} token */
function anotherNaps(word, { stage }) {
    return word.large && stage !== HAS_NAPPED && (stage === PATIENT || !word.sleepers);
}

/**
 * A thread will sleep, or answers for other sleepers. In a gate for one it relies on a napper.
 * @param {Word} word
 * @param {Ask} ask
 */
function withSleepers(word, { token, capacity }) {
    if (capacity !== GATE_FOR_ONE) {
        return { ...word, sleepers: true };
    }
    return anotherNaps(word, token) ? word : { ...word, sleepers: true, large: false };
}

/** A thread that may have been woken answers for the other sleepers. @param {Word} word @param {Ask} ask */
function withOthers(word, ask) {
    const others = !isLoop(ask) && ask.token.stage !== PATIENT;
    return { others, word: others ? withSleepers(word, ask) : word };
}

/** @param {Word} before @param {Ask} ask @returns {Word} */
function passed(before, ask) {
    const { amount, capacity } = ask;
    const { others, word } = withOthers(before, ask);
    // A thread that claims the slot after an event loop keeps it.
    const next = { ...withoutHeir(word), late: isLoop(ask), used: word.used + amount };
    if (before.heir === 0 && !others) {
        return next;
    }
    if (hasRoom(next, 1, capacity)) {
        return withoutFlags(next);
    }
    // One waiter is enough for the free slot: one of the async wait list, if there is any and no event loop
    // has just passed.
    const isLineFirst = before.heir !== 0 && before.line && !isForLoop(before);
    const line = before.heir === 0 && next.line;
    if (before.heir === 0 || isLineFirst || !next.sleepers) {
        return { ...next, line };
    }
    return capacity === GATE_FOR_ONE ? { ...next, line, large: true } : { ...next, line, sleepers: false };
}

/** @param {Word} word @param {number} [capacity] */
export function opened(word, capacity) {
    if (word.heir === 0) {
        return { ...withoutFlags(word, capacity), late: false };
    }
    return { ...(isForLoop(word) ? withoutFlags(word, capacity) : word), reserved: true };
}

/** @param {Surroundings} around @param {Word} before @param {Word} after */
export function wakeFor(around, before, after) {
    // Several queues of one thread may share a slot. A reservation has already woken all of them.
    const isGivenBack = !before.reserved && isForLoop(before) && !isForLoop(after);
    if ((!before.reserved && after.reserved) || isGivenBack) {
        around.wake(GATE_TURN_OFFSET, ALL);
    }
    const isForAll = before.large && !after.large;
    if (isForAll || (before.sleepers && !after.sleepers)) {
        around.wake(GATE_USE_OFFSET, isForAll ? ALL : 1);
    }
    if (before.line && !after.line) {
        around.wake(GATE_LINE_OFFSET, ALL);
    }
}

/**
 * @param {Surroundings} around
 * @param {Ask} ask
 * @param {(word: Word) => Word} [otherwise]
 */
export function passNow(around, ask, otherwise = (word) => word) {
    const { before, after } = around.change((word) =>
        passesAt(word, ask) ? passed(word, ask) : otherwise(word),
    );
    const passes = passesAt(before, ask);
    if (passes) {
        const { word } = withOthers(before, ask);
        wakeFor(around, word, after);
        if (after.large && !word.large) {
            handOver(around);
        }
    }
    return { passes, before, after };
}

/** Wakes the next napper. Without one, nobody may rely on it. @param {Surroundings} around */
function handOver(around) {
    if (around.wake(GATE_USE_OFFSET, 1) === 0) {
        around.change((word) => (word.large && word.sleepers ? { ...word, large: false } : word));
    }
}

/** @param {number} line */
function oldestIn(line) {
    return {
        identity: line & THREAD_MASK,
        age: line >>> STEP_TOKEN_AGE_SHIFT,
        number: ~line & NUMBER_MASK,
    };
}

/** @param {number} line @param {Ask} ask */
function isOlder(line, { token }) {
    return line === 0 || token.age > oldestIn(line).age;
}

/** True if a waiter leaves the slot to the oldest. @param {number} line @param {Ask} ask */
function yields(line, ask) {
    const { identity, number } = oldestIn(line);
    return isLoop(ask) && !isOlder(line, ask) && identity !== ask.self && number !== ask.token.watched;
}

/** An old event loop displaces a blocking heir, once in a wait. @param {Word} word @param {Ask} ask */
function displaces(word, ask) {
    const isFirstTime = word.heir !== 0 && !isForLoop(word) && !word.late && !word.reserved;
    return isLoop(ask) && ask.token.age >= AGE_DISPLACES && isFirstTime;
}

/** @param {Word} word @param {Ask} ask */
function hasMutex(word, { self, capacity }) {
    return capacity === GATE_FOR_ONE && word.used === self;
}

/**
 * Event loops on the wait list would take the slot in turn while a thread naps.
 * @param {Word} word
 * @param {Ask} ask
 */
function claims(word, ask) {
    const { token } = ask;
    return isLoop(ask) || isOutOfPatience(token) || (token.stage !== PATIENT && word.line);
}

/** True if a waiter may claim the slot, apart from the oldest's rights. @param {Word} word @param {Ask} ask */
function mayClaim(word, ask) {
    return claims(word, ask) && !hasMutex(word, ask) && (mayPass(word, ask) || displaces(word, ask));
}

/**
 * Changes `line` by a step that does not pass.
 * @param {Surroundings} around
 * @param {Ask} ask
 * @param {number} line
 * @param {Word} after
 */
function joinList(around, ask, line, after) {
    const { identity, number } = oldestIn(line);
    const { self, kind, token } = ask;
    if (isSlotOf(after, ask)) {
        if (line !== 0 && (identity === self || number === token.watched)) {
            around.exchangeLine(line, 0);
        }
        return;
    }
    const stands = kind === STEP_KIND_POLLING || token.isListed;
    if (stands && isOlder(line, ask) && !hasMutex(after, ask)) {
        around.exchangeLine(line, self | (token.age << STEP_TOKEN_AGE_SHIFT));
    }
}

/** @param {Surroundings} around @param {Ask} ask @returns {boolean} whether it was the oldest */
function leaveList(around, ask) {
    const line = around.readLine();
    const isOldest = isLoop(ask) && line !== 0 && oldestIn(line).identity === ask.self;
    return isOldest && around.exchangeLine(line, 0);
}

/**
 * Reserves the gate for an heir in the way whose slot was watched for long enough. If the heir is this thread's
 * event loop, which cannot run now, reserves it at once.
 * @param {Word} word
 * @param {Ask} ask
 */
function asked(word, ask) {
    if (!isBeside(word, ask)) {
        return word;
    }
    if (word.heir === ask.self) {
        return { ...word, reserved: true };
    }
    return numberOf(word) === ask.token.watched ? { ...word, reserved: true, late: true } : word;
}

/** @param {Surroundings} around @param {Ask} ask */
export function tryAfter(around, ask) {
    const { passes, before } = passNow(around, ask);
    if (passes) {
        return RESULT_OK;
    }
    if (isLost(before, ask)) {
        return RESULT_ABANDONED;
    }
    const isOver = isBeside(before, ask) && numberOf(before) === ask.token.watched;
    const after = { ...before, reserved: true, late: true };
    if (!isOver || !around.exchange(before, after)) {
        return STEP_WAIT_MORE | toWatch(before, ask);
    }
    wakeFor(around, before, after);
    return STEP_WAIT_MORE | toWatch(after, ask);
}

/** The slot after a failed step. @param {Word} word @param {Ask} ask @param {number} line @returns {Word} */
function placed(word, ask, line) {
    if (isSlotOf(word, ask)) {
        return { ...word, reserved: false };
    }
    if (!mayClaim(word, ask)) {
        return asked(word, ask);
    }
    if (yields(line, ask)) {
        return word;
    }
    const isAfterLoop = word.heir === 0 && word.late;
    return {
        ...word,
        heir: ask.self,
        heirKind: isLoop(ask) ? STEP_KIND_ASYNC : STEP_KIND_BLOCKING,
        late: isLoop(ask) ? ask.kind === STEP_KIND_POLLING : ask.token.wasHeir || isAfterLoop,
        reserved: false,
    };
}

/** The word after a failed step. @param {Word} before @param {Ask} ask @param {number} line @returns {Word} */
function standing(before, ask, line) {
    const word = placed(before, ask, line);
    if (isLoop(ask)) {
        return { ...word, line: before.line || ask.token.isListed };
    }
    if (napsAt(word, before, ask)) {
        if (ask.capacity !== GATE_FOR_ONE) {
            return word;
        }
        if (ask.token.stage === HAS_NAPPED || isHandedOver(before, ask)) {
            return { ...word, sleepers: false, large: true };
        }
    }
    const next = withSleepers(word, ask);
    return { ...next, large: next.large || (ask.amount > 1 && ask.capacity !== GATE_FOR_ONE) };
}

/**
 * True if a waiter naps that has not passed: it was woken in vain, and no other thread naps for the sleepers.
 * @param {Word} word with its slot
 * @param {Word} before
 * @param {Ask} ask
 */
function napsAt(word, before, ask) {
    const { stage } = ask.token;
    const isForOne = ask.capacity === GATE_FOR_ONE;
    const relies = isForOne && anotherNaps(word, ask.token);
    const mayNap = !isLoop(ask) && stage !== PATIENT && !relies && !claims(before, ask);
    const watches = word.reserved && (!isForOne || isForLoop(word));
    return mayNap && !isSlotOf(word, ask) && !watches;
}

/** @param {Surroundings} around @param {Ask} ask */
export function step(around, ask) {
    const line = isLoop(ask) ? around.readLine() : 0;
    const { passes, before, after } = passNow(around, ask, (word) =>
        isLost(word, ask) ? word : standing(word, ask, line),
    );
    if (passes) {
        leaveList(around, ask);
        return { next: STEP_NEXT_DONE, expected: 0, watched: 0, polls: false };
    }
    if (isLost(before, ask)) {
        return { next: STEP_NEXT_DONE, expected: RESULT_ABANDONED, watched: 0, polls: false };
    }
    wakeFor(around, { ...before, sleepers: false, large: false }, after);
    joinList(around, ask, line, after);
    if (isSlotOf(after, ask) && hasRoom(after, ask.amount, ask.capacity)) {
        return step(around, ask); // only the slot kept it out
    }
    if (isSlotOf(after, ask)) {
        return { next: STEP_NEXT_WAIT_TURN, expected: upperHalf(after), watched: 0, polls: false };
    }
    const expected = isLoop(ask) ? line : lowerHalf(after);
    if (mayClaim(before, ask) && !isSlotOf(before, ask)) {
        return { next: STEP_NEXT_WAIT_BESIDE, expected, watched: oldestIn(line).number, polls: true };
    }
    const isPatient = !isLoop(ask) && !isOutOfPatience(ask.token);
    const beside = isBeside(after, ask) && !isPatient;
    const naps = napsAt(placed(before, ask, line), before, ask);
    const nap = isHandedOver(before, ask) ? NAPS_ONCE : NAPS;
    return {
        next: beside ? STEP_NEXT_WAIT_BESIDE : STEP_NEXT_WAIT_LINE,
        expected,
        watched: naps ? nap : beside || after.reserved ? numberOf(after) : 0,
        polls: after.late && after.reserved,
    };
}

/** The length of a wait after that many slices without a wake, in nanoseconds. @param {number} slices */
export function sliceAfter(slices) {
    return slices >= SLICES_MOST ? LONGEST_SLICE_NS : SLICE_NS * 2 ** slices;
}

/**
 * @param {{ next: number, watched: number, polls: boolean }} outcome
 * @param {{ stage: number, slices: number, isForOne: boolean }} waiter
 */
function sliceOf({ next, watched, polls }, { stage, slices, isForOne }) {
    if (next === STEP_NEXT_WAIT_BESIDE) {
        return BESIDE_NS;
    }
    if (watched === NAPS) {
        return stage === HAS_NAPPED ? SECOND_NAP_NS : FIRST_NAP_NS;
    }
    if (watched === NAPS_ONCE) {
        return ONLY_NAP_NS;
    }
    if (watched !== 0) {
        return polls ? POLLED_RESERVATION_NS : RESERVATION_NS;
    }
    if (stage !== OUT_OF_PATIENCE) {
        return PATIENCE_NS;
    }
    return isForOne && slices < SLICES_TIMES_FOUR ? PATIENCE_NS * 4 ** slices : sliceAfter(slices);
}

/** @param {Surroundings} around @param {Ask} ask */
function isReservedSoon(around, { self, capacity }) {
    if (capacity > 1 && capacity <= PERMITS_BY_CORES) {
        return false;
    }
    for (let looks = 0; looks < LOOKS.asHeir; looks += 1) {
        const word = around.look();
        if (word.reserved || word.heir !== self) {
            return true;
        }
    }
    return false;
}

/**
 * A writer that waits for one reader spins before its first sleep, unless a limit ends it.
 * @param {number} expected the lower half that it would sleep on
 * @param {Ask} ask
 */
function isBehindOneReader(expected, { token, amount, capacity }) {
    const word = { ...FREE, used: 1, sleepers: true, large: true };
    return token.stage === PATIENT && amount > capacity && expected === lowerHalf(word);
}

/** @param {Surroundings} around */
function readerLeavesSoon(around) {
    for (let looks = 0; looks < LOOKS.asHeir; looks += 1) {
        if (around.look().used !== 1) {
            return true;
        }
    }
    return false;
}

/** @param {Surroundings} around @param {Ask} ask */
function passesSoon(around, { amount, capacity }) {
    for (let looks = 0; looks < LOOKS.beforeSleep; looks += 1) {
        const word = around.look();
        const isOpen = word.heir === 0 && hasRoom(word, amount, capacity);
        if (isOpen && around.exchange(word, { ...word, late: false, used: word.used + amount })) {
            return true;
        }
    }
    return false;
}

/**
 * @param {Surroundings} around
 * @param {Ask} ask
 * @param {number} limit nanoseconds; 0 ends the wait
 * @returns {number | Token} a result, or the token for the next wait
 */
export function wait(around, ask, limit) {
    if (limit === 0) {
        return timeIsUp(around, ask);
    }
    if (ask.token.isFirst && passesSoon(around, ask)) {
        return RESULT_OK;
    }
    const { wasHeir } = ask.token;
    const outcome = step(around, ask);
    if (outcome.next === STEP_NEXT_DONE) {
        if (outcome.expected === RESULT_ABANDONED) {
            withdraw(around, ask);
        }
        return outcome.expected;
    }
    const isTurn = outcome.next === STEP_NEXT_WAIT_TURN;
    const naps = outcome.watched === NAPS || outcome.watched === NAPS_ONCE;
    const hasStopped = ask.token.stage === HAS_NAPPED && !naps;
    const stage = hasStopped ? OUT_OF_PATIENCE : ask.token.stage;
    const slices = ask.token.stage === OUT_OF_PATIENCE ? ask.token.slices : 0;
    const isForOne = ask.capacity === GATE_FOR_ONE;
    const isBehind =
        isForOne &&
        !isTurn &&
        outcome.watched === 0 &&
        [PATIENT, WOKEN_IN_VAIN].includes(stage) &&
        isNapperIn(outcome.expected);
    const behind = isBehind && stage === PATIENT ? BEHIND_NS : BEHIND_WOKEN_NS;
    const isWokenByRelease = isForOne && !isTurn && outcome.watched === 0 && stage === PATIENT;
    const slice =
        isBehind || isWokenByRelease
            ? Math.max(PATIENCE_NS, Math.min(behind, Math.floor(limit / LEAST_SLEEPS_IN_A_LIMIT)))
            : sliceOf(outcome, { stage, slices, isForOne });
    const offset = isTurn ? GATE_TURN_OFFSET : GATE_USE_OFFSET;
    const sleep = () => around.wait(offset, outcome.expected, Math.min(slice, limit));
    let woken;
    if (slice <= limit && !isTurn && isBehindOneReader(outcome.expected, ask)) {
        woken = readerLeavesSoon(around) ? WOKEN : sleep();
    } else {
        woken = isTurn && slices === 0 && isReservedSoon(around, ask) ? WOKEN_FOR_A_CHANGE : sleep();
    }
    // WOKEN_FOR_A_CHANGE is no end of a nap: the thread never slept.
    const outlasted = (woken === TIMED_OUT || (woken === WOKEN && naps && isForOne)) && slice <= limit;
    const watched = outlasted ? outcome.watched : 0;
    const next = { ...NO_TOKEN, isFirst: false, wasHeir: wasHeir || isTurn, watched };
    if (stage === OUT_OF_PATIENCE) {
        const isSlice = outlasted && watched === 0;
        return { ...next, stage, slices: isSlice ? Math.min(slices + 1, SLICES_MOST) : 0 };
    }
    if (naps) {
        const isLast = outlasted && (stage === HAS_NAPPED || outcome.watched === NAPS_ONCE);
        return { ...next, stage: HAS_NAPPED, slices: isLast ? 1 : 0, watched: 0 };
    }
    if (outlasted && isBehind) {
        return { ...next, stage: HAS_NAPPED, slices: 1 };
    }
    if (outlasted) {
        const goesBehind = isForOne && around.look().large;
        return { ...next, stage: goesBehind ? PATIENT : OUT_OF_PATIENCE };
    }
    return { ...next, stage: woken === WOKEN ? WOKEN_IN_VAIN : isBehind ? PATIENT : stage };
}

/** @param {number} half the lower half of a word */
function isNapperIn(half) {
    return ((half >>> THREAD_BITS) & 1) === 1;
}

/** @param {Surroundings} around @param {Ask} ask */
function timeIsUp(around, ask) {
    const last = { ...ask, token: { ...NO_TOKEN, stage: ask.token.stage } };
    const { passes, before } = passNow(around, last);
    if (passes) {
        return RESULT_OK;
    }
    withdraw(around, last);
    return isLost(before, ask) ? RESULT_ABANDONED : RESULT_TIMEOUT;
}

/** @param {Surroundings} around @param {Ask} ask @returns {number | Token} */
export function enter(around, ask) {
    /** @type {number | Token} */
    let result = ask.token;
    do {
        result = wait(around, { ...ask, token: result }, Infinity);
    } while (typeof result !== 'number' && result.slices < SLICES_BEFORE_LOOK);
    return result;
}

/** The word after a withdrawal. @param {Word} before @param {Ask} ask @param {boolean} wasOldest */
function parted(before, ask, wasOldest) {
    const { capacity } = ask;
    const { others, word } = withOthers(before, ask);
    const leaves = isSlotOf(before, ask);
    const left = leaves ? withoutHeir(word) : word;
    const isOpen = hasRoom(left, 1, capacity) && (left.heir === 0 || left.reserved);
    if (isOpen && (leaves || others)) {
        return withoutFlags(left, capacity);
    }
    return leaves || wasOldest ? { ...left, line: false } : left;
}

/** @param {Surroundings} around @param {Ask} ask */
export function withdraw(around, ask) {
    const wasOldest = leaveList(around, ask);
    const { before, after } = around.change((word) => parted(word, ask, wasOldest));
    wakeFor(around, withOthers(before, ask).word, after);
}

/** @param {Surroundings} around @param {number} amount @param {number} most @param {number} opensAt */
export function leave(around, amount, most, opensAt) {
    const isPossible = (/** @type {Word} */ { used }) => used >= amount && used <= most;
    const { before, after } = around.change((word) => {
        const less = { ...word, used: word.used - amount };
        return !isPossible(word)
            ? word
            : less.used <= opensAt
              ? opened(less, opensAt === OPENS_TO_ONE ? GATE_FOR_ONE : undefined)
              : less;
    }, true);
    if (!isPossible(before)) {
        return false;
    }
    wakeFor(around, before, after);
    return true;
}

/**
 * A dead owner's amount becomes `left`, and all waiters are woken; the gate is reserved for the heir, if
 * there is one.
 * @param {Surroundings} around
 * @param {number} owner
 * @param {number} left
 */
export function abandon(around, owner, left) {
    const { before } = around.change((word) =>
        word.used === owner
            ? { ...withoutFlags(word), used: left, reserved: word.reserved || word.heir !== 0 }
            : word,
    );
    if (before.used !== owner) {
        return false;
    }
    [GATE_TURN_OFFSET, GATE_USE_OFFSET, GATE_LINE_OFFSET].forEach((offset) => around.wake(offset, ALL));
    return true;
}
