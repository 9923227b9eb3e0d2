/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { runIdleInC } from '../c-programs.js';
import { figureOf } from '../figures.js';

/** Within that time the sleep between two looks has grown to its longest. */
const SETTLE_SECONDS = 2;

/** Of all threads together, at most (HF__LOOK_OF_EACH_NS). It is measured for so long that each of them looks once. */
const LOOKS_A_SECOND = 500;
const PERCENT = 100;

const OTHER = 'pthread_mutex';
const WAYS = ['mutex', 'semaphore', 'condition', 'event', 'latch', 'barrier'];
const SOME = ['mutex', 'event'];

/** To measure these takes 20 s for each way to sleep, so only some are measured. */
const MANY = 10_000;

/** The most of a core that so many threads may take. @type {[threads: number, percent: number][]} */
const AIMS = [
    [1_000, 1],
    [MANY, 5],
];

/** @type {import('./scenarios.js').Scenario} */
export const idle = {
    name: 'idle',
    inOtherProcesses: true,
    title: 'what threads cost that sleep in a wait, natively; with --full 10,000 of them, too',
    async run({ full, seconds }) {
        const figures = [];
        for (const [threads, most] of full ? AIMS : AIMS.slice(0, 1)) {
            const ways = full && threads < MANY ? WAYS : SOME;
            const times = {
                settle: SETTLE_SECONDS,
                seconds: Math.max(seconds, threads / LOOKS_A_SECOND),
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
