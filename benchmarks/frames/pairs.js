/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { makeArena } from '../arena.js';
import { runInC } from '../c-programs.js';
import { admit, prepareLock } from '../contestants.js';
import { perform } from '../crew.js';
import { atMost, figureOf, withAbsent } from '../figures.js';
import { WARM_UP_TURNS } from '../jobs/loops.js';
import { median, runInTurns } from '../rounds.js';

/* Compares the time of a pair of calls without contention with the time that rivals take. Contestants take short
 * turns, so that a disturbance of the machine seldom hits only one. */

/** @typedef {import('../scenarios.js').Options} Options */
/** @typedef {import('../figures.js').Bound} Bound */

/** Enough turns for a median. */
const TURNS = 15;

/** The longest useful turn. */
const MOST_MILLISECONDS = 10;

/**
 * All turns of a loop together take this share of a contended run's time: the speed of a loop needs less time to
 * measure.
 */
const PART_OF_A_RUN = 1 / 4;

/** @param {Options} options */
function loopTurns({ seconds }) {
    const milliseconds = Math.ceil((seconds * 1000 * PART_OF_A_RUN) / TURNS);
    return { turns: TURNS, milliseconds: Math.min(milliseconds, MOST_MILLISECONDS) };
}

/**
 * The time of each contestant for the same call: one thread per contestant, in turns. Each round has new threads, since
 * an engine that has compiled a loop badly keeps the result.
 * @param {string} loop of jobs/loops.js @param {readonly string[]} keys @param {Options} options
 * @returns {Promise<number[]>} ns, by contestant
 */
async function runLoops(loop, keys, options) {
    const arena = makeArena(keys.length);
    const turns = loopTurns(options);
    await Promise.all(keys.map((key) => prepareLock(key, arena)));
    const mostSeconds = (keys.length * (turns.turns + WARM_UP_TURNS) * turns.milliseconds) / 1000;
    const tasks = keys.map((contestant, thread) => ({
        job: /** @type {const} */ ('loops'),
        ...{ arena, thread },
        options: { contestant, loop, threads: keys.length, ...turns },
    }));
    return (await perform(loop, mostSeconds, tasks)).map(median);
}

/**
 * Compares holdfast with all others, or says why they cannot take part.
 * @param {'pairs' | 'share' | 'awaitEach' | 'awaitLast'} loop @param {string} what
 * @param {readonly { key: string, bound?: Bound }[]} rivals @param {Options} options
 * @param {string} [ours] the key of holdfast's contestant
 */
export async function compareLoops(loop, what, rivals, options, ours = 'holdfast') {
    const keys = [ours, ...rivals.map(({ key }) => key)];
    const { admitted, refused } = await admit(keys, [loop.startsWith('await') ? 'waits' : 'blocks']);
    const admittedKeys = admitted.map(({ key }) => key);
    const [measured] = await runInTurns(options.rounds, [{}], () => runLoops(loop, admittedKeys, options));
    const of = (/** @type {number} */ index) => (measured?.runs ?? []).map((round) => round[index] ?? NaN);
    const figures = admitted.slice(1).map(({ key, title: name }, index) => {
        const bound = rivals.find((rival) => rival.key === key)?.bound;
        return figureOf(what, 'ns', of(0), { name, rounds: of(index + 1) }, bound);
    });
    return withAbsent(figures, refused);
}

/**
 * Fewer rounds: the time of a pair of calls varies less than that of contending threads.
 * @param {Options} options @returns {Options}
 */
export function inBrief(options) {
    return options.full ? options : { ...options, rounds: 1 };
}

/**
 * Compares the time of a pair of calls in C with the time that rivals take; a full run also measures natively.
 * @param {import('../c-programs.js').Primitive} primitive @param {string} pair @param {Options} options
 * @param {Record<string, Bound>} [bounds] in wasm; by default no other may be faster
 */
export async function pairInC(primitive, pair, options, bounds) {
    const places = [
        { target: /** @type {const} */ ('wasm'), what: `in C, ${pair}` },
        ...(options.full ? [{ target: /** @type {const} */ ('native'), what: `in native C, ${pair}` }] : []),
    ];
    const { turns, milliseconds } = loopTurns(options);
    const load = {
        primitive,
        threads: 0,
        us: 0,
        rounds: WARM_UP_TURNS + turns,
        seconds: milliseconds / 1000,
    };
    const results = await runInTurns(inBrief(options).rounds, places, ({ target }) =>
        runInC(target, { ...load, warmUp: 0 }),
    );
    return results.flatMap(({ target, what, runs }) => {
        const turnsOf = (/** @type {number} */ index) =>
            runs.flatMap((run) =>
                (run[index]?.runs ?? []).slice(WARM_UP_TURNS).map(({ nanoseconds }) => nanoseconds),
            );
        return (runs[0] ?? []).slice(1).map(({ title: name, cannot }, index) => {
            const other = cannot === undefined ? { name, rounds: turnsOf(index + 1) } : { name, cannot };
            const isBounded = target === 'wasm' && cannot === undefined;
            const bound = isBounded ? (bounds?.[name] ?? atMost(1)) : undefined;
            return figureOf(what, 'ns', turnsOf(0), other, bound);
        });
    });
}
