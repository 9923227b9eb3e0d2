/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Shared by the tests of docs/examples/sqlite. */
import assert from 'node:assert/strict';
import { build } from '../../docs/examples/sqlite/build.mjs';
import { NO_NETWORK } from '../runtimes/fetch.js';

/**
 * The least number of rounds. The longest call with stock mutexes varies by chance: in some rounds it is no
 * longer than a frame.
 */
const ROUNDS = 3;
const MOST_ROUNDS = 9;

/**
 * In most rounds, the longest call with stock mutexes lasts at least this many times as long as the longest
 * with holdfast's. On a busy machine it is 30 times and more.
 */
const LONGER = 3;

/** On a loaded machine the workers' throughput varies this much. */
const LEAST_THROUGHPUT = 0.5;

/**
 * The output of the program, and the page's additions; times in milliseconds.
 *
 * @typedef {object} Result
 * @property {string} mutexes
 * @property {number} longestCall of the main thread
 * @property {number} queries
 * @property {number} unanswered
 * @property {number} statementsPerSecond of all workers
 * @property {number} lost
 * @property {number} torn
 * @property {boolean} integrity
 * @property {number} busyEnters
 * @property {number} [longestFrame]
 */

/**
 * @param {string} line
 * @returns {Result}
 */
export function parse(line) {
    return JSON.parse(line);
}

/**
 * Builds the program.
 *
 * @param {import('node:test').TestContext} t is skipped, with a reason, if there is no network to fetch SQLite's sources; but not
 *     in CI
 * @returns {boolean} whether it is there
 */
export function isBuilt(t) {
    try {
        build();
    } catch (error) {
        if (!NO_NETWORK.test(String(error)) || process.env['CI'] === 'true') {
            throw error;
        }
        t.skip(String(error));
        return false;
    }
    return true;
}

/** @param {Result} result */
function assertSound(result) {
    const words = JSON.stringify(result);
    assert.equal(result.integrity, true, words);
    assert.equal(result.lost, 0, words);
    assert.equal(result.torn, 0, words);
    assert.equal(result.unanswered, 0, words);
    assert.equal(result.busyEnters, 0, `the main thread tried again: ${words}`);
    assert.ok(result.queries > 0 && result.statementsPerSecond > 0, words);
}

/**
 * Plays rounds until the longest call with stock mutexes is long enough to tell, and judges all rounds.
 *
 * @param {() => Promise<Result[]>} play a round, with both kinds of mutexes
 */
export async function checkRounds(play) {
    /** @type {Result[]} */
    const results = [];
    for (let round = 0; round < ROUNDS || (round < MOST_ROUNDS && !isShorter(results)); round += 1) {
        results.push(...(await play()));
    }
    results.forEach(assertSound);
    const words = results.map((result) => JSON.stringify(result)).join('\n');
    assert.ok(isShorter(results), `longest calls of the main thread:\n${words}`);
    const fastest = (/** @type {string} */ mutexes) =>
        Math.max(...ofKind(results, mutexes).map(({ statementsPerSecond }) => statementsPerSecond));
    assert.ok(fastest('holdfast') > fastest('stock') * LEAST_THROUGHPUT, `statements a second:\n${words}`);
}

/**
 * @param {Result[]} results
 * @param {string} mutexes
 */
function ofKind(results, mutexes) {
    const some = results.filter((result) => result.mutexes === mutexes);
    assert.ok(some.length > 0, `there are results with ${mutexes} mutexes`);
    return some;
}

/** @param {Result[]} results */
function isShorter(results) {
    const [ours, stock] = ['holdfast', 'stock'].map((mutexes) =>
        ofKind(results, mutexes)
            .map(({ longestCall }) => longestCall)
            .sort((one, other) => one - other),
    );
    const median = ours?.[Math.floor(ours.length / 2)] ?? Infinity;
    return median * LONGER < (stock?.at(-1) ?? 0);
}
