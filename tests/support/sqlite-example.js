/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* What the tests of docs/examples/sqlite share. */
import assert from 'node:assert/strict';
import { build } from '../../docs/examples/sqlite/build.mjs';
import { NO_NETWORK } from '../runtimes/fetch.js';

/** Of some, for a call that is as short as the statement may still be long where the machine was busy elsewhere. */
export const ROUNDS = 3;

/** How many times longer the longest call with stock mutexes has to be. It is 30 times and more on a busy machine. */
const LONGER = 3;

/** The throughput of workers differs that much from run to run on a loaded machine. */
const LEAST_THROUGHPUT = 0.5;

/**
 * What the program prints, and the page adds; times in milliseconds.
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
 * @param {import('node:test').TestContext} t is skipped, with words, where SQLite's sources cannot be fetched for want
 *     of a network; but not in CI
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
export function assertSound(result) {
    const words = JSON.stringify(result);
    assert.equal(result.integrity, true, words);
    assert.equal(result.lost, 0, words);
    assert.equal(result.torn, 0, words);
    assert.equal(result.unanswered, 0, words);
    assert.equal(result.busyEnters, 0, `the main thread tried again: ${words}`);
    assert.ok(result.queries > 0 && result.statementsPerSecond > 0, words);
}

/** @param {Result[]} results of all rounds, with both kinds of mutexes */
export function assertBetter(results) {
    const [ours, stock] = ['holdfast', 'stock'].map((kind) =>
        results.filter(({ mutexes }) => mutexes === kind),
    );
    assert.ok(ours?.length && ours.length === stock?.length);
    const words = results.map((result) => JSON.stringify(result)).join('\n');
    const shortest = (/** @type {Result[]} */ of) => Math.min(...of.map(({ longestCall }) => longestCall));
    assert.ok(shortest(ours) * LONGER < shortest(stock), `longest calls of the main thread:\n${words}`);
    const fastest = (/** @type {Result[]} */ of) =>
        Math.max(...of.map(({ statementsPerSecond }) => statementsPerSecond));
    assert.ok(fastest(ours) > fastest(stock) * LEAST_THROUGHPUT, `statements a second:\n${words}`);
}
