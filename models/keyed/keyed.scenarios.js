/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Each scenario has its recorded number of states: a model that explores fewer would find less. */

/** @typedef {import('./thread.js').Program} Program */

/** Keys whose hashes give one stripe; explore() checks that. */
const [A, B, C, E] = ['a', '\u0161', '\u0261', '\u0361'];
/** A key of another stripe. */
const D = 'd';

/** The granules of an entry of such a key, and of a further claim. */
const [ENTRY, CLAIM] = [4, 2];

/** @type {(key: string) => Program} */
const locks =
    (key) =>
    ({ keyed, inside }) => {
        keyed.lock(key);
        inside(key);
        keyed.unlock(key);
    };

/** Locks the key once and releases it by a guard. @type {(key: string) => Program} */
const acquires =
    (key) =>
    ({ keyed, inside }) => {
        const guard = keyed.acquire(key);
        inside(key);
        guard.release();
    };

/** @type {(key: string) => Program} */
const tries =
    (key) =>
    ({ keyed, inside }) => {
        if (keyed.tryLock(key)) {
            inside(key);
            keyed.unlock(key);
        }
    };

/** @type {(key: string) => Program} */
const waitsForATime =
    (key) =>
    ({ keyed, inside }) => {
        const guard = keyed.tryAcquire(key, 1000);
        if (guard) {
            inside(key);
            guard.release();
        }
    };

/** Uses the outer key twice at one time. @type {(outer: string, inner: string) => Program} */
const nests =
    (outer, inner) =>
    ({ keyed, inside }) => {
        keyed.exec(outer, () => {
            keyed.tryLock(outer);
            keyed.lock(inner);
            inside(inner);
            keyed.unlock(inner);
        });
    };

/** @type {(key: string) => Program} */
const repairs =
    (key) =>
    ({ keyed, inside, repair }) => {
        keyed.recover(key, () => repair(key));
        keyed.exec(key, () => inside(key));
    };

/** @type {Program} */
const reclaims = ({ keyed }) => keyed.reclaim();

/** @type {(...programs: Program[]) => Program} */
const inTurn =
    (...programs) =>
    (given) =>
        programs.forEach((program) => program(given));

/** @type {(...keys: string[]) => Program} */
const used = (...keys) => inTurn(...keys.map(locks));

/** @type {(key: string) => (program: Program) => Program} */
const holds = (key) => (program) => (given) => {
    given.keyed.lock(key);
    program(given);
    given.keyed.unlock(key);
};

/** @type {import('./explore.js').Scenario[]} */
export const KEYED_SCENARIOS = [
    { name: '2 lock', keys: [A], threads: [locks(A), locks(A)], states: 323 },
    { name: '2 acquire', keys: [A], threads: [acquires(A), acquires(A)], states: 367 },
    {
        name: '1 acquires, 1 waits for a time',
        keys: [A],
        threads: [acquires(A), waitsForATime(A)],
        states: 1200,
    },
    { name: '1 locks, 1 tries', keys: [A], threads: [locks(A), tries(A)], states: 738 },
    { name: '1 acquires, 1 reclaims', keys: [A], threads: [acquires(A), reclaims], states: 98 },
    { name: '2 acquire, 1 reclaims', keys: [A], threads: [acquires(A), acquires(A), reclaims], states: 3776 },
    {
        name: '1 locks, 1 acquires, 1 reclaims',
        keys: [A],
        threads: [locks(A), acquires(A), reclaims],
        states: 3494,
    },
    { name: '2 keys, 2 nest', keys: [A, B], threads: [nests(A, B), nests(A, B)], states: 1371 },
    { name: '2 keys, 1 nests, 1 reclaims', keys: [A, B], threads: [nests(A, B), reclaims], states: 304 },
    {
        name: '3 keys, 1 unused',
        keys: [A, B, C],
        before: used(C),
        threads: [acquires(A), acquires(B)],
        states: 593,
    },
    {
        name: '2 keys, 2 unused, 1 locks both',
        keys: [A, B],
        before: used(A, B),
        threads: [used(A, B), locks(B)],
        states: 1664,
    },
    {
        name: '1 of 5 keys at a time',
        keys: [A, B, C],
        threads: [used(A, B, C, A, B)],
        most: ENTRY,
        states: 58,
    },
    {
        name: '1 acquires twice, 1 reclaims',
        keys: [A],
        threads: [inTurn(acquires(A), acquires(A)), reclaims],
        states: 267,
    },
    {
        name: '1 key held, 1 of 3 others at a time',
        keys: [A, B, C, E],
        threads: [holds(A)(used(B, C, E, B))],
        most: 2 * ENTRY,
        states: 62,
    },
    {
        name: 'full, 2 keys held, 1 unused, 1 more',
        keys: [A, B, C, E],
        granules: 3 * ENTRY,
        threads: [holds(A)(holds(B)(used(C, E)))],
        states: 51,
    },
    {
        name: '2 stripes, 1 nests, 1 reclaims',
        keys: [A, D],
        stripes: 2,
        threads: [nests(A, D), reclaims],
        states: 708,
    },
    {
        name: 'full, room for 1 claim less, 2 lock',
        mayLackRoom: true,
        keys: [A],
        granules: ENTRY,
        threads: [locks(A), locks(A)],
        states: 291,
    },
    {
        name: 'full, 2 acquire',
        mayLackRoom: true,
        keys: [A],
        granules: ENTRY,
        threads: [acquires(A), acquires(A)],
        states: 371,
    },
    {
        name: 'full, room for 1 claim, 2 lock',
        keys: [A],
        granules: ENTRY + CLAIM,
        threads: [locks(A), locks(A)],
        states: 323,
    },
    {
        name: 'full, room for 1 claim, 2 acquire, 1 reclaims',
        isLong: true,
        keys: [A],
        granules: ENTRY + CLAIM,
        threads: [acquires(A), acquires(A), reclaims],
        states: 3776,
    },
    {
        name: 'full, 1 key unused, 2 lock',
        mayLackRoom: true,
        keys: [A, B],
        granules: 2 * ENTRY,
        before: used(B),
        threads: [locks(A), locks(A)],
        states: 341,
    },
    {
        name: 'full, 1 key unused, 2 acquire',
        mayLackRoom: true,
        keys: [A, B],
        granules: 2 * ENTRY,
        before: used(B),
        threads: [acquires(A), acquires(B)],
        states: 581,
    },
    {
        name: 'full, 2 stripes, 1 key unused',
        mayLackRoom: true,
        keys: [A, D],
        stripes: 2,
        granules: ENTRY,
        before: used(D),
        threads: [acquires(A), acquires(D)],
        states: 570,
    },
    { name: 'a death, 2 lock', keys: [A], mortals: [0], threads: [locks(A), locks(A)], states: 855 },
    { name: 'a death, 2 repair', keys: [A], mortals: [0], threads: [locks(A), repairs(A)], states: 3563 },
    {
        name: '2 deaths, 1 reclaims',
        keys: [A, B],
        before: used(B),
        mortals: [0, 1],
        threads: [acquires(A), reclaims],
        states: 638,
    },
    {
        name: 'a death, full',
        mayLackRoom: true,
        keys: [A, B],
        granules: 2 * ENTRY,
        before: used(B),
        mortals: [0],
        threads: [acquires(A), acquires(A)],
        states: 1066,
    },
    {
        name: 'a death, full, 2 stripes',
        mayLackRoom: true,
        keys: [A, D],
        stripes: 2,
        granules: ENTRY,
        before: used(D),
        mortals: [0],
        threads: [acquires(A), acquires(D)],
        states: 1322,
    },
    {
        name: '2 deaths, 2 acquire',
        keys: [A],
        mortals: [0, 1],
        threads: [acquires(A), acquires(A)],
        states: 2430,
    },
    { name: 'a death, 2 keys', keys: [A, B], mortals: [0], threads: [locks(A), locks(B)], states: 1063 },
    { name: '3 lock', isLong: true, keys: [A], threads: [locks(A), locks(A), locks(A)], states: 15796 },
    {
        name: '3 acquire',
        isLong: true,
        keys: [A],
        threads: [acquires(A), acquires(A), acquires(A)],
        states: 16480,
    },
    {
        name: '2 keys, 3 acquire',
        isLong: true,
        keys: [A, B],
        threads: [acquires(A), acquires(B), acquires(A)],
        states: 23500,
    },
    {
        name: '2 lock twice',
        isLong: true,
        keys: [A],
        threads: [inTurn(locks(A), acquires(A)), inTurn(acquires(A), locks(A))],
        states: 10387,
    },
    {
        name: 'full, 3 acquire',
        mayLackRoom: true,
        isLong: true,
        keys: [A, B],
        granules: 2 * ENTRY,
        before: used(B),
        threads: [acquires(A), acquires(A), acquires(B)],
        states: 36567,
    },
    {
        name: 'full, room for 1 claim, 3 lock',
        mayLackRoom: true,
        isLong: true,
        keys: [A],
        granules: ENTRY + CLAIM,
        threads: [locks(A), locks(A), locks(A)],
        states: 15028,
    },
    {
        name: 'a death, 2 acquire, 1 reclaims',
        isLong: true,
        keys: [A],
        mortals: [0],
        threads: [acquires(A), acquires(A), reclaims],
        states: 10402,
    },
    {
        name: 'a death, 3 lock',
        isLong: true,
        keys: [A],
        mortals: [0],
        threads: [locks(A), locks(A), locks(A)],
        states: 50421,
    },
];
