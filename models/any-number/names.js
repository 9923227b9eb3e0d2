/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { GATE_FOR_ONE, STEP_WAIT_MORE, THREAD_BITS, THREAD_MASK } from '../../js-glue/memory/layout.js';
import { FIRST_ADDRESS } from '../explorer/memory.js';
import { IDENTITY_SHIFTS, identityAt, withIdentityAt } from '../explorer/gate-word.js';
import { identityOf } from '../explorer/symmetry.js';
import { Violation } from '../explorer/violation.js';

/* Threads of the abstraction have names, small numbers, in place of identities: which thread it is does not matter, but
 * whether it is the same. A thread's words, tokens and calls can be written with other names. */

/**
 * @typedef {object} Names
 * @property {readonly number[]} all
 * @property {number} unused by any thread
 * @property {Map<number, [successor: number, used: number, isCalled: boolean]>} calls by their numbers (number_of in gate_word.h)
 * @property {(successor: number, used: number, isCalled: boolean) => number} numberOf such a call
 */

const NAMES = 12;

/** HF__NUMBER_MASK of c-src/gate_word.h. */
export const NUMBER_MASK = 2 ** (THREAD_BITS - 1) - 1;
/** HF__SLICES_MOST: smaller numbers count slices. */
export const SLICES_MOST = 6;

const CALLED = 1n << 63n;
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

/** The numbers of calls are asked of the module. @param {import('../explorer/thread-call.js').Runner} runner @returns {Names} */
export function namesBy(runner) {
    const all = Array.from({ length: NAMES }, (_, name) => name);
    /** @type {Names['calls']} */
    const calls = new Map();
    /** @type {Map<string, number>} */
    const numbers = new Map();
    const ofOther = identityOf(NAMES + 1);
    for (const successor of [...all, NAMES]) {
        for (const used of [NOBODY, ...all, NAMES]) {
            for (const isCalled of [false, true]) {
                const plain = (BigInt(wordPart(successor)) << 32n) | BigInt(wordPart(used));
                const word = BigInt.asIntN(64, plain | (isCalled ? CALLED : 0n));
                const number = numberBy(runner, ofOther, word);
                if (number !== 0) {
                    if (calls.has(number)) {
                        throw new Violation('two reservations have one number');
                    }
                    calls.set(number, [successor, used, isCalled]);
                    numbers.set(`${[successor, used, isCalled]}`, number);
                }
            }
        }
    }
    return {
        all,
        unused: NAMES,
        calls,
        numberOf(successor, used, isCalled) {
            const number = numbers.get(`${[successor, used, isCalled]}`);
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
 * New names for all: those that are given, and for the others what is left, so that no two become one.
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
    throw new Error('there are too few names');
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

/** The number of the call in a word; 0: nobody is called. @param {Names} names @param {bigint} word */
export function callIn(names, word) {
    const successor = nameOf(identityAt(word, 32n));
    return successor === NOBODY
        ? 0
        : names.numberOf(successor, nameOf(Number(identityAt(word, 0n))), (word & CALLED) !== 0n);
}

/** @param {Names} names @param {number} token @param {readonly number[]} to */
export function renamedToken(names, token, to) {
    const call = names.calls.get(numberIn(token));
    if (call === undefined) {
        return token;
    }
    const [successor, used, isCalled] = call;
    const renamed = names.numberOf(
        to[successor] ?? successor,
        used === NOBODY ? used : (to[used] ?? used),
        isCalled,
    );
    return (token & ~NUMBER_MASK) | renamed;
}

export { NOBODY };
