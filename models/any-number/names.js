/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { GATE_FOR_ONE, STEP_WAIT_MORE, THREAD_BITS, THREAD_MASK } from '../../js-glue/memory/layout.js';
import { FIRST_ADDRESS } from '../explorer/memory.js';
import { IDENTITY_SHIFTS, identityAt, withIdentityAt } from '../explorer/gate-word.js';
import { identityOf } from '../explorer/symmetry.js';
import { Violation } from '../explorer/violation.js';

/* Threads of the abstraction have names, small numbers, in place of identities: only whether two are the same
 * thread matters, not which thread it is. A thread's words and tokens can be rewritten with other names. */

/**
 * @typedef {object} Names
 * @property {readonly number[]} all
 * @property {number} unused by any thread
 * @property {Map<number, [heir: number, used: number, isReserved: boolean]>} reservations by their numbers (number_of in gate_word.h)
 * @property {(heir: number, used: number, isReserved: boolean) => number} numberOf the number of such a
 *     reservation
 */

const NAMES = 12;

/** HF__NUMBER_MASK of c-src/gate_word.h. */
export const NUMBER_MASK = 2 ** (THREAD_BITS - 1) - 1;
/** HF__SLICES_MOST: smaller numbers count slices. */
export const SLICES_MOST = 6;

const RESERVED = 1n << 63n;
const NOBODY = -1;

/** @param {number} token */
export function numberIn(token) {
    const number = token & NUMBER_MASK;
    return number > SLICES_MOST ? number : 0;
}

/** @param {number} name or NOBODY */
function wordPart(name) {
    return name === NOBODY ? 0 : identityOf(name);
}

/** The module gives the numbers of reservations. @param {import('../explorer/thread-call.js').Runner} runner @returns {Names} */
export function namesBy(runner) {
    const all = Array.from({ length: NAMES }, (_, name) => name);
    /** @type {Names['reservations']} */
    const reservations = new Map();
    /** @type {Map<string, number>} */
    const numbers = new Map();
    const ofOther = identityOf(NAMES + 1);
    for (const heir of [...all, NAMES]) {
        for (const used of [NOBODY, ...all, NAMES]) {
            for (const isReserved of [false, true]) {
                const plain = (BigInt(wordPart(heir)) << 32n) | BigInt(wordPart(used));
                const word = BigInt.asIntN(64, plain | (isReserved ? RESERVED : 0n));
                const number = numberBy(runner, ofOther, word);
                if (number !== 0) {
                    if (reservations.has(number)) {
                        throw new Violation('two reservations have one number');
                    }
                    reservations.set(number, [heir, used, isReserved]);
                    numbers.set(`${[heir, used, isReserved]}`, number);
                }
            }
        }
    }
    return {
        all,
        unused: NAMES,
        reservations,
        numberOf(heir, used, isReserved) {
            const number = numbers.get(`${[heir, used, isReserved]}`);
            return number ?? 0;
        },
    };
}

/** @param {import('../explorer/thread-call.js').Runner} runner @param {number} self @param {bigint} word */
function numberBy(runner, self, word) {
    let stop = runner.call('gate_try_after', [FIRST_ADDRESS, self, 0, self, GATE_FOR_ONE]);
    while (stop.atomic) {
        stop = runner.resume(stop.frames, word);
    }
    return Number(stop.value) & ~STEP_WAIT_MORE;
}

/** @param {bigint} word @returns {number[]} */
export function namesIn(word) {
    return IDENTITY_SHIFTS.map((shift) => nameOf(identityAt(BigInt.asUintN(64, word), shift)));
}

/** @param {bigint} word @param {readonly number[]} to */
export function renamedWordBy(word, to) {
    let result = BigInt.asUintN(64, word);
    for (const shift of IDENTITY_SHIFTS) {
        const name = nameOf(identityAt(result, shift));
        if (name !== NOBODY) {
            result = withIdentityAt(result, shift, identityOf(to[name] ?? name));
        }
    }
    return BigInt.asIntN(64, result);
}

/**
 * New names for all: the given ones, and unused ones for the others, so that no two coincide.
 *
 * @param {readonly number[]} all
 * @param {ReadonlyMap<number, number>} given
 */
export function namesWith(all, given) {
    const taken = new Set(given.values());
    const keeps = new Set(all.filter((name) => !given.has(name) && !taken.has(name)));
    const free = all.filter((name) => !taken.has(name) && !keeps.has(name));
    return all.map((name) => given.get(name) ?? (keeps.has(name) ? name : (free.shift() ?? tooFew())));
}

/** @returns {never} */
function tooFew() {
    throw new Error('more threads are told apart than there are names');
}

/** @param {number} half of a word, or `line` @param {readonly number[]} to */
export function renamedHalf(half, to) {
    const name = to[nameOf(half & THREAD_MASK)];
    return name === undefined ? half : (half & ~THREAD_MASK) | identityOf(name);
}

/** @param {number} identity */
export function nameOf(identity) {
    return identity === 0 ? NOBODY : identity - identityOf(0);
}

/** The number of the reservation in a word; 0: there is no heir. @param {Names} names @param {bigint} word */
export function reservationIn(names, word) {
    const heir = nameOf(identityAt(word, 32n));
    return heir === NOBODY
        ? 0
        : names.numberOf(heir, nameOf(Number(identityAt(word, 0n))), (word & RESERVED) !== 0n);
}

/** @param {Names} names @param {number} token @param {readonly number[]} to */
export function renamedToken(names, token, to) {
    const reservation = names.reservations.get(numberIn(token));
    if (reservation === undefined) {
        return token;
    }
    const [heir, used, isReserved] = reservation;
    const renamed = names.numberOf(to[heir] ?? heir, used === NOBODY ? used : (to[used] ?? used), isReserved);
    return (token & ~NUMBER_MASK) | renamed;
}

export { NOBODY };
