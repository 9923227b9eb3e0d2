/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import {
    GATE_TURN_OFFSET,
    RWLOCK_SHARED,
    RWLOCK_UPGRADABLE,
    STEP_TOKEN_AGE_SHIFT,
    THREAD_BITS,
    THREAD_MASK,
} from '../../js-glue/memory/layout.js';
import {
    GATE_ASYNC_HEIR_SHIFT,
    GATE_KEEPS_SLOT_SHIFT,
    GATE_NAPPER_SHIFT,
    GATE_RESERVED_SHIFT,
    GATE_SLEEPERS_SHIFT,
} from '../c/numbers.js';
import { Violation } from './violation.js';

/* The amount in use and the heir in a gate's word, and how they may change: the order that all primitives on
 * a gate promise. Flags are not judged here: if a flag wakes too few waiters, the search finds a deadlock. */

const IDENTITY = (1n << BigInt(THREAD_BITS)) - 1n;
const HALF_BITS = 8n * BigInt(GATE_TURN_OFFSET);
const UPPER_HALF = ((1n << HALF_BITS) - 1n) << HALF_BITS;
const RESERVED = 1n << BigInt(GATE_RESERVED_SHIFT);
/** Of a blocking heir. */
const KEEPS_SLOT = 1n << BigInt(GATE_KEEPS_SLOT_SHIFT);
export const SLEEPERS = 1n << BigInt(GATE_SLEEPERS_SHIFT);
/** Of a gate for one. */
export const NAPPER = 1n << BigInt(GATE_NAPPER_SHIFT);

/**
 * True if a thread naps. With SLEEPERS too, a thread was woken to nap, and does not nap yet.
 * @param {bigint} word of a gate for one
 */
export const hasNapper = (word) => (word & (NAPPER | SLEEPERS)) === NAPPER;

/** Added to an identity if the slot is of the thread's event loop. */
export const OF_LOOP = 2 ** (GATE_ASYNC_HEIR_SHIFT - Number(HALF_BITS));
const SLOT = IDENTITY | BigInt(OF_LOOP);

/** Shifts at which the word may have an identity: a mutex's owner, and the heir. */
export const IDENTITY_SHIFTS = [0n, HALF_BITS];

/**
 * A primitive's use of the gate.
 * @typedef {object} GateUse
 * @property {number} capacity the most that several threads may have in use together
 * @property {number} opensAt the largest amount in use at which the gate opens
 */

/** @param {bigint} word @param {bigint} shift */
export function identityAt(word, shift) {
    return Number((word >> shift) & IDENTITY);
}

/** @param {bigint} word @param {bigint} shift @param {number} identity */
export function withIdentityAt(word, shift, identity) {
    return (word & ~(IDENTITY << shift)) | (BigInt(identity) << shift);
}

/** @param {bigint} word */
export function usedIn(word) {
    return Number(word & IDENTITY);
}

/**
 * True if the word says that no thread waits. While an amount is in use, flags and LOOP_PASSED may be set
 * nevertheless.
 * @param {bigint} word
 */
export function isSettled(word) {
    return (word & UPPER_HALF & ~KEEPS_SLOT) === 0n && (usedIn(word) !== 0 || word === 0n);
}

/**
 * The slot of a call. A thread and its event loop are two waiters; only the event loop calls gate_step and
 * gate_withdraw.
 * @param {number} identity
 * @param {string} call
 */
export function slotOf(identity, call) {
    return identity + (call === 'gate_step' || call === 'gate_withdraw' ? OF_LOOP : 0);
}

/** @param {bigint} word */
function partsOf(word) {
    const heir = Number((word >> HALF_BITS) & SLOT);
    return {
        used: usedIn(word),
        heir,
        reserved: (word & RESERVED) !== 0n,
        mayBeTakenOver: heir !== 0 && heir < OF_LOOP && (word & (RESERVED | KEEPS_SLOT)) === 0n,
    };
}

/**
 * Checks bounded bypass, step by step. A passing thread finds room, and no heir but itself or one whose
 * reservation has lasted too long. A release that lets a waiter pass reserves the gate for the heir. Only the
 * heir changes the slot, or a thread that overtakes the heir; an event loop may also displace a blocking heir
 * that does not keep its slot, before its reservation. So an heir is overtaken only by threads already
 * inside, by threads that have watched its whole reservation, or once by any other. If there is room beside
 * the heir, the gate may be reserved, to see if the heir comes.
 * @param {bigint} before
 * @param {bigint} after
 * @param {number} self
 * @param {GateUse} use
 * @param {boolean} reservationsEnd if true, any thread may have watched a reservation for long enough to
 *     overtake it
 */
export function checkChange(before, after, self, use, reservationsEnd) {
    const [was, is] = [partsOf(before), partsOf(after)];
    const isForAnother = was.heir !== 0 && was.heir !== self;
    const mayPassBy = isForAnother && was.reserved && reservationsEnd;
    if (is.used > was.used) {
        if (was.used !== 0 && is.used > use.capacity) {
            throw new Violation('more permits are taken than exist');
        }
        if (isForAnother && !mayPassBy) {
            throw new Violation('a lock is taken although another thread is the heir');
        }
    }
    if (is.used < was.used) {
        checkRelease(was, is, after, use);
    } else {
        checkReservation(was, is, self, use, reservationsEnd);
    }
    checkSlot(was, is, self, mayPassBy);
    if (is.heir !== was.heir && use.capacity === 0 && is.heir === is.used + OF_LOOP) {
        throw new Violation('an event loop is the heir of a lock that its own thread holds');
    }
}

/**
 * Checks a change by an upgrade, which passes beside any heir: nobody but the heir changes the slot. Its thread is the
 * upgradable reader. While readers are beside it, it has twice that amount, and without them the whole lock. Giving up is a release.
 * @param {bigint} before
 * @param {bigint} after
 * @param {number} self
 * @param {GateUse} use
 */
export function checkUpgrade(before, after, self, use) {
    const [was, is] = [partsOf(before), partsOf(after)];
    const readers = was.used % RWLOCK_UPGRADABLE;
    const base = was.used - readers;
    if (base !== RWLOCK_UPGRADABLE && base !== 2 * RWLOCK_UPGRADABLE) {
        throw new Violation('a thread upgrades without holding the lock upgradable');
    }
    if (is.used < was.used) {
        checkRelease(was, is, after, use);
        return;
    }
    if (is.used !== (readers === 0 ? self : 2 * RWLOCK_UPGRADABLE + readers)) {
        throw new Violation('an upgrade takes a wrong number of permits');
    }
    if (is.heir !== was.heir || is.reserved !== was.reserved) {
        throw new Violation('an upgrade changes the slot');
    }
}

/**
 * Checks a reset: it takes the whole capacity and ends a reservation, and nothing else changes. If something is in use already,
 * the word stays the same.
 * @param {bigint} before
 * @param {bigint} after
 */
export function checkShutting(before, after) {
    const shut = usedIn(before) === 0 ? (before & ~RESERVED) + 1n : before;
    if (BigInt.asUintN(64, after) !== BigInt.asUintN(64, shut)) {
        throw new Violation('a reset does more than withdraw a set');
    }
}

/**
 * Checks the order of event loops: an event loop that has just seen another one as the oldest waiter does not take the slot,
 * unless it is of a higher age class or has watched the oldest one for the whole time.
 * @param {bigint} before
 * @param {bigint} after
 * @param {number} self
 * @param {number} line names the oldest waiter
 * @param {{ token?: number, line?: number | undefined }} call with the value of `line` that the thread has read
 */
export function checkOldest(before, after, self, line, call) {
    const { token = 0, line: seen } = call;
    const isClaimed = partsOf(after).heir === self && partsOf(before).heir !== self;
    if (!isClaimed || self < OF_LOOP || line === 0 || line !== seen) {
        return;
    }
    const oldest = line & THREAD_MASK;
    const isOlder = token >>> STEP_TOKEN_AGE_SHIFT > line >>> STEP_TOKEN_AGE_SHIFT;
    const hasWatched = (token & THREAD_MASK) === (~line & THREAD_MASK);
    if (oldest + OF_LOOP !== self && !isOlder && !hasWatched) {
        throw new Violation('an event loop takes the slot while another is the oldest waiter');
    }
}

/** @typedef {ReturnType<typeof partsOf>} Parts */

/**
 * A release of more than a reader's amount opens the gate too: a writer or an upgradable reader leaves, stays
 * as a reader, or gives up an upgrade.
 * @param {Parts} was
 * @param {Parts} is
 * @param {bigint} after
 * @param {GateUse} use
 */
function checkRelease(was, is, after, { capacity, opensAt }) {
    const opens = is.used <= opensAt || was.used - is.used > RWLOCK_SHARED;
    if (is.heir !== was.heir || (opens && was.heir !== 0 && !is.reserved)) {
        throw new Violation('a release ignores the heir');
    }
    const left = capacity === 0 && (after & NAPPER) !== 0n ? after & ~(NAPPER | SLEEPERS) : after;
    if (opens && was.heir === 0 && left !== BigInt(is.used)) {
        throw new Violation('a release without an heir keeps flags or a reservation');
    }
    if (!opens && is.reserved !== was.reserved) {
        throw new Violation('a release too small for the heir changes the reservation');
    }
}

/** @param {Parts} was @param {Parts} is @param {number} self @param {GateUse} use @param {boolean} reservationsEnd */
function checkReservation(was, is, self, { capacity }, reservationsEnd) {
    const hasRoomBeside = is.heir === was.heir && was.used > 0 && was.used + 1 <= capacity;
    const mayBeAsked = hasRoomBeside && reservationsEnd;
    if (is.reserved && !was.reserved && is.heir !== self && !mayBeAsked) {
        throw new Violation('a reservation is made without a free permit');
    }
    if (was.reserved && !is.reserved && is.heir === was.heir && was.heir !== self) {
        throw new Violation('a thread other than the heir withdraws a reservation');
    }
}

/** @param {Parts} was @param {Parts} is @param {number} self @param {boolean} mayPassBy */
function checkSlot(was, is, self, mayPassBy) {
    if (is.heir === was.heir) {
        return;
    }
    if (is.heir !== 0 && is.heir !== self) {
        throw new Violation('a thread puts another thread into the slot');
    }
    const isLeft = was.heir === self && is.heir === 0;
    const isTakenOver = was.mayBeTakenOver && is.heir === self && self >= OF_LOOP;
    if (was.heir !== 0 && !isLeft && !mayPassBy && !isTakenOver) {
        throw new Violation('another thread takes the slot of the heir');
    }
}
