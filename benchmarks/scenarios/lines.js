/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { LINE_BYTES, LOCK_BYTES } from '../arena.js';
import { runRoundsInC } from '../c-programs.js';
import { runContended } from '../contended-run.js';
import { figureOf } from '../figures.js';
import { throughput } from '../rates.js';
import { runInTurns } from '../rounds.js';

/** @typedef {import('./scenarios.js').Options} Options */

const THREADS = 2;

/** The first is what the others are compared with. */
const DISTANCES = [LOCK_BYTES, LINE_BYTES, 2 * LINE_BYTES];

const KINDS = { holdfast: 'a mutex a thread', rwLockShared: 'an rwlock a thread, shared' };
const KINDS_IN_C = {
    mutex: 'a mutex a thread',
    rwlock: 'an rwlock a thread, shared',
    semaphore: 'a semaphore a thread',
    event: 'an event a thread, set and reset',
    data: 'one mutex, and what it guards',
};

const PLACES = /** @type {const} */ ({ wasm: 'in C', native: 'in native C' });

/** @param {number} distance */
function apart(distance) {
    return `${distance} bytes apart`;
}

/**
 * @param {string} what
 * @param {number[][]} rates by distance and round
 */
function compare(what, [near = [], ...far]) {
    const beside = { name: apart(LOCK_BYTES), rounds: near };
    return far.map((rounds, at) =>
        figureOf(`${what}, ${apart(DISTANCES[at + 1] ?? NaN)}: sections of both`, '/s', rounds, beside),
    );
}

/** @param {Options} options */
async function inJavaScript({ rounds, seconds }) {
    const variants = Object.keys(KINDS).flatMap((contestant) =>
        DISTANCES.map((distance) => ({ contestant, distance })),
    );
    const locks = (THREADS * Math.max(...DISTANCES)) / LOCK_BYTES;
    const job = () => /** @type {const} */ ('neighbours');
    const results = await runInTurns(rounds, variants, (variant) =>
        runContended({ ...variant, workers: THREADS, sectionMs: 0, locks, job, seconds: seconds / 2 }),
    );
    return Object.entries(KINDS).flatMap(([key, name]) => {
        const ofKind = results.filter(({ contestant }) => contestant === key);
        return compare(
            `in JavaScript, ${name}`,
            ofKind.map(({ runs }) => runs.map(throughput)),
        );
    });
}

/**
 * @param {'wasm' | 'native'} target
 * @param {Options} options
 */
async function inC(target, { rounds, seconds }) {
    const contestants = Object.keys(KINDS_IN_C).flatMap((kind) =>
        DISTANCES.map((distance) => `${kind} ${distance}`),
    );
    const load = { contestants, rounds, threads: THREADS, sectionMicroseconds: 0, seconds: seconds / 4 };
    const rates = await runRoundsInC(target, 'neighbours', load);
    const ofRounds = (/** @type {string} */ name) =>
        (rates[name] ?? []).map((round) => throughput({ rates: round }));
    return Object.entries(KINDS_IN_C).flatMap(([kind, what]) =>
        compare(
            `${PLACES[target]}, ${what}`,
            DISTANCES.map((distance) => ofRounds(`${kind} ${distance}`)),
        ),
    );
}

/** @type {import('./scenarios.js').Scenario} */
export const lines = {
    name: 'lines',
    inOtherProcesses: true,
    title: 'two threads, each with a lock of its own: in one cache line, and in two; and a lock beside what it guards',
    async run(options) {
        const native = options.full ? await inC('native', options) : [];
        return { figures: [...(await inJavaScript(options)), ...(await inC('wasm', options)), ...native] };
    },
};
