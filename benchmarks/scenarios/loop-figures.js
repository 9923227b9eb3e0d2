/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { makeArena } from '../arena.js';
import { admit, contestantOf } from '../contestants.js';
import { gather } from '../crew.js';
import { figureOf } from '../figures.js';
import { WARM_UP_TURNS } from '../jobs/turns.js';
import { median } from '../rounds.js';
import { watched } from '../watchdog.js';
import { loopTurns } from './loop-turns.js';

/**
 * The time of each contestant for the same call, in a loop with nobody else there: a thread a contestant, by turns.
 * New threads in each round, since an engine may compile a loop badly, and keeps to that.
 *
 * @param {'uncontended' | 'execute' | 'executeMany'} job
 * @param {readonly string[]} keys
 * @param {ReturnType<typeof loopTurns>} turnsOfEach
 * @returns {Promise<number[]>} ns, by contestant
 */
async function runLoops(job, keys, turnsOfEach) {
    const arena = makeArena(keys.length);
    const { turns, milliseconds } = turnsOfEach;
    const options = { threads: keys.length, ...turnsOfEach };
    for (const key of keys) {
        (await contestantOf(key)).prepare?.(arena, keys.length);
    }
    const mostSeconds = (keys.length * (turns + WARM_UP_TURNS) * milliseconds) / 1000;
    return watched(job, arena, mostSeconds, async () => {
        const crew = await gather(
            keys.map((contestant, thread) => ({ job, arena, thread, options: { ...options, contestant } })),
        );
        crew.go();
        return (await crew.ended).map(median);
    });
}

/**
 * @typedef {object} Rival
 * @property {string} key
 * @property {import('../figures.js').Bound} [bound]
 */

/**
 * holdfast beside all others, or why they cannot take part.
 *
 * @param {'uncontended' | 'execute' | 'executeMany'} job
 * @param {import('../contestants.js').Ability} ability that it takes
 * @param {string} what
 * @param {readonly Rival[]} rivals
 * @param {import('./scenarios.js').Options} options
 * @param {string} [ours] key of holdfast's own
 */
export async function compareLoops(job, ability, what, rivals, options, ours = 'holdfast') {
    const keys = [ours, ...(options.against ?? rivals.map(({ key }) => key))];
    const { admitted, refused } = await admit(keys, [ability]);
    /** @type {number[][]} */
    const rounds = [];
    for (let round = 0; round < options.rounds; round += 1) {
        rounds.push(
            await runLoops(
                job,
                admitted.map(({ key }) => key),
                loopTurns(options),
            ),
        );
    }
    /** @param {number} contestant */
    const of = (contestant) => rounds.map((results) => results[contestant] ?? NaN);
    const first = of(0);
    const figures = admitted.slice(1).map(({ key, title }, index) => {
        const bound = rivals.find((rival) => rival.key === key)?.bound;
        return figureOf(what, 'ns', first, { name: title, rounds: of(index + 1) }, bound);
    });
    return { figures: [...figures, ...refused.map((other) => figureOf(what, 'ns', first, other))] };
}
