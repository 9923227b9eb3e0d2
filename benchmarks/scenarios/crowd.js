/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { runRoundsInC } from '../c-programs.js';
import { runContended } from '../contended-run.js';
import { askEvery } from '../event-loop.js';
import { atLeast, figureOf } from '../figures.js';
import { evenness, throughput } from '../rates.js';
import { runInTurns } from '../rounds.js';
import { percentiles } from './page-runs.js';

/* The cost of many more threads than cores: each of them claims its turn now and then, and each turn costs switches. */

const FEW = 2;
const CROWDS = [8, 16, 32];
const QUICK_CROWDS = [32];
const SECTION_US = 5;

/** Each thread has a turn every few milliseconds: in less time chance makes them uneven. */
const LEAST_SECONDS = 2;
const LEAST_EVENNESS = 0.5;

/** Of what two threads do. */
const LEAST_SHARE = 0.95;

const PAGE_SECTION_MS = 0.02;
const ASKS_EVERY_MS = 4;
const MOST_WAIT_MS = 20;

/** @typedef {'engine' | 'native'} Place */

/** @type {Record<Place, { where: string, run: (threads: number, seconds: number) => Promise<number[]> }>} */
const PLACES = {
    engine: {
        where: '',
        run: async (workers, seconds) =>
            (await runContended({ contestant: 'holdfast', workers, sectionMs: SECTION_US / 1000, seconds }))
                .rates,
    },
    native: {
        where: 'in native C, ',
        async run(threads, seconds) {
            const load = {
                contestants: ['holdfast'],
                rounds: 1,
                threads,
                sectionMicroseconds: SECTION_US,
                seconds,
            };
            return (await runRoundsInC('native', 'mutex', load))['holdfast']?.[0] ?? [];
        },
    },
};

/**
 * @param {Place} place
 * @param {import('./scenarios.js').Options} options
 */
async function sections(place, { full, rounds, seconds }) {
    const { where, run } = PLACES[place];
    const crowds = full ? CROWDS : QUICK_CROWDS;
    const [few, ...many] = await runInTurns(
        rounds,
        [FEW, ...crowds].map((threads) => ({ threads })),
        ({ threads }) => run(threads, Math.max(seconds, LEAST_SECONDS)),
    );
    /** @param {number[][] | undefined} runs */
    const totals = (runs = []) => runs.map((rates) => throughput({ rates }));
    const beside = { name: `${FEW} threads`, rounds: totals(few?.runs) };
    return many.flatMap(({ threads, runs }) => {
        const what = `${where}${threads} threads, ${SECTION_US} µs`;
        const shares = runs.map((rates) => evenness({ rates }));
        return [
            figureOf(`${what}: sections of all`, '/s', totals(runs), beside, atLeast(LEAST_SHARE)),
            figureOf(`${what}: the slowest thread's, of the fastest's`, '', shares, undefined, {
                of: 'value',
                least: LEAST_EVENNESS,
            }),
        ];
    });
}

/** @param {import('./scenarios.js').Options} options */
async function waitsOfThePage({ rounds, seconds }) {
    const workers = Math.max(...CROWDS);
    const [asked] = await runInTurns(rounds, [{}], () =>
        runContended({
            contestant: 'holdfast',
            workers,
            sectionMs: PAGE_SECTION_MS,
            seconds: Math.max(seconds, LEAST_SECONDS),
            start: (asker) => askEvery(asker, ASKS_EVERY_MS),
        }),
    );
    return figureOf(
        `the event loop beside ${workers} threads, ${PAGE_SECTION_MS * 1000} µs: wait, 99th percentile`,
        'ms',
        percentiles(asked?.runs ?? []),
        undefined,
        { of: 'value', most: MOST_WAIT_MS },
    );
}

/** @type {import('./scenarios.js').Scenario} */
export const crowd = {
    name: 'crowd',
    title: 'many more threads than cores, which lock again and again',
    async run(options) {
        const figures = [...(await sections('engine', options)), ...(await sections('native', options))];
        return { figures: [...figures, await waitsOfThePage(options)] };
    },
};
