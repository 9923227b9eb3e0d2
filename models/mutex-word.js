/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { THREAD_BITS } from '../js-glue/layout.js';
import { Violation } from './violation.js';

/* The parts of the mutex's word that say who is next, and how they may change: the order that the mutex promises.
 * Flags are left out; that they wake whom they have to is what the search shows. */

const IDENTITY = (1n << BigInt(THREAD_BITS)) - 1n;
const RESERVED = 1n << BigInt(THREAD_BITS);
const HALF_BITS = 32n;

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

/** @param {bigint} word */
function partsOf(word) {
    const [owner, successor] = IDENTITY_SHIFTS.map((shift) => identityAt(word, shift));
    return { owner, successor, reserved: (word & RESERVED) !== 0n };
}

/**
 * Bounded bypass, step by step. The lock is taken when it is free, with no successor, or by whom it is reserved for,
 * or from whom it has been reserved for too long. A release with a successor reserves the lock for it. The place of
 * a successor is left by itself, or by that release. So whoever is the successor is overtaken only by who has the
 * lock already, or its reservation.
 *
 * @param {bigint} before
 * @param {bigint} after
 * @param {number} self the thread that changes it
 * @param {boolean} reservationsEnd if they do, anybody may have watched this one
 * @throws {Violation}
 */
export function checkChange(before, after, self, reservationsEnd) {
    const [was, is] = [partsOf(before), partsOf(after)];
    const had = was.owner === self && !was.reserved;
    const has = is.owner === self && !is.reserved;
    const isReservedForNext = is.reserved && is.owner === was.successor;
    if (has && !had) {
        if (was.owner === 0 ? before !== 0n : !was.reserved) {
            throw new Violation('a lock is taken that is neither free nor reserved');
        }
        if (was.owner !== self && was.owner !== 0 && !reservationsEnd) {
            throw new Violation('a lock is taken that is reserved for another');
        }
    }
    if (had && !has && !(was.successor === 0 ? after === 0n : isReservedForNext)) {
        throw new Violation('a release passes by the successor, or leaves something behind without one');
    }
    const leftPlace = was.successor !== 0 && is.successor !== was.successor;
    if (leftPlace && (is.successor !== 0 || !(was.successor === self || isReservedForNext))) {
        throw new Violation("a successor's place is taken from it");
    }
}
