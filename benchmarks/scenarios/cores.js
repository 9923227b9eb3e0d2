/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { availableParallelism } from 'node:os';
import { roundsInC } from '../c-programs.js';
import { runContended } from '../contended-run.js';
import { figureOf } from '../figures.js';
import { evenness, runInTurns, throughput } from '../rounds.js';

/* One lock of 1, 2, 4 and more threads, up to two a core. For machines with many cores: its JSON file is of use to others. */

const CORES = availableParallelism();
const POWERS = Array.from({ length: Math.ceil(Math.log2(CORES)) }, (_, power) => 2 ** power);
const THREADS = [...POWERS, CORES, 2 * CORES];
const SECTIONS_US = [0.2, 5, 50];

/** Of a wasm engine's workers, which take memory. */
const MOST_WORKERS = 256;

/** @typedef {{ rates: number[], longest: number }} Run */
/** @typedef {(threads: number, us: number, options: import('./scenarios.js').Options) => Promise<{ name: string, runs: Run[] }[]>} Place */

/** @type {Record<string, Place>} by what begins the figures; holdfast is the first of each */
const PLACES = {
    async 'in native C, '(threads, us, { rounds, seconds }) {
        const contestants = ['holdfast', 'pthread_mutex'];
        const load = { contestants, rounds, threads, sectionMicroseconds: us, seconds };
        const results = await roundsInC('native', 'mutex', load);
        return contestants.map((name) => ({
            name,
            runs: results.map((round) => ({ rates: round[name], longest: round[`${name}, longest wait`] })),
        }));
    },
    async 'from JavaScript, '(threads, us, { rounds, seconds }) {
        const contestants = [{ name: 'holdfast' }, { name: 'three-state futex', contestant: 'threeState' }];
        const load = { workers: Math.min(threads, MOST_WORKERS), sectionMs: us / 1000, seconds };
        return runInTurns(rounds, contestants, ({ name, contestant = name }) =>
            runContended({ ...load, contestant }),
        );
    },
};

/** @type {[what: string, unit: string, of: (run: Run) => number][]} */
const QUANTITIES = [
    ['sections of all', '/s', ({ rates }) => throughput(rates)],
    ["the slowest thread's, of the fastest's", '', ({ rates }) => evenness(rates)],
    ['longest wait of a thread', 'ms', ({ longest }) => longest],
];

/** @type {import('./scenarios.js').Scenario} */
export const cores = {
    name: 'cores',
    inOtherProcesses: true,
    title: `one lock of 1, 2, 4 and more threads, up to two a core (${CORES} here)`,
    async run(options) {
        const isBrief = !options.full && !options.isNamed;
        const figures = [];
        for (const us of isBrief ? SECTIONS_US.slice(1, 2) : SECTIONS_US) {
            for (const threads of isBrief ? [CORES] : new Set(THREADS)) {
                for (const [where, run] of Object.entries(PLACES)) {
                    const [ours, theirs] = await run(threads, us, options);
                    for (const [what, unit, of] of QUANTITIES) {
                        const title = `${where}${threads} threads, ${us} µs: ${what}`;
                        const beside = { name: theirs?.name ?? '', rounds: theirs?.runs.map(of) };
                        figures.push(figureOf(title, unit, (ours?.runs ?? []).map(of), beside));
                    }
                }
            }
        }
        return { figures };
    },
};
