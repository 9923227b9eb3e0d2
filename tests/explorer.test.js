/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The parts of the explorer of models/ by themselves: what it would not notice if they were wrong. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { THREAD_BITS } from '../js-glue/layout.js';
import { firstInFairCycle } from '../models/fair-cycles.js';
import { checkChange } from '../models/mutex-word.js';
import { exploreScenario } from '../models/scenario.js';
import { shippedModule } from '../models/shipped-module.js';
import { identityOf, renamedWord, renamingsWithin } from '../models/symmetry.js';

const RESERVED = 1n << BigInt(THREAD_BITS);
const SOME_FLAG = 1n << 31n;
const STRANGER = 0x0fffff;

/**
 * @param {number} owner an identity, or 0
 * @param {number} [successor]
 * @param {bigint} [flags]
 */
function wordOf(owner, successor = 0, flags = 0n) {
    return BigInt(owner) | (BigInt(successor) << 32n) | flags;
}

/**
 * @param {number} size
 * @param {[from: number, to: number, thread: number][]} moves in the order of their beginnings
 */
function graphOf(size, moves) {
    const starts = Array.from(
        { length: size + 1 },
        (_, state) => moves.filter(([from]) => from < state).length,
    );
    return {
        starts: Uint32Array.from(starts),
        targets: Uint32Array.from(moves, ([, to]) => to),
        threads: Uint8Array.from(moves, ([, , thread]) => thread),
    };
}

test('explorer: a cycle in which every thread that can go on does is found, by a state of it', () => {
    const moves = /** @type {[number, number, number][]} */ ([
        [0, 1, 0],
        [1, 2, 1],
        [2, 1, 0],
    ]);
    const found = firstInFairCycle(graphOf(3, moves));
    assert.ok(found === 1 || found === 2, `state ${found}`);
});

test('explorer: a thread that looks again and again while another is about to go on is no livelock', () => {
    const moves = /** @type {[number, number, number][]} */ ([
        [0, 0, 0],
        [0, 1, 1],
    ]);
    assert.equal(firstInFairCycle(graphOf(2, moves)), -1);
});

test('explorer: a thread that can go on in some states of a cycle only may be kept from it for ever', () => {
    const moves = /** @type {[number, number, number][]} */ ([
        [0, 1, 0],
        [0, 2, 1],
        [1, 0, 0],
    ]);
    assert.notEqual(firstInFairCycle(graphOf(3, moves)), -1);
});

test('explorer: renamings exchange the threads of a group only, and the first one changes nothing', () => {
    const all = renamingsWithin(['a', 'b', 'a', 'a']);
    assert.equal(all.length, 6);
    assert.deepEqual(all[0]?.to, [0, 1, 2, 3]);
    assert.equal(new Set(all.map(({ to }) => to.join())).size, 6);
    for (const { to, from } of all) {
        assert.equal(to[1], 1);
        to.forEach((place, thread) => assert.equal(from[place], thread));
    }
});

test('explorer: a renamed word has other identities, and the same flags and strangers', () => {
    const swap = renamingsWithin(['a', 'a']).find(({ to }) => to[0] === 1);
    assert.ok(swap);
    const [one, other] = [identityOf(0), identityOf(1)];
    assert.equal(renamedWord(wordOf(one, other, RESERVED), swap), wordOf(other, one, RESERVED));
    assert.equal(renamedWord(wordOf(STRANGER, one, SOME_FLAG), swap), wordOf(STRANGER, other, SOME_FLAG));
    assert.equal(renamedWord(0n, swap), 0n);
    assert.equal(renamedWord(-1n, swap), -1n, 'as a signed number');
});

for (const threads of [2, 3]) {
    test(`explorer: of ${threads} workers that do the same, one state stands for as many as they have orders`, () => {
        const scenario = {
            name: 'workers',
            threads: new Array(threads).fill({ blocks: ['lock', 'lock'] }),
        };
        const module = shippedModule();
        const { states: all } = exploreScenario(module, { ...scenario, livelocks: true });
        const { states } = exploreScenario(module, scenario);
        const orders = threads === 2 ? 2 : 6;
        // In a few states threads are where others are too, so that fewer states differ from each.
        assert.ok(states * orders >= all, `${states} for ${all}`);
        assert.ok(states * orders < all * 1.05, `${states} for ${all}`);
    });
}

const [SELF, OTHER, THIRD] = [identityOf(0), identityOf(1), identityOf(2)];

/** @type {[what: string, before: bigint, after: bigint][]} */
const ALLOWED = [
    ['a free lock is taken', 0n, wordOf(SELF)],
    ['a lock is taken by whom it is reserved for', wordOf(SELF, OTHER, RESERVED), wordOf(SELF, OTHER)],
    ['a lock is released', wordOf(SELF, 0, SOME_FLAG), 0n],
    ['a lock is released to the successor', wordOf(SELF, OTHER), wordOf(OTHER, 0, RESERVED)],
    ['a successor leaves', wordOf(OTHER, SELF), wordOf(OTHER)],
    ['a place is taken', wordOf(OTHER), wordOf(OTHER, SELF)],
    ['a reservation is passed on', wordOf(SELF, OTHER, RESERVED), wordOf(OTHER, 0, RESERVED)],
];

/** @type {[what: string, before: bigint, after: bigint, message: RegExp][]} */
const FORBIDDEN = [
    ['a lock is taken that is held', wordOf(OTHER), wordOf(SELF), /neither free nor reserved/],
    ['a free lock has flags', SOME_FLAG, wordOf(SELF), /neither free nor reserved/],
    ['a reservation is taken', wordOf(OTHER, 0, RESERVED), wordOf(SELF), /reserved for another/],
    ['a release forgets the successor', wordOf(SELF, OTHER), 0n, /passes by the successor/],
    ['a release keeps flags', wordOf(SELF), SOME_FLAG, /passes by the successor, or leaves/],
    ['a release goes to a third', wordOf(SELF, OTHER), wordOf(THIRD, 0, RESERVED), /passes by the successor/],
    ['a place is taken away', wordOf(THIRD, OTHER), wordOf(THIRD, SELF), /place is taken/],
    ['a place is cleared by another', wordOf(THIRD, OTHER), wordOf(THIRD), /place is taken/],
];

for (const [what, before, after] of ALLOWED) {
    test(`explorer: ${what}, and nothing is said`, () => checkChange(before, after, SELF, false));
}

for (const [what, before, after, message] of FORBIDDEN) {
    test(`explorer: ${what}, and that is said`, () => {
        assert.throws(() => checkChange(before, after, SELF, false), message);
    });
}

test('explorer: a reservation may be taken where reservations end', () => {
    checkChange(wordOf(OTHER, 0, RESERVED), wordOf(SELF), SELF, true);
});
