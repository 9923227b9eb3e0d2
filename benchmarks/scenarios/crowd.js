/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { runRoundsInC } from '../c-programs.js';
import { runContended } from '../contended-run.js';
import { askEvery } from '../event-loop.js';
import { atLeast, figureOf } from '../figures.js';
import { evenness, runInTurns, throughput } from '../rounds.js';
import { ASK_EVERY_MS, percentiles } from './page-runs.js';

/* The cost of many more threads than cores: each thread claims the slot from time to time, and each claim
 * costs switches. */

const FEW = 2;
const CROWDS = [8, 16, 32];
const QUICK_CROWDS = [32];
const US = 5;

/** Each thread gets the lock only every few milliseconds: in a shorter run their shares would differ by
 * chance. */
const LEAST_SECONDS = 2;

/** The least throughput of a crowd, as a share of two threads' throughput. */
const LEAST_SHARE = 0.95;

/** Bounds of values, not of ratios. */
const EVEN = { of: /** @type {const} */ ('value'), least: 0.5 };
const SOON = { of: /** @type {const} */ ('value'), most: 20 };

const PAGE_SECTION_MS = 0.02;

/** @type {Record<string, (threads: number, seconds: number) => Promise<number[]>>} by platform: sections per second, by thread */
const PLACES = {
    '': async (workers, seconds) =>
        (await runContended({ contestant: 'holdfast', workers, sectionMs: US / 1000, seconds })).rates,
    async 'in native C, '(threads, seconds) {
        const load = { contestants: ['holdfast'], rounds: 1, threads, sectionMicroseconds: US, seconds };
        return (await runRoundsInC('native', 'mutex', load))['holdfast']?.[0] ?? [];
    },
};

/** @type {import('./scenarios.js').Scenario} */
export const crowd = {
    name: 'crowd',
    title: 'many more threads than cores, which lock again and again',
    async run({ full, rounds, seconds: ofOthers }) {
        const seconds = Math.max(ofOthers, LEAST_SECONDS);
        const figures = [];
        for (const [where, run] of Object.entries(PLACES)) {
            const crowds = [FEW, ...(full ? CROWDS : QUICK_CROWDS)].map((threads) => ({ threads }));
            const [few, ...many] = await runInTurns(rounds, crowds, ({ threads }) => run(threads, seconds));
            const beside = { name: `${FEW} threads`, rounds: few?.runs.map(throughput) };
            for (const { threads, runs } of many) {
                const what = `${where}${threads} threads, ${US} µs`;
                const shares = `${what}: the slowest thread's, of the fastest's`;
                const all = runs.map(throughput);
                figures.push(
                    figureOf(`${what}: sections of all`, '/s', all, beside, atLeast(LEAST_SHARE)),
                    figureOf(shares, '', runs.map(evenness), undefined, EVEN),
                );
            }
        }
        const load = {
            contestant: 'holdfast',
            workers: Math.max(...CROWDS),
            sectionMs: PAGE_SECTION_MS,
            seconds,
        };
        const [asked] = await runInTurns(rounds, [{}], () =>
            runContended({ ...load, start: (asker) => askEvery(asker, ASK_EVERY_MS) }),
        );
        const beside = `the event loop beside ${load.workers} threads, ${PAGE_SECTION_MS * 1000} µs`;
        const waits = percentiles(asked?.runs ?? []);
        figures.push(figureOf(`${beside}: wait, 99th percentile`, 'ms', waits, undefined, SOON));
        return { figures };
    },
};
