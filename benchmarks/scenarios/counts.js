/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { roundsInC } from '../c-programs.js';
import { figureOf } from '../figures.js';
import { throughput } from '../rounds.js';

/* Runs the library and reference locks on a model of a machine with a core for each thread (c/counted.c), which counts. A change
 * is a read-modify-write or a store, whether it succeeds or not. A cache line is fetched if another core has it, or has to
 * lose it: the lock's lines, and the one line of the section's data. */

const SECTION_MICROSECONDS = 1;
const CORES = [8, 16, 64];

/** @type {{ primitive: import('../c-programs.js').Primitive, what: string, readsIn100?: number, rivals?: readonly string[] }[]} */
const COUNTED = [
    { primitive: 'mutex', what: 'a section', rivals: ['three-state futex', 'MCS', 'parking_lot'] },
    { primitive: 'semaphore', what: 'a section' },
    { primitive: 'rwlock', what: 'a section, 99% of them reads', readsIn100: 99 },
    { primitive: 'condition', what: 'a turn, the mutex of it included' },
    { primitive: 'barrier', what: 'a thread and round' },
];

/** Some turns of 64 waiters, of which each may have to wait for a millisecond. In the model's time. */
const SECONDS = 0.1;
const QUICK_SECONDS = 0.02;

/** @typedef {{ counts: import('../c-programs.js').Counts, rates: number[], longest: number }} Run */

/** @param {keyof import('../c-programs.js').Counts} quantity */
const each = (quantity) => (/** @type {Run} */ run) => run.counts[quantity] / run.counts.sections;

/** @type {[what: string, unit: string, of: (run: Run) => number][]} */
const QUANTITIES = [
    ['lines fetched', '', each('fetches')],
    ['atomic changes', '', each('changes')],
    ['calls that wake', '', each('wakes')],
];

/** @type {typeof QUANTITIES} */
const MODELLED = [
    ['modelled, all threads', '/s', ({ rates }) => throughput(rates)],
    ['modelled, longest wait of a thread', 'ms', ({ longest }) => longest],
];

/** @type {import('./scenarios.js').Scenario} */
export const counts = {
    name: 'counts',
    inOtherProcesses: true,
    title: 'atomic operations, wakes, sleeps and cache lines of a section under contention, on a model of 2 to 64 cores',
    async run({ full }) {
        const figures = [];
        for (const { primitive, what, readsIn100, rivals } of full ? COUNTED : COUNTED.slice(0, 1)) {
            const isLong = full && rivals !== undefined;
            for (const threads of isLong ? CORES : CORES.slice(0, 1)) {
                const contestants = ['holdfast', ...(rivals ?? [])];
                // The model gives the same each time.
                const load = {
                    contestants,
                    threads,
                    readsIn100,
                    rounds: 1,
                    seconds: isLong ? SECONDS : QUICK_SECONDS,
                };
                const loadOf = { ...load, sectionMicroseconds: SECTION_MICROSECONDS };
                const [round = {}] = await roundsInC('native', primitive, loadOf, 'counted');
                const [ours, ...theirs] = contestants.map((name) => ({
                    name,
                    rates: round[name],
                    longest: round[`${name}, longest wait`],
                    counts: round[`${name}, counts`],
                }));
                for (const [quantity, unit, of] of rivals ? [...MODELLED, ...QUANTITIES] : QUANTITIES) {
                    const figure = `${primitive}, ${threads} cores: ${quantity}${unit === '' ? ` ${what}` : ''}`;
                    for (const rival of rivals ? theirs : [undefined]) {
                        const beside = rival && { name: rival.name, rounds: [of(rival)] };
                        figures.push(figureOf(figure, unit, ours ? [of(ours)] : [], beside));
                    }
                }
            }
        }
        return { figures };
    },
};
