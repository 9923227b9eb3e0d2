/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { availableParallelism } from 'node:os';
import { runInC } from '../c-programs.js';
import { runContended } from '../contended-run.js';
import { atLeast, compare, valueAtLeast, valueAtMost } from '../figures.js';
import { ASKING, P99, percentile } from '../frames/loop-waits.js';
import { evenness, runInTurns, throughput } from '../rounds.js';

/* One mutex of few threads and of many. */

/** @typedef {import('../scenarios.js').Scenario} Scenario */
/** @typedef {{ rates: number[], longest: number }} Run */
/** @typedef {{ threads: number, us: number, rounds: number, seconds: number }} Load */

const RIVALS = { holdfast: 'holdfast', 'three-state futex': 'threeState' };

/** @param {Load} load @param {readonly (keyof typeof RIVALS)[]} contestants */
function runInJs({ threads: workers, us, rounds, seconds }, contestants) {
    const titled = contestants.map((title) => ({ title }));
    return runInTurns(rounds, titled, ({ title }) =>
        runContended({ contestant: RIVALS[title], workers, sectionMs: us / 1000, seconds }),
    );
}

/** By what begins the figures. @type {Record<string, (load: Load) => Promise<{ runs: Run[] }[]>>} */
const OF_CROWDS = {
    '': (load) => runInJs(load, ['holdfast']),
    'in native C, ': (load) => runInC('native', { ...load, contestants: ['holdfast'] }),
};

const CROWDS = [8, 16, 32];

/** Each thread gets the lock only every few milliseconds: in a shorter run their shares would differ by
 * chance. */
const LEAST_SECONDS = 2;

/** The least throughput of a crowd, as a share of two threads' throughput. */
const LEAST_SHARE = 0.95;

const EVEN = valueAtLeast(0.5);
const SOON = valueAtMost(20);

const CROWD_AND_LOOP = { workers: Math.max(...CROWDS), sectionMs: 0.02, cycle: ASKING };

/**
 * The cost of many more threads than cores: each thread claims the slot from time to time, and each claim costs switches.
 * @type {Scenario}
 */
export const crowd = {
    name: 'crowd',
    title: 'many more threads than cores, which lock again and again',
    async run({ full, rounds, seconds: ofOthers }) {
        const seconds = Math.max(ofOthers, LEAST_SECONDS);
        const sizes = [2, ...(full ? CROWDS : CROWDS.slice(-1))].map((threads) => ({
            threads,
            title: `${threads} threads`,
        }));
        const figures = [];
        for (const [where, run] of Object.entries(OF_CROWDS)) {
            const measured = await runInTurns(rounds, sizes, ({ threads }) =>
                run({ threads, us: 5, rounds: 1, seconds }),
            );
            const results = measured.map(({ title, runs }) => ({
                title,
                runs: runs.flatMap(([ours]) => ours?.runs ?? []),
            }));
            for (const many of results.slice(1)) {
                const what = `${where}${many.title}, 5 µs`;
                const both = [many, ...results.slice(0, 1)];
                const shares = `${what}: the slowest thread's, of the fastest's`;
                figures.push(
                    ...compare(`${what}: sections of all`, '/s', throughput, both, atLeast(LEAST_SHARE)),
                    ...compare(shares, '', evenness, [many], EVEN),
                );
            }
        }
        const asked = await runInTurns(rounds, [{ title: 'holdfast' }], ({ title: contestant }) =>
            runContended({ ...CROWD_AND_LOOP, contestant, seconds }),
        );
        const { workers, sectionMs } = CROWD_AND_LOOP;
        const beside = `the event loop beside ${workers} threads, ${sectionMs * 1000} µs`;
        return [...figures, ...compare(`${beside}: ${P99}`, 'ms', percentile, asked, SOON)];
    },
};

const CORES = availableParallelism();
const SECTIONS_US = [0.2, 5, 50];

/** @type {{ where: string, most: number, run: (load: Load) => Promise<{ title: string, runs: Run[] }[]> }[]} */
const OF_CORES = [
    {
        where: 'in native C',
        most: 10_000,
        run: (load) => runInC('native', { ...load, contestants: ['holdfast', 'pthread_mutex'] }),
    },
    {
        where: 'from JavaScript',
        most: 256, // each has an engine, which takes memory
        run: (load) => runInJs(load, ['holdfast', 'three-state futex']),
    },
];

/** The numbers of threads that are measured. @param {number} cores @param {number} most */
export function threadCounts(cores, most) {
    const powers = Array.from({ length: Math.ceil(Math.log2(cores)) }, (_, power) => 2 ** power);
    return new Set([...powers, cores, 2 * cores].map((threads) => Math.min(threads, most)));
}

/** @type {[what: string, unit: string, of: (run: Run) => number][]} */
const QUANTITIES = [
    ['sections of all', '/s', throughput],
    ["the slowest thread's, of the fastest's", '', evenness],
    ['longest wait of a thread', 'ms', ({ longest }) => longest],
];

/** For machines with many cores: its JSON file is of use to others. @type {Scenario} */
export const cores = {
    name: 'cores',
    inOtherProcesses: true,
    title: `one lock of 1, 2, 4 and more threads, up to two a core (${CORES} here)`,
    async run({ full, isNamed, rounds, seconds }) {
        const isBrief = !full && !isNamed;
        const figures = [];
        for (const us of isBrief ? SECTIONS_US.slice(1, 2) : SECTIONS_US) {
            for (const { where, most, run } of OF_CORES) {
                for (const threads of isBrief ? [Math.min(CORES, most)] : threadCounts(CORES, most)) {
                    const results = await run({ threads, us, rounds, seconds });
                    for (const [what, unit, of] of QUANTITIES) {
                        const title = `${where}, ${threads} threads, ${us} µs: ${what}`;
                        figures.push(...compare(title, unit, of, results));
                    }
                }
            }
        }
        return figures;
    },
};
