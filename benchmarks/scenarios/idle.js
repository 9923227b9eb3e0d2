/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { runIdleInC } from '../c-programs.js';
import { figureOf } from '../figures.js';

/** After this time the slices of a sleeping thread have grown to the longest. */
const SETTLE_SECONDS = 2;

/**
 * The most steps per second of all sleeping threads together (HF__WAKE_OF_EACH_NS). The measurement is long
 * enough for one step of each.
 */
const LOOKS_A_SECOND = 500;
const PERCENT = 100;

const OTHER = 'pthread_mutex';

/** The mutex waits at the gate, the event for a change of state. */
const WAYS = ['mutex', 'event'];

/** The largest share of a core that this number of threads may take. @type {[threads: number, percent: number][]} */
const AIMS = [
    [1_000, 1],
    [10_000, 5],
];

/** @type {import('./scenarios.js').Scenario} */
export const idle = {
    name: 'idle',
    inOtherProcesses: true,
    title: 'what threads cost that sleep in a wait, natively; with --full 10,000 of them, too',
    async run({ full, seconds }) {
        const figures = [];
        for (const [threads, most] of full ? AIMS : AIMS.slice(0, 1)) {
            const times = { settle: SETTLE_SECONDS, seconds: Math.max(seconds, threads / LOOKS_A_SECOND) };
            const { [OTHER]: other = NaN, ...shares } = await runIdleInC(threads, times, [...WAYS, OTHER]);
            for (const [way, share] of Object.entries(shares)) {
                const beside = { name: OTHER, rounds: [other * PERCENT] };
                const what = `${threads} threads that sleep (${way})`;
                figures.push(figureOf(what, '% of a core', [share * PERCENT], beside, { of: 'value', most }));
            }
        }
        return { figures };
    },
};
