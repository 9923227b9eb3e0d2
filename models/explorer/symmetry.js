/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { THREAD_JS, THREAD_MASK } from '../../js-glue/memory/layout.js';
import { IDENTITY_SHIFTS, identityAt, withIdentityAt } from './gate-word.js';

/* Threads that run the same program are interchangeable: each move of one in a world is a move of the other
 * in the world with their identities exchanged. The search explores only one of such worlds. */

/**
 * @typedef {object} Renaming a permutation of the threads
 * @property {number} index among all of a scenario
 * @property {readonly number[]} to for each thread, the thread whose identity it gets
 * @property {readonly number[]} from the inverse
 */

/** @param {number} thread */
export function identityOf(thread) {
    return THREAD_JS + thread + 1;
}

/** @template T @param {readonly T[]} items @returns {T[][]} */
function permutations(items) {
    return items.length === 0
        ? [[]]
        : items.flatMap((item, at) =>
              permutations(items.filter((_, other) => other !== at)).map((rest) => [item, ...rest]),
          );
}

/**
 * All permutations within groups; the first one changes nothing.
 * @param {readonly string[]} groups
 * @returns {Renaming[]}
 */
export function renamingsWithin(groups) {
    let all = [groups.map((_, thread) => thread)];
    for (const group of new Set(groups)) {
        const members = groups.flatMap((name, thread) => (name === group ? [thread] : []));
        all = all.flatMap((to) =>
            permutations(members).map((places) =>
                to.map((place, thread) => places[members.indexOf(thread)] ?? place),
            ),
        );
    }
    return all.map((to, index) => ({ index, to, from: to.map((_, place) => to.indexOf(place)) }));
}

/**
 * Exchanges the thread in an identity, and keeps the bits above it. A number that is no identity stays as it is.
 * @param {number} value
 * @param {Renaming} renaming
 */
export function renamedIdentity(value, { to }) {
    const renamed = to[(value & THREAD_MASK) - identityOf(0)];
    return renamed === undefined ? value : (value & ~THREAD_MASK) | identityOf(renamed);
}

/** The gate's word with the threads exchanged. @param {bigint} word signed @param {Renaming} renaming */
export function renamedWord(word, renaming) {
    let result = BigInt.asUintN(64, word);
    for (const shift of IDENTITY_SHIFTS) {
        const renamed = renamedIdentity(identityAt(result, shift), renaming);
        result = withIdentityAt(result, shift, renamed);
    }
    return BigInt.asIntN(64, result);
}
