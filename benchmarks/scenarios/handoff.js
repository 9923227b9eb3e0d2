/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { makeArena } from '../arena.js';
import { checkCounters } from '../counters.js';
import { gather } from '../crew.js';
import { atMost, figureOf } from '../figures.js';
import { interleave, median } from '../rounds.js';
import { watched } from '../watchdog.js';

/** How long the waiter is made to wait: asleep, but still patient, and asleep as the heir. */
const HOLDS_MS = [0.3, 3];

/** The one that gives more hand-overs in the same time. */
const QUICK_HOLDS_MS = HOLDS_MS.slice(0, 1);

/** The lock is held for so long in all, with each; less in short runs. */
const MOST_SECONDS = 0.3;
const PART_OF_A_RUN = 1 / 2;

/**
 * @typedef {object} Waiter
 * @property {string} title
 * @property {'takeLock' | 'awaitLock'} lock how it takes a lock
 * @property {'takeWord' | 'awaitWord'} word how it waits for a bare word
 * @property {import('../figures.js').Bound} [bound] beside the bare word
 */

/** @type {readonly Waiter[]} */
const WAITERS = [
    { title: 'a worker', lock: 'takeLock', word: 'takeWord', bound: atMost(1.3) },
    { title: 'an event loop', lock: 'awaitLock', word: 'awaitWord' },
];

/**
 * @param {'giveLock' | 'giveWord'} give
 * @param {Waiter['lock'] | Waiter['word']} take
 * @param {import('../jobs/handoff.js').LockOptions} options
 * @returns {Promise<number>} µs, the median
 */
async function measure(give, take, options) {
    const arena = makeArena(2);
    const seconds = (options.times * options.holdMs) / 1000;
    return watched(`${give} of ${options.contestant}`, arena, seconds, async () => {
        const crew = await gather([give, take].map((job, thread) => ({ job, arena, thread, options })));
        crew.go();
        const [, microseconds] = await crew.ended;
        checkCounters(arena);
        return median(microseconds ?? []);
    });
}

/** @type {import('./scenarios.js').Scenario} */
export const handoff = {
    name: 'handoff',
    title: 'how long a worker or an event loop that waits takes to get a lock that a worker releases',
    async run({ full, rounds, seconds }) {
        const holds = full ? HOLDS_MS : QUICK_HOLDS_MS;
        const variants = WAITERS.flatMap((waiter) => holds.map((holdMs) => ({ waiter, holdMs })));
        const heldMs = Math.min(seconds * PART_OF_A_RUN, MOST_SECONDS) * 1000;
        const figures = [];
        for (const { waiter, holdMs } of variants) {
            const options = { times: Math.ceil(heldMs / holdMs), holdMs };
            const { holdfast, textbook, bare } = await interleave(rounds, {
                holdfast: () => measure('giveLock', waiter.lock, { ...options, contestant: 'holdfast' }),
                textbook: () => measure('giveLock', waiter.lock, { ...options, contestant: 'textbook' }),
                bare: () => measure('giveWord', waiter.word, { ...options, contestant: 'holdfast' }),
            });
            const what = `${waiter.title}, asleep for ${holdMs} ms`;
            figures.push(
                figureOf(what, 'µs', holdfast, { name: 'bare wait and notify', rounds: bare }, waiter.bound),
                figureOf(what, 'µs', holdfast, { name: 'textbook', rounds: textbook }),
            );
        }
        return { figures };
    },
};
