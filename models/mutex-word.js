/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { THREAD_BITS } from '../js-glue/layout.js';
import { Violation } from './violation.js';

/* The parts of the mutex's word that say who is next, and how they may change: the order that the mutex promises.
 * Flags are left out; that they wake whom they have to is what the search shows. */

const IDENTITY = (1n << BigInt(THREAD_BITS)) - 1n;
const HALF_BITS = 32n;
const CALLED = 1n << 63n;

/** Where the word has the identity of a thread: who owns it or for whom it is reserved, and the successor. */
export const IDENTITY_SHIFTS = [0n, HALF_BITS];

/**
 * @param {bigint} word
 * @param {bigint} shift
 */
export function identityAt(word, shift) {
    return Number((word >> shift) & IDENTITY);
}

/**
 * @param {bigint} word
 * @param {bigint} shift
 * @param {number} identity
 */
export function withIdentityAt(word, shift, identity) {
    return (word & ~(IDENTITY << shift)) | (BigInt(identity) << shift);
}

/**
 * @param {bigint} word
 * @param {number} identity
 */
export function isOwner(word, identity) {
    return identityAt(word, 0n) === identity;
}

/** @param {bigint} word */
function partsOf(word) {
    const [owner, successor] = IDENTITY_SHIFTS.map((shift) => identityAt(word, shift));
    return { owner, successor, called: (word & CALLED) !== 0n };
}

/**
 * Bounded bypass, step by step. The lock is taken when it is free and has no successor, or by the successor, or past
 * one that was called and has not come for too long. A release with a successor calls it. The place of a successor is
 * left by itself, or to who passed by. So whoever is the successor is overtaken only by who has the lock already, or
 * by who waited for it in vain.
 *
 * @param {bigint} before
 * @param {bigint} after
 * @param {number} self the thread that changes it
 * @param {boolean} reservationsEnd if they do, anybody may have watched this one
 * @throws {Violation}
 */
export function checkChange(before, after, self, reservationsEnd) {
    const [was, is] = [partsOf(before), partsOf(after)];
    const takes = is.owner === self && was.owner !== self;
    const releases = was.owner === self && is.owner !== self;
    const passesBy = takes && was.successor !== 0 && was.successor !== self;
    if (takes && was.owner !== 0) {
        throw new Violation('a lock is taken that is not free');
    }
    if (passesBy && !(was.called && reservationsEnd)) {
        throw new Violation('a lock is taken that another is next for');
    }
    const calls = is.called && is.owner === 0 && is.successor === was.successor;
    if (releases && !(was.successor === 0 ? after === 0n : calls)) {
        throw new Violation('a release passes by the successor, or leaves something behind without one');
    }
    const leftPlace = was.successor !== 0 && is.successor !== was.successor;
    if (leftPlace && (is.successor !== 0 || !(was.successor === self || passesBy))) {
        throw new Violation("a successor's place is taken from it");
    }
}
