/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { runRoundsInC } from '../c-programs.js';
import { runContended } from '../contended-run.js';
import { askEvery } from '../event-loop.js';
import { atLeast, atMost, figureOf } from '../figures.js';
import { runInTurns, throughput } from '../rounds.js';
import { ASK_EVERY_MS, percentiles } from './page-runs.js';

/* Threads on a machine that is full of other programs, as a phone is, or a server that tests run on. */

const BURNERS = 8;
const LEAST_RATIO = 0.95;
const MOST_RATIO = 1.05;

/** In turns of some milliseconds each thread gets its share of a core only now and then. */
const LEAST_SECONDS = 0.5;

/** @typedef {import('./scenarios.js').Options} Options */
/** @typedef {import('../contended-run.js').Measured} Measured */
/** @typedef {import('../event-loop.js').Asker} Asker */

/** @type {{ primitive: import('../c-programs.js').Primitive, threads: number, us: number, readsIn100?: number, rival: string }[]} */
const IN_C = [
    { primitive: 'condition', threads: 2, us: 0, rival: 'pthread_cond' },
    { primitive: 'condition, notified after the unlock', threads: 2, us: 0, rival: 'pthread_cond' },
    { primitive: 'mutex', threads: 2, us: 5, rival: 'pthread_mutex' },
    { primitive: 'mutex', threads: 4, us: 5, rival: 'pthread_mutex' },
    { primitive: 'semaphore', threads: 4, us: 5, rival: 'sem_t' },
    { primitive: 'rwlock', threads: 4, us: 5, readsIn100: 90, rival: 'pthread_rwlock' },
    { primitive: 'channel 16', threads: 2, us: 0, rival: 'pthread_cond' },
];

/** @param {Options} options */
async function inC({ full, rounds, seconds }) {
    const figures = [];
    for (const { primitive, us, rival, ...more } of full ? IN_C : IN_C.slice(0, 1)) {
        const load = { ...more, contestants: ['holdfast', rival], sectionMicroseconds: us, rounds, seconds };
        const results = await runRoundsInC('native', primitive, load);
        const [ours = [], theirs = []] = load.contestants.map((name) => results[name]?.map(throughput));
        const what = `in native C, ${primitive}, ${more.threads} threads, ${us} µs: all threads`;
        figures.push(figureOf(what, '/s', ours, { name: rival, rounds: theirs }, atLeast(LEAST_RATIO)));
    }
    return figures;
}

const IN_JS = [
    {
        what: 'from JavaScript, a mutex, 2 threads, 5 µs: all threads',
        unit: '/s',
        rival: { name: 'three-state futex', contestant: 'threeState' },
        load: { workers: 2, sectionMs: 0.005 },
        of: (/** @type {Measured[]} */ runs) => runs.map(({ rates }) => throughput(rates)),
        bound: atLeast(LEAST_RATIO),
    },
    {
        what: 'an event loop beside a worker, 50 µs: wait, 99th percentile',
        unit: 'ms',
        rival: { name: 'textbook lock', contestant: 'textbook' },
        load: {
            workers: 1,
            sectionMs: 0.05,
            start: (/** @type {Asker} */ asker) => askEvery(asker, ASK_EVERY_MS),
        },
        of: percentiles,
        bound: atMost(MOST_RATIO),
    },
];

/** @param {Options} options */
async function inJs({ rounds, seconds }) {
    const figures = [];
    for (const { what, unit, rival, load, of, bound } of IN_JS) {
        const both = [{ contestant: 'holdfast' }, rival];
        const results = await runInTurns(rounds, both, ({ contestant }) =>
            runContended({ ...load, contestant, seconds }),
        );
        const [ours = [], theirs = []] = results.map(({ runs }) => of(runs));
        figures.push(figureOf(what, unit, ours, { name: rival.name, rounds: theirs }, bound));
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

/** @type {import('./scenarios.js').Scenario} */
export const loaded = {
    name: 'loaded',
    inOtherProcesses: true,
    title: `beside ${BURNERS} other programs that never rest`,
    async run(given) {
        const options = given.full ? { ...given, seconds: Math.max(given.seconds, LEAST_SECONDS) } : given;
        return besideBurners(BURNERS, async () => ({
            figures: [...(await inC(options)), ...(await inJs(options))],
        }));
    },
};
