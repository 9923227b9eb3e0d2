/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { runRoundsInC } from '../c-programs.js';
import { atLeast, figureOf } from '../figures.js';

/* A channel in native C, beside the same ring with one mutex and two conditions of pthread (c/channels.c). */

/** @typedef {import('./scenarios.js').Scenario} Scenario */

const CONTESTANTS = ['holdfast', 'pthread_cond'];
const LEAST_RATIO = 1;

/** How many messages a thread sends, or receives, each time that it has the lock. */
const BATCHES = /** @type {const} */ ([1, 16, 64, 256]);
const QUICK_BATCHES = /** @type {const} */ ([16]);

/** @type {Scenario} */
export const channelC = {
    name: 'channel-c',
    inOtherProcesses: true,
    title: 'a channel in native C: one thread sends messages of 16 bytes, another receives them',
    async run({ full, rounds, seconds }) {
        const figures = [];
        for (const batch of full ? BATCHES : QUICK_BATCHES) {
            const load = { rounds, threads: 2, sectionMicroseconds: 0, seconds: seconds / 2 };
            const results = await runRoundsInC('native', `channel ${batch}`, {
                ...load,
                contestants: CONTESTANTS,
            });
            const [ours = [], theirs = []] = CONTESTANTS.map((name) =>
                (results[name] ?? []).map(([, received = NaN]) => received),
            );
            const what = `in native C, ${batch} message${batch === 1 ? '' : 's'} a lock: messages`;
            const other = { name: 'the same ring with pthread_cond', rounds: theirs };
            figures.push(figureOf(what, '/s', ours, other, atLeast(LEAST_RATIO)));
        }
        return { figures };
    },
};
