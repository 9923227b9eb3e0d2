/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { runInC } from '../c-programs.js';
import { runContended } from '../contended-run.js';
import { atLeast, atMost, compare } from '../figures.js';
import { ASKING, P99, percentile } from '../frames/loop-waits.js';
import { runInTurns, throughput } from '../rounds.js';

/* Threads on a machine that is full of other programs, as a phone is, or a server that tests run on. */

const BURNERS = 8;
const LEAST_RATIO = 0.95;
const MOST_RATIO = 1.05;

/** In turns of some milliseconds each thread gets its share of a core only now and then. */
const LEAST_SECONDS = 0.5;

/** @typedef {import('../scenarios.js').Options} Options */

/** @type {{ what?: string, primitive: import('../c-programs.js').Primitive, amount?: number, threads: number, us: number, rival: string }[]} */
const IN_C = [
    { primitive: 'condition', threads: 2, us: 0, rival: 'pthread_cond' },
    {
        what: 'condition, notified after the unlock',
        ...{ primitive: 'condition', amount: 1, threads: 2, us: 0, rival: 'pthread_cond' },
    },
    { primitive: 'mutex', threads: 2, us: 5, rival: 'pthread_mutex' },
    { primitive: 'mutex', threads: 4, us: 5, rival: 'pthread_mutex' },
    { primitive: 'semaphore', threads: 4, us: 5, rival: 'sem_t' },
    { primitive: 'rwlock', amount: 90, threads: 4, us: 5, rival: 'pthread_rwlock' },
    {
        what: 'channel 16',
        ...{ primitive: 'channel', amount: 16, threads: 2, us: 0, rival: 'pthread_cond' },
    },
];

/** @param {Options} options */
async function inC({ full, rounds, seconds }) {
    const figures = [];
    for (const { what, rival, ...load } of full ? IN_C : IN_C.slice(0, 1)) {
        const contestants = ['holdfast', rival];
        const results = await runInC('native', { ...load, contestants, rounds, seconds });
        const { primitive, threads, us } = load;
        const title = `in native C, ${what ?? primitive}, ${threads} threads, ${us} µs: all threads`;
        figures.push(...compare(title, '/s', throughput, results, atLeast(LEAST_RATIO)));
    }
    return figures;
}

const IN_JS = [
    {
        what: 'from JavaScript, a mutex, 2 threads, 5 µs: all threads',
        ...{ unit: '/s', of: throughput, bound: atLeast(LEAST_RATIO) },
        rival: { title: 'three-state futex', contestant: 'threeState' },
        load: { workers: 2, sectionMs: 0.005 },
    },
    {
        what: `an event loop beside a worker, 50 µs: ${P99}`,
        ...{ unit: 'ms', of: percentile, bound: atMost(MOST_RATIO) },
        rival: { title: 'textbook lock', contestant: 'textbook' },
        load: { workers: 1, sectionMs: 0.05, cycle: ASKING },
    },
];

/** @param {Options} options */
async function inJs({ rounds, seconds }) {
    const figures = [];
    for (const { what, unit, of, bound, rival, load } of IN_JS) {
        const both = [{ title: 'holdfast', contestant: 'holdfast' }, rival];
        const results = await runInTurns(rounds, both, ({ contestant }) =>
            runContended({ ...load, contestant, seconds }),
        );
        figures.push(...compare(what, unit, of, results, bound));
    }
    return figures;
}

/** Uses a core until its parent is no more. */
const BURN = `while kill -0 ${process.pid}; do i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done; done`;

/**
 * Runs beside other programs, and ends them.
 * @template T
 * @param {number} count
 * @param {(pids: number[]) => Promise<T>} run
 */
export async function besideBurners(count, run) {
    const burners = Array.from({ length: count }, () => spawn('/bin/sh', ['-c', BURN], { stdio: 'ignore' }));
    try {
        return await run(burners.map(({ pid = NaN }) => pid));
    } finally {
        const ends = burners.map((burner) => once(burner, 'exit'));
        burners.forEach((burner) => burner.kill('SIGKILL'));
        await Promise.all(ends);
    }
}

/** @type {import('../scenarios.js').Scenario} */
export const loaded = {
    name: 'loaded',
    inOtherProcesses: true,
    title: `beside ${BURNERS} other programs that never rest`,
    async run(given) {
        const options = given.full ? { ...given, seconds: Math.max(given.seconds, LEAST_SECONDS) } : given;
        return besideBurners(BURNERS, async () => [...(await inC(options)), ...(await inJs(options))]);
    },
};
