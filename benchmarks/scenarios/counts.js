/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { availableParallelism } from 'node:os';
import { runRoundsInC } from '../c-programs.js';
import { figureOf } from '../figures.js';

/* Counts the operations of a section under contention. They are the same on all machines, apart from which threads meet. A
 * change is a read-modify-write or a store, whether it succeeds or not. A cache line has to be fetched from another core if a
 * thread reads or changes it after another thread has changed it.
 *
 * On machines with many cores each fetch takes 0.1 µs or more, while the lock is in use. MCS makes a fixed number of fetches
 * per section, however many threads wait. A lock whose threads overtake each other makes fewer, as long as the thread that has
 * just left comes back first, and one more for each thread that reads the word when it changes. With holdfast those are the
 * heir, one per lock, and threads that have just come: they spin a hundred times, then they sleep. So with 64 cores the number
 * grows with the threads that arrive at one moment, not with those that wait. */

/** @typedef {import('../c-programs.js').Counts} Counts */

const FUTEX = 'three-state futex';
const QUEUE = 'MCS';

const SECTION_MICROSECONDS = 1;

/** @type {{ primitive: import('../c-programs.js').Primitive, what: string, readsIn100?: number, rivals?: readonly string[] }[]} */
const COUNTED = [
    { primitive: 'mutex', what: 'a section', rivals: [FUTEX, QUEUE] },
    { primitive: 'semaphore', what: 'a section' },
    { primitive: 'rwlock', what: 'a section, 99% of them reads', readsIn100: 99 },
    { primitive: 'condition', what: 'a turn, the mutex of it included' },
    { primitive: 'barrier', what: 'a thread and round' },
];

/** @type {[quantity: Exclude<keyof Counts, 'sections'>, words: string][]} */
const QUANTITIES = [
    ['changes', 'atomic changes'],
    ['fetches', 'lines from another core'],
    ['sleeps', 'sleeps'],
    ['wakes', 'calls that wake'],
];

/** @type {import('./scenarios.js').Scenario} */
export const counts = {
    name: 'counts',
    inOtherProcesses: true,
    title: 'atomic operations, wakes, sleeps and cache lines of a section under contention, natively',
    async run({ full, rounds, seconds }) {
        const figures = [];
        for (const { primitive, what, readsIn100, rivals = [] } of full ? COUNTED : COUNTED.slice(0, 1)) {
            for (const threads of full ? [2, 8] : [2]) {
                // Threads that spin in a queue need a core each.
                const others = rivals.filter((name) => name !== QUEUE || threads <= availableParallelism());
                const load = {
                    ...{ contestants: ['holdfast', ...others], rounds, threads, readsIn100 },
                    ...{ sectionMicroseconds: SECTION_MICROSECONDS, seconds: seconds / 2 },
                };
                /** @type {Record<string, Counts[]>} */
                const counted = await runRoundsInC('native', primitive, load, 'counted');
                const perSection = (/** @type {string} */ name, /** @type {keyof Counts} */ quantity) =>
                    (counted[name] ?? []).map((round) => round[quantity] / round.sections);
                for (const [quantity, words] of QUANTITIES) {
                    const figure = `${primitive}, ${threads} threads: ${words} ${what}`;
                    const ours = perSection('holdfast', quantity);
                    for (const name of others.length === 0 ? [undefined] : others) {
                        const beside = name && { name, rounds: perSection(name, quantity) };
                        figures.push(figureOf(figure, '', ours, beside || undefined));
                    }
                }
            }
        }
        return { figures };
    },
};
