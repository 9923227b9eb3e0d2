/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { runIdleInC } from '../c-programs.js';
import { figureOf } from '../figures.js';

/** Slices of a thousand have grown to a second by then, and of ten thousand to four seconds. */
const [SETTLE_SECONDS, LONG_SETTLE_SECONDS] = [1.5, 5];

/** In less time not each of them looks. */
const LEAST_SECONDS = 1;
const PERCENT = 100;

const OTHER = 'pthread_mutex';
const WAYS = ['mutex', 'semaphore', 'condition', 'event', 'latch', 'barrier'];
const SOME = ['mutex', 'event'];

/** The most of a core that so many threads may take. @type {[threads: number, percent: number][]} */
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
            const ways = full ? WAYS : SOME;
            const times = {
                settle: full ? LONG_SETTLE_SECONDS : SETTLE_SECONDS,
                seconds: Math.max(seconds, LEAST_SECONDS),
            };
            const { [OTHER]: other = NaN, ...shares } = await runIdleInC(threads, times, [...ways, OTHER]);
            for (const [way, share] of Object.entries(shares)) {
                figures.push(
                    figureOf(
                        `${threads} threads that sleep (${way})`,
                        '% of a core',
                        [share * PERCENT],
                        { name: OTHER, rounds: [other * PERCENT] },
                        { of: 'value', most },
                    ),
                );
            }
        }
        return { figures };
    },
};
