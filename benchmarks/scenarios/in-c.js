/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { runInC } from '../c-programs.js';
import { atLeast, compare, valueAtMost } from '../figures.js';
import { throughput } from '../rounds.js';

/* Threads in C that do other things than to contend for one lock. */

/** @typedef {import('../scenarios.js').Options} Options */
/** @typedef {import('../scenarios.js').Scenario} Scenario */
/** @typedef {import('../c-programs.js').MeasuredInC} Run */

/** A channel beside the same ring with one mutex and two conditions of pthread (c/channels.c). @type {Scenario} */
export const channelC = {
    name: 'channel-c',
    inOtherProcesses: true,
    title: 'a channel in native C: one thread sends messages of 16 bytes, another receives them',
    async run({ full, rounds, seconds }) {
        const figures = [];
        // How many messages a thread sends, or receives, each time that it has the lock.
        for (const amount of full ? [1, 16, 64, 256] : [16]) {
            const load = { rounds, threads: 2, us: 0, amount, seconds: seconds / 2 };
            const [ours, theirs] = await runInC('native', { ...load, primitive: 'channel' });
            const ring = { title: 'the same ring with pthread_cond', runs: theirs?.runs ?? [] };
            const what = `in native C, ${amount} message${amount === 1 ? '' : 's'} a lock: messages`;
            const received = (/** @type {Run} */ { rates }) => rates[1] ?? NaN;
            figures.push(...compare(what, '/s', received, ours ? [ours, ring] : [], atLeast(1)));
        }
        return figures;
    },
};

/** Distances in bytes; the others are compared with the first one. */
const [NEAR, ...FAR] = [16, 64, 128];

const KINDS = {
    mutex: 'a mutex a thread',
    data: 'one mutex, and what it guards',
};

/** @param {import('../c-programs.js').Target} target @param {Options} options */
async function linesOf(target, { rounds, seconds }) {
    const load = { rounds, threads: 2, us: 0, seconds: seconds / 4 };
    const results = await runInC(target, { ...load, primitive: 'neighbours' });
    return Object.entries(KINDS).flatMap(([kind, what]) =>
        FAR.flatMap((bytes) => {
            const both = [bytes, NEAR].flatMap((apart) =>
                results
                    .filter(({ title }) => title === `${kind} ${apart}`)
                    .map(({ runs }) => ({ title: `${apart} bytes apart`, runs })),
            );
            const where = target === 'native' ? 'native C' : 'C';
            const title = `in ${where}, ${what}, ${bytes} bytes apart: sections of both`;
            return compare(title, '/s', throughput, both);
        }),
    );
}

/**
 * Two locks in one cache line: each step of one thread takes the line away from the other thread. Two locks need two lines; a
 * lock and its data may share one.
 * @type {Scenario}
 */
export const lines = {
    name: 'lines',
    inOtherProcesses: true,
    title: 'two threads, each with a lock of its own: in one cache line, and in two; and a lock beside what it guards',
    async run(options) {
        const native = options.full ? await linesOf('native', options) : [];
        return [...(await linesOf('wasm', options)), ...native];
    },
};

/** After this time the slices of a sleeping thread have grown to the longest. */
const SETTLE_SECONDS = 2;

/**
 * The most steps per second of all sleeping threads together (HF__WAKE_OF_EACH_NS). The measurement is long
 * enough for one step of each.
 */
const LOOKS_A_SECOND = 500;

/** The largest share of a core that this number of threads may take. @type {[threads: number, percent: number][]} */
const AIMS = [
    [1_000, 1],
    [10_000, 5],
];

/** @type {Scenario} */
export const idle = {
    name: 'idle',
    inOtherProcesses: true,
    title: 'what threads cost that sleep in a wait, natively; with --full 10,000 of them, too',
    async run({ full, seconds: ofOthers }) {
        const figures = [];
        for (const [threads, most] of full ? AIMS : AIMS.slice(0, 1)) {
            const seconds = Math.max(ofOthers, threads / LOOKS_A_SECOND);
            const load = { rounds: 1, threads, us: 0, warmUp: SETTLE_SECONDS, seconds };
            // The mutex waits at the gate, the event for a change of state; pthread_mutex is compared with both.
            const results = await runInC('native', { ...load, primitive: 'sleepers' });
            for (const ours of results.slice(0, -1)) {
                const what = `${threads} threads that sleep (${ours.title})`;
                const percent = (/** @type {Run} */ { cores }) => cores * 100;
                const both = [ours, ...results.slice(-1)];
                figures.push(...compare(what, '% of a core', percent, both, valueAtMost(most)));
            }
        }
        return figures;
    },
};

/* The library and reference locks on a model of a machine with a core for each thread (c/counted.c), which counts. A change
 * is a read-modify-write or a store, whether it succeeds or not. A cache line is fetched if another core has it, or has to
 * lose it: the lock's lines, and the one line of the section's data. */

const CORES = [8, 16, 64];

/** @type {{ primitive: import('../c-programs.js').Primitive, what: string, amount?: number, isLong?: boolean }[]} */
const COUNTED = [
    { primitive: 'mutex', what: 'a section', isLong: true },
    { primitive: 'semaphore', what: 'a section' },
    { primitive: 'rwlock', what: 'a section, 99% of them reads', amount: 99 },
    { primitive: 'condition', what: 'a turn, the mutex of it included' },
    { primitive: 'barrier', what: 'a thread and round' },
];

/** @param {keyof Run['counts']} quantity */
const each = (quantity) => (/** @type {Run} */ run) => run.counts[quantity] / run.sections;

/** @type {[what: string, unit: string, of: (run: Run) => number][]} */
const QUANTITIES = [
    ['lines fetched', '', each('fetches')],
    ['atomic changes', '', each('changes')],
    ['calls that wake', '', each('wakes')],
];

/** @type {typeof QUANTITIES} */
const MODELLED = [
    ['modelled, all threads', '/s', throughput],
    ['modelled, longest wait of a thread', 'ms', ({ longest }) => longest],
];

/** @type {Scenario} */
export const counts = {
    name: 'counts',
    inOtherProcesses: true,
    title: 'atomic operations, wakes, sleeps and cache lines of a section under contention, on a model of 2 to 64 cores',
    async run({ full }) {
        const figures = [];
        for (const { what, isLong, ...more } of full ? COUNTED : COUNTED.slice(0, 1)) {
            // Some turns of 64 waiters, of which each may have to wait for a millisecond. In the model's time.
            const seconds = full && isLong ? 0.1 : 0.02;
            const contestants = ['holdfast', ...(isLong ? ['three-state futex', 'MCS', 'parking_lot'] : [])];
            for (const threads of full && isLong ? CORES : CORES.slice(0, 1)) {
                // The model gives the same each time.
                const load = { ...more, contestants, threads, us: 1, rounds: 1, seconds };
                const results = await runInC('native', load, 'counted');
                for (const [quantity, unit, of] of isLong ? [...MODELLED, ...QUANTITIES] : QUANTITIES) {
                    const title = `${more.primitive}, ${threads} cores: ${quantity}`;
                    figures.push(...compare(unit === '' ? `${title} ${what}` : title, unit, of, results));
                }
            }
        }
        return figures;
    },
};
