/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { makeArena } from '../arena.js';
import { runUncontendedInC } from '../c-programs.js';
import { admit, contestantOf } from '../contestants.js';
import { gather } from '../crew.js';
import { atMost, figureOf, withAbsent } from '../figures.js';
import { WARM_UP_TURNS } from '../jobs/loops.js';
import { interleave, median } from '../rounds.js';
import { watched } from '../watchdog.js';

/* Compares the time of a pair of calls without contention with the time that rivals take. Contestants take short
 * turns, so that a disturbance of the machine seldom hits only one. */

/** @typedef {import('./scenarios.js').Options} Options */
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
    for (const key of keys) {
        (await contestantOf(key)).prepare?.(arena, keys.length);
    }
    const mostSeconds = (keys.length * (turns.turns + WARM_UP_TURNS) * turns.milliseconds) / 1000;
    return watched(loop, arena, mostSeconds, async () => {
        const crew = await gather(
            keys.map((contestant, thread) => ({
                job: /** @type {const} */ ('loops'),
                arena,
                thread,
                options: { contestant, loop, threads: keys.length, ...turns },
            })),
        );
        crew.go();
        return (await crew.ended).map(median);
    });
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
    /** @type {number[][]} */
    const rounds = [];
    for (let round = 0; round < options.rounds; round += 1) {
        rounds.push(await runLoops(loop, admittedKeys, options));
    }
    const of = (/** @type {number} */ contestant) => rounds.map((results) => results[contestant] ?? NaN);
    const figures = admitted.slice(1).map(({ key, title }, index) => {
        const bound = rivals.find((rival) => rival.key === key)?.bound;
        return figureOf(what, 'ns', of(0), { name: title, rounds: of(index + 1) }, bound);
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
 * @param {{ bounds?: Record<string, Bound>, readsIn100?: 0 | 100 }} [more] bounds in wasm; by default no other may be
 *     faster
 */
export async function pairInC(primitive, pair, options, { bounds, readsIn100 } = {}) {
    const turns = { ...loopTurns(options), primitive, readsIn100 };
    /** @type {import('../c-programs.js').Target[]} */
    const places = options.full ? ['wasm', 'native'] : ['wasm'];
    const runs = await interleave(
        inBrief(options).rounds,
        Object.fromEntries(places.map((place) => [place, () => runUncontendedInC(place, turns)])),
    );
    return places.flatMap((place) => {
        const turnsOf = (/** @type {string} */ name) =>
            (runs[place] ?? []).flatMap((run) => run[name]?.nanoseconds ?? []);
        const what = place === 'wasm' ? `in C, ${pair}` : `in native C, ${pair}`;
        const names = Object.keys(runs[place]?.[0] ?? {});
        return names.slice(1).map((name) => {
            const cannot = runs[place]?.[0]?.[name]?.cannot;
            const other = cannot === undefined ? { name, rounds: turnsOf(name) } : { name, cannot };
            const bound =
                place === 'wasm' && cannot === undefined ? (bounds?.[name] ?? atMost(1)) : undefined;
            return figureOf(what, 'ns', turnsOf('holdfast'), other, bound);
        });
    });
}
