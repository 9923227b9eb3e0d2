/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { LockSpace } from '../../js-glue/index.js';
import { Member } from '../stress/member.js';
import { waitWithoutLimit } from '../support/endless.js';
import { within } from '../support/watchdog.js';
import { GAMES } from './games.js';
import { playMatch } from './match.js';

/* Matches on the threads of the stress test. No thread dies here, and no wait has a limit that would hide a
 * lost wake. */

export const THREADS = [1, 2, 3, 4, 8];
/** Longer than any match of that many operations takes, even on the slowest machine. */
const LEAST_LIMIT_MS = 60_000;
const LIMIT_MS_PER_OPERATION = 2;

/**
 * @typedef {object} Place
 * @property {WebAssembly.Module} endless the module with waits that have no limit
 * @property {import('../stress/member.js').StartThread} startThread
 */

/**
 * @param {Place} place
 * @param {{ name: string, count: number, operations: number, seed: number }} match count: workers
 * @returns {Promise<number>} operations
 */
export async function playIn({ endless, startThread }, { count, operations, ...match }) {
    waitWithoutLimit();
    const space = new LockSpace().handle;
    const members = Array.from({ length: count }, () => new Member(startThread, true));
    const limit = LEAST_LIMIT_MS + operations * LIMIT_MS_PER_OPERATION;
    try {
        const begin = (/** @type {Member} */ member) =>
            member.ask('begin', { words: member.words.shared, space, endless });
        await Promise.all(members.map(begin));
        return await playMatch({
            ...match,
            operations,
            threads: members.map((member) => (part) => member.ask('play', part)),
            within: (promise, what, objects) => within(promise, what, objects, limit),
        });
    } finally {
        await Promise.all(members.map((member) => member.terminate()));
    }
}

/**
 * All games, each with all numbers of threads.
 *
 * @param {Place & { operations: number, seed: number, tell: (line: string) => void }} options
 */
export async function playAll({ operations, seed, tell, ...place }) {
    for (const name of GAMES.keys()) {
        let sum = 0;
        for (const count of THREADS) {
            sum += await playIn(place, { name, count, operations, seed });
        }
        tell(`${name}: ${sum} operations, with ${THREADS.join(', ')} workers; every promise was kept`);
    }
}
